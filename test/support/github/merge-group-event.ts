/** Builds the events of the merge queue. */
import { complete } from './complete.ts'
import type { QueueEntry } from './world.ts'

/** The payload of a `merge_group` event as GitHub writes it to GITHUB_EVENT_PATH. */
export const mergeGroupEvent = ({ ref, sha }: QueueEntry) =>
  complete('webhook-merge-group-checks-requested', {
    action: 'checks_requested',
    merge_group: { head_sha: sha, head_ref: ref },
  })
