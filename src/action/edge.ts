import { type ActionLog, createLog } from './action-log.ts'
import { Secrets } from './secrets.ts'

/** What the step and the end of the job both need: the log, and the secrets that it hides. */
export interface Edge {
  log: ActionLog
  secrets: Secrets
  /** The names of the outputs that are set already. */
  announced: Set<string>
}

/** `operation`: what the headings of its warnings and errors name. */
export function openEdge(operation: string): Edge {
  const secrets = new Secrets()
  return { secrets, log: createLog(secrets, operation), announced: new Set() }
}
