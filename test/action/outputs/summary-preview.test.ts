/** Tests the summary of preview operations. */
import { describe, expect, it } from 'vitest'
import { renderDone, renderSuccess } from '#action/outputs/step-summary'
import { Secrets } from '#action/secrets/secrets'
import { Service } from '#api/records'
import type { Outcome } from '#operations/base/outcome'
import type { Decision, Verdict } from '#preview/on-github/prune-decision'
import { outcomeOfPrune } from '#preview/prune/prune'

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
const none = new Secrets()

it('reports a prune with counts and reasons', () => {
  const preview = (pull_request: number | undefined, verdict: Verdict, reason: string): Decision => ({
    service: {
      service_id: `s${pull_request ?? 0}`,
      name: `preview-${pull_request === undefined ? 'mq-0123456789' : `pr-${pull_request}`}-00000000-aaaaaa`,
    },
    verdict,
    reason,
  })
  const decisions = [
    preview(3, 'deleted', 'its pull request is closed'),
    preview(4, 'kept', 'its pull request is open'),
    preview(5, 'kept', 'younger than 30m 00s'),
    preview(undefined, 'kept', 'its entry is in the merge queue'),
  ]
  const pruned = outcomeOfPrune('p1', decisions, { isDryRun: false })
  expect(renderSuccess({ outcome: pruned, login }, none)).toMatchInlineSnapshot(`
    "### prune-previews

    1 deleted, 3 kept.

    | preview | service | pull request | outcome | reason | stored |
    |---|---|---|---|---|---|
    | preview-pr-3-00000000-aaaaaa | s3 | 3 | deleted | its pull request is closed |  |
    | preview-pr-4-00000000-aaaaaa | s4 | 4 | kept | its pull request is open |  |
    | preview-pr-5-00000000-aaaaaa | s5 | 5 | kept | younger than 30m 00s |  |
    | preview-mq-0123456789-00000000-aaaaaa | s0 | merge queue | kept | its entry is in the merge queue |  |

    <details><summary>More</summary>

    | output | value |
    |---|---|
    | count | 4 |
    | deleted | true |
    | project_id | p1 |

    </details>"
  `)
  expect(
    renderSuccess({ outcome: outcomeOfPrune('p1', [], { isDryRun: false }), login }, none),
  ).toMatchInlineSnapshot(`
    "### prune-previews

    there are no previews.

    | output | value |
    |---|---|
    | count | 0 |
    | project_id | p1 |"
  `)
})

it('does not claim that nothing was done after a deletion', () => {
  const skipped = 'pull request 7 is a draft'
  const outcome: Outcome = { operation: 'delete-preview', ids: {}, skipped, deleted: false }
  const nothing = 'Nothing was done: pull request 7 is a draft.'
  expect(renderSuccess({ outcome, login }, none)).toContain(nothing)
  expect(renderDone(outcome)).toBe('delete-preview: skipped; pull request 7 is a draft')
  expect(renderSuccess({ outcome: { ...outcome, deleted: true }, login }, none)).not.toContain(nothing)
  expect(renderDone({ ...outcome, deleted: true })).toBe('delete-preview: done')
})

describe('an operation that deleted previews', () => {
  const record = Service.parse({ service_id: 'new1', status: 'READY' })
  const deleted: Outcome = {
    operation: 'reset-preview',
    resource: 'service',
    ids: { project_id: 'p1' },
    deleted: true,
    deletedIds: ['old1', 'old2'],
  }
  const replaced = 'service new1 is READY, and replaces old1, old2'

  it.each([
    ['the new one after a reset', { record, ids: { service_id: 'new1' } }, replaced],
    ['the deleted ones', {}, 'deleted service old1, old2'],
    [
      'them too if the pull request was closed meanwhile',
      { skipped: 'closed' },
      'deleted service old1, old2',
    ],
  ])('names %s', (_, more, text) => {
    const outcome = { ...deleted, ...more }
    expect(renderDone(outcome)).toBe(`reset-preview: done; ${text}`)
    expect(renderSuccess({ outcome, login }, none)).toContain(`\n${text}.\n`)
  })
})
