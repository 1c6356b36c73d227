/** The output of a step: its log, its secrets, and the outputs that it has set. */
import type { SourcePlace } from '#base/errors'
import type { Log } from '#operations/base/context'
import { plainLineWithout } from '../secrets/plain-text.ts'
import { Secrets } from '../secrets/secrets.ts'
import type { Host } from './host.ts'

/** The only writer to the log: escapes every line, and removes secrets from it. */
export interface ActionLog extends Log {
  /** Logs the error of the step and fails the step. `about` is a part of the title; `place` is the annotated line. */
  failure(line: string, about: string, place?: SourcePlace): void
  /** Hides a secret, in all its encodings, in all later output of the step and the runner. */
  mask(secret: string): void
}

/**
 * Splits a text into lines for masks. A line that ends with its first `&+` crashes the runner, which fails the step
 * (actions/runner, ValueEncoders.cs, PowerShellPostAmpersandEscape). The mask of such a line has no plus.
 */
function splitForMasking(text: string): string[] {
  const lines = text.split(/[\r\n]+/).filter(line => line.trim() !== '')
  return lines.map(line => (/^(?:(?!&\+).)*&\+\s*$/.test(line) ? line.trim().slice(0, -1) : line))
}

/** `operation` comes from the workflow. It starts the title of each annotation, if it looks like a name. */
export function createLog(
  secrets: Secrets,
  operation: string,
  { process, toolkit }: Pick<Host, 'process' | 'toolkit'>,
): ActionLog {
  const clean = (line: string) => plainLineWithout(secrets, line)
  const isName = (text: string) => /^[a-z][a-z -]{0,60}$/.test(text)
  const renderTitle = (about?: string) => {
    // Redacted at each use, because the secrets grow during the step.
    const text = isName(operation) ? clean(operation).trim() : ''
    const name = isName(text) ? text : 'managed-database-action'
    return { title: about === undefined ? name : `${name}: ${clean(about)}` }
  }
  const locate = (place?: SourcePlace) =>
    place && { file: clean(place.file), startLine: place.line, startColumn: place.column }
  const masked = new Set<string>()
  return {
    info: line => toolkit.info(clean(line)),
    debug: line => toolkit.debug(clean(line)),
    notice: line => toolkit.notice(clean(line)),
    warning: (line, about, place) =>
      toolkit.warning(clean(line), { ...renderTitle(about), ...locate(place) }),
    failure(line, about, place) {
      process.exitCode = 1
      toolkit.error(clean(line), { ...renderTitle(about), ...locate(place) })
    },
    mask(secret) {
      // `Secrets` does not redact such a short text, but the runner masks it.
      const short = secret.length < 4 ? [secret] : []
      for (const text of [...secrets.add(secret), ...short].flatMap(splitForMasking)) {
        if (masked.has(text)) continue
        masked.add(text)
        toolkit.setSecret(text)
      }
    },
  }
}

/** All that the step and the post step need before any input is read. */
export interface Edge {
  host: Host
  log: ActionLog
  secrets: Secrets
  /** The names of the outputs that the step has set so far. */
  outputNames: Set<string>
}

/** `operation` appears in the titles of warnings and errors. */
export function openEdge(operation: string, host: Host): Edge {
  const secrets = new Secrets()
  return { host, secrets, log: createLog(secrets, operation, host), outputNames: new Set() }
}
