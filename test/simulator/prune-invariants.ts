/** The promises about prune. */
import { concurrency } from '#preview/on-github/subject-states'
import { decisionsOf } from '../preview/support/decisions.ts'
import type { JobReport } from './job-plan.ts'
import { isPrune } from './subject.ts'
import { type Played, type Violation, violation } from './violation.ts'

function checkMost({ world }: Played, { plan }: JobReport): Violation[] {
  if (!isPrune(plan)) return []
  const { maxDeletions } = plan.settings.preview
  const asked = world.ledger.requests.filter(({ by }) => by === plan.name)
  if (asked.length <= maxDeletions) return []
  return [violation('maxDeletions', `${plan.name} deleted ${asked.length}`)]
}

/** A lasting refusal fails the step, since the warnings of a scheduled run stay unread. */
function checkRefused({ plan, ending, record }: JobReport): Violation[] {
  const isSilent = ending.kind === 'succeeded' && ending.outcome.problem === undefined
  if (!isPrune(plan) || record.refused !== 'lasts' || !isSilent) return []
  return [violation('failsAfterRefusal', `${plan.name} succeeded`)]
}

/**
 * If GitHub's limit ends a prune, the previews known to be closed by then are deleted. Otherwise the next prune would
 * meet the limit at the same place. A deletion needs an answer for each preview that prune decides about at the same
 * time, and one right before it. After a wait for GitHub's limit, prune asks about each of them once more. Each preview
 * kept for another reason may have used one before.
 */
function checkLimited({ world, story }: Played, { plan, ending, record }: JobReport): Violation[] {
  const isCounted = story.name === 'many closed pull requests' && plan.weather.isCalm && plan.name === 'prune'
  if (record.refused !== 'limit' || !isCounted || ending.kind !== 'succeeded') return []
  const kept = decisionsOf(ending.outcome).filter(({ reason }) => !reason.includes('limit'))
  const needed = (record.hasWaitedForGitHub ? 2 : 1) * concurrency + 1
  if (record.answers < needed + kept.length) return []
  if (world.ledger.deletions.some(({ by }) => by === plan.name)) return []
  return [violation('prunesBeforeLimit', `${plan.name} deleted nothing`)]
}

/** Checks how much a prune deletes, and how it ends if GitHub refuses. */
export const checkPrune = (played: Played, report: JobReport): Violation[] => [
  ...checkMost(played, report),
  ...checkRefused(report),
  ...checkLimited(played, report),
]
