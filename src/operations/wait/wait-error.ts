import { type AnyRecord, type Resource, resources } from '#api/resource'
import { ActionError } from '#base/errors'
import type { Ids, StatusChange } from '../base/outcome.ts'

/** What to do about a record that can no longer reach the goal. */
export const adviceAfterFailure: Record<Resource, string> = {
  service: 'look at the log of the service (get-service-logs), then run the step again',
  replica_set: 'delete-replica removes it; then run the step again',
  vpc: 'delete it with delete-vpc, then run the step again',
  peering: 'check peer_account_id, peer_region_code and peer_vpc_id; delete-peering removes this one',
}

/** A repeated deletion of a record that is gone by then would fail, so the first thing is to look. */
export function adviceIfNotGone(resource: Resource): string {
  const { label, get, list } = resources[resource]
  const look = get ?? list
  return `look for the ${label} with ${look}: where it is not found, it is deleted; where it stays, run the step again or raise wait_timeout`
}

/** The goal of a wait was not reached in time, or cannot be reached. The record was left as it is. */
export class WaitError extends ActionError {
  readonly history: StatusChange[]
  /** What was waited for. */
  readonly resource: Resource
  readonly ids: Ids
  /** The record as it was last seen, if it was. */
  readonly latest: AnyRecord | undefined
  /** The record is gone, or on its way out. */
  readonly isGone: boolean
  /** The last lines of the service's log, if it has one that can be read. */
  logLines: string[] = []

  constructor(
    message: string,
    next: string,
    seen: {
      resource: Resource
      ids: Ids
      latest?: AnyRecord | undefined
      history: StatusChange[]
      isGone?: boolean
      cause?: unknown
    },
  ) {
    super(message, next, { cause: seen.cause })
    this.history = seen.history
    this.resource = seen.resource
    this.ids = seen.ids
    this.latest = seen.latest
    this.isGone = seen.isGone ?? false
  }
}
