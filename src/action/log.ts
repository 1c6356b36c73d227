import * as core from '@actions/core'
import type { Log } from '../operations/log.ts'
import { plainLineWithout } from './plain-text.ts'
import type { Secrets } from './secrets.ts'

/** The one writer to the log (DESIGN rule 9): every line is made harmless and has its secrets taken out. */
export interface ActionLog extends Log {
  /** The step's error: fails the step. */
  failure(line: string): void
  notice(line: string): void
  /** Hides a secret, however it is encoded, from all that is printed from now on, here and by the runner. */
  mask(secret: string): void
}

/**
 * The runner fails on a mask whose first `&+` is its end, and with it the step (actions/runner, ValueEncoders.cs,
 * PowerShellPostAmpersandEscape). Without the plus, it hides all the rest.
 */
function maskable(text: string): string {
  const trimmed = text.trim()
  return trimmed.endsWith('&+') && trimmed.indexOf('&+') === trimmed.length - 2 ? trimmed.slice(0, -1) : text
}

export function createLog(secrets: Secrets): ActionLog {
  const clean = (line: string) => plainLineWithout(secrets, line)
  return {
    info: line => core.info(clean(line)),
    debug: line => core.debug(clean(line)),
    notice: line => core.notice(clean(line)),
    warning: line => core.warning(clean(line)),
    failure: line => core.setFailed(clean(line)),
    mask(secret) {
      for (const text of secrets.add(secret)) core.setSecret(maskable(text))
      // Too short to be redacted here; the runner's own mask takes it all the same.
      if (secret.trim() !== '' && secret.length < 4) core.setSecret(maskable(secret))
    },
  }
}
