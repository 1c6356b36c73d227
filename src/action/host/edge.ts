import { Secrets } from '../secrets/secrets.ts'
import { type ActionLog, createLog } from './action-log.ts'
import type { Host } from './host.ts'

/** The log and the secrets, which the step and the post step need. */
export interface Edge {
  host: Host
  log: ActionLog
  secrets: Secrets
  announced: Set<string>
}

/** `operation` appears in the titles of warnings and errors. */
export function openEdge(operation: string, host: Host): Edge {
  const secrets = new Secrets()
  return { host, secrets, log: createLog(secrets, operation, host), announced: new Set() }
}
