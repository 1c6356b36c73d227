/** The error of a failed wait. */
import { type AnyRecord, type Resource, resources } from '#api/resource'
import { ActionError } from '#base/errors'
import type { Ids, StatusChange } from '../base/outcome.ts'

/** Advice about a record that can no longer reach the goal. */
export const adviceAfterFailure: Record<Resource, string> = {
  service: 'check the log of the service (get-service-logs), then run the step again',
  replica_set: 'delete it with delete-replica, then run the step again',
  vpc: 'delete it with delete-vpc, then run the step again',
  peering: 'check peer_account_id, peer_region_code and peer_vpc_id; delete this one with delete-peering',
}

/** Repeating the deletion of a record that is gone would fail, so the advice starts with a read. */
export function adviceIfNotGone(resource: Resource): string {
  const { label, get, list } = resources[resource]
  const read = get ?? list
  return `check the ${label} with ${read}; if it still exists, run the step again or raise wait_timeout`
}

/** A wait did not reach its goal in time, or cannot reach it. The record is unchanged. */
export class WaitError extends ActionError {
  readonly history: StatusChange[]
  readonly resource: Resource
  readonly ids: Ids
  readonly latest: AnyRecord | undefined
  readonly isGone: boolean
  /** The last lines of the service's log, if it is readable. */
  logLines: string[] = []

  constructor(
    message: string,
    next: string,
    observed: {
      resource: Resource
      ids: Ids
      latest?: AnyRecord | undefined
      history: StatusChange[]
      isGone?: boolean
      cause?: unknown
    },
  ) {
    super(message, next, { cause: observed.cause })
    this.history = observed.history
    this.resource = observed.resource
    this.ids = observed.ids
    this.latest = observed.latest
    this.isGone = observed.isGone ?? false
  }
}
