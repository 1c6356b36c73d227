import * as core from '@actions/core'
import type { Log } from '../operations/log.ts'
import { plainLineWithout } from './plain-text.ts'
import type { Secrets } from './secrets.ts'

/** The one writer to the log: makes every line harmless, and takes secrets out of it. */
export interface ActionLog extends Log {
  /** The step's error: fails the step. */
  failure(line: string): void
  /** Hides a secret, however it is encoded, from all that is printed from now on, here and by the runner. */
  mask(secret: string): void
}

/**
 * The lines of a text, as the runner masks them. It crashes on one that ends with its first `&+`, and so fails the step
 * (actions/runner, ValueEncoders.cs, PowerShellPostAmpersandEscape). Without the plus, the mask hides all but the plus.
 */
function maskable(text: string): string[] {
  const lines = text.split(/[\r\n]+/).filter(line => line.trim() !== '')
  return lines.map(line => (/^(?:(?!&\+).)*&\+\s*$/.test(line) ? line.trim().slice(0, -1) : line))
}

export function createLog(secrets: Secrets): ActionLog {
  const clean = (line: string) => plainLineWithout(secrets, line)
  const masked = new Set<string>()
  return {
    info: line => core.info(clean(line)),
    debug: line => core.debug(clean(line)),
    notice: line => core.notice(clean(line)),
    warning: line => core.warning(clean(line)),
    failure: line => core.setFailed(clean(line)),
    mask(secret) {
      // Too short to be redacted here; the runner can mask it all the same.
      const short = secret.length < 4 ? [secret] : []
      for (const text of [...secrets.add(secret), ...short].flatMap(maskable)) {
        if (masked.has(text)) continue
        masked.add(text)
        core.setSecret(text)
      }
    },
  }
}
