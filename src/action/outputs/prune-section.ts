import type { PruneDecision } from '../../operations/base/outcome.ts'
import { type Cell, longestCell, moreThan, mostRows } from './cell.ts'

/** What prune decided about each preview. */
export function renderDecisions(decisions: PruneDecision[], cell: Cell): string {
  const rows = decisions
    .slice(0, mostRows)
    .map(({ name, service_id, pull_request, verdict, reason }) =>
      [name, service_id, String(pull_request ?? 'merge queue'), verdict, reason]
        .map(text => cell(text, longestCell))
        .join(' | '),
    )
  if (rows.length === 0) return 'There are no previews of this repository.'
  return [
    '| preview | service | pull request | outcome | why |',
    '|---|---|---|---|---|',
    ...rows.map(row => `| ${row} |`),
    ...moreThan(decisions.length, 'previews').flatMap(line => ['', line]),
  ].join('\n')
}

/** `2 deleted, 5 kept`; verdicts that did not occur are left out. */
export function renderTally(decisions: PruneDecision[]): string {
  const words = {
    deleted: 'deleted',
    'would delete': 'would be deleted',
    paused: 'paused',
    'would pause': 'would be paused',
    kept: 'kept',
    skipped: 'skipped',
    failed: 'failed',
  } satisfies Record<PruneDecision['verdict'], string>
  const counts = Object.entries(words).map(
    ([verdict, word]) => [decisions.filter(one => one.verdict === verdict).length, word] as const,
  )
  return counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}
