import { type ActionLog, createLog } from './action-log.ts'
import { type Host, openHost } from './host.ts'
import { Secrets } from './secrets.ts'

/** What the step and the end of the job both need: the log, and the secrets that it hides. */
export interface Edge {
  host: Host
  log: ActionLog
  secrets: Secrets
  /** The names of the outputs that are set already. */
  announced: Set<string>
}

/** `operation`: what the headings of its warnings and errors name. */
export function openEdge(operation: string, host = openHost()): Edge {
  const secrets = new Secrets()
  return { host, secrets, log: createLog(secrets, operation, host), announced: new Set() }
}
