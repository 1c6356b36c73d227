/** Builds the events of the merge queue. */
import type { QueueEntry } from './world.ts'

const someone = { name: 'GitHub', email: 'noreply@github.com' }

/** The payload of a `merge_group` event as GitHub writes it to GITHUB_EVENT_PATH. */
export function mergeGroupEvent({ ref, sha }: QueueEntry) {
  return {
    action: 'checks_requested',
    merge_group: {
      head_sha: sha,
      head_ref: ref,
      base_sha: '0'.repeat(40),
      base_ref: 'refs/heads/main',
      head_commit: {
        id: sha,
        tree_id: '1'.repeat(40),
        message: 'Merge pull request #7',
        timestamp: '2026-01-31T12:00:00Z',
        author: someone,
        committer: someone,
      },
    },
  }
}
