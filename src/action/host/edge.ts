import { Secrets } from '../secrets/secrets.ts'
import { type ActionLog, createLog } from './action-log.ts'
import type { Host } from './host.ts'

/** What both the step and the end of the job need: the log, and the secrets that it hides. */
export interface Edge {
  host: Host
  log: ActionLog
  secrets: Secrets
  /** Names of outputs that were set already. */
  announced: Set<string>
}

/** `operation` is named in the headings of warnings and errors. */
export function openEdge(operation: string, host: Host): Edge {
  const secrets = new Secrets()
  return { host, secrets, log: createLog(secrets, operation, host), announced: new Set() }
}
