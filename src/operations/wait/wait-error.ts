import type { AnyRecord, Resource } from '../../api/resource.ts'
import { ActionError } from '../../base/errors.ts'
import type { Ids, StatusChange } from '../base/outcome.ts'

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
