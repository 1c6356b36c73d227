import { expect, it } from 'vitest'
import { Secrets } from '../../src/action/secrets.ts'
import { renderSuccess } from '../../src/action/summary.ts'
import type { Outcome, PruneDecision } from '../../src/operations/outcome.ts'

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
const none = new Secrets()

it('tells of a prune: how many, and why each', () => {
  const preview = (pull_request: number, verdict: PruneDecision['verdict'], reason: string) => ({
    service_id: `s${pull_request}`,
    name: `preview-pr-${pull_request}-00000000`,
    pull_request,
    verdict,
    reason,
  })
  const decisions = [
    preview(3, 'deleted', 'its pull request is closed'),
    preview(4, 'kept', 'its pull request is open'),
    preview(5, 'kept', 'younger than 30m 00s'),
  ]
  const pruned: Outcome = { operation: 'prune-previews', ids: { project_id: 'p1' }, decisions }
  expect(renderSuccess({ outcome: pruned, login }, none)).toMatchInlineSnapshot(`
    "### prune-previews

    1 deleted, 2 kept.

    | preview | service | pull request | outcome | why |
    |---|---|---|---|---|
    | preview-pr-3-00000000 | s3 | 3 | deleted | its pull request is closed |
    | preview-pr-4-00000000 | s4 | 4 | kept | its pull request is open |
    | preview-pr-5-00000000 | s5 | 5 | kept | younger than 30m 00s |"
  `)
  expect(renderSuccess({ outcome: { ...pruned, decisions: [] }, login }, none)).toMatchInlineSnapshot(`
    "### prune-previews

    There are no previews of this repository."
  `)
})

it('says that something was deleted', () => {
  const gone: Outcome = { operation: 'delete-preview', ids: { service_id: 's1' }, deleted: true }
  expect(renderSuccess({ outcome: gone, login }, none)).toContain('| deleted | true |')
})
