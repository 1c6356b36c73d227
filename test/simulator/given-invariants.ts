/** The promises about published previews. */
import { isDeletionReadLate } from './climate.ts'
import type { JobReport } from './job-plan.ts'
import { createsPreview, isReset, shouldHavePreview } from './subject.ts'
import { isFarBehind, type Played, publishedId, type Violation, violation } from './violation.ts'

const givenStays = 'a published preview stays while its pull request is open'

/** A published preview existed, and no other run deletes it while it is in use. */
export function checkGiven(played: Played, report: JobReport): Violation[] {
  const { world, story, reports } = played
  const { plan, startedAt, endedAt } = report
  const id = publishedId(report)
  if (!createsPreview(plan) || id === undefined) return []
  const { ledger, climate } = world
  const earlier = ledger.deletions.filter(
    deletion => deletion.id === id && (deletion.by === plan.name || deletion.at < startedAt),
  )
  const isChanged = story.changes === true || story.closedAt !== undefined
  // Without dates, no run can decide which of two databases is older. After a deletion for a closed pull request, a
  // lagging read by id still shows the older database: another run then deletes the younger.
  const isOrdered =
    climate.dating.kind !== 'missing' && !isFarBehind(world) && !(isChanged && isDeletionReadLate(climate))
  const since = isChanged ? endedAt : 0
  const others = reports.filter(
    ({ plan: other }) => other !== plan && createsPreview(other) && !isReset(other),
  )
  const names = isOrdered ? others.map(other => other.plan.name) : []
  // If GitHub does not answer, the closed pull request in the event counts.
  const closing = new Set(
    others.flatMap(({ plan: { name, event } }) => (event.action === 'closed' ? [name] : [])),
  )
  const taken = ledger.requests.filter(
    ({ id: asked, by, sent, facts, shown }) =>
      asked === id &&
      names.includes(by) &&
      sent >= since &&
      shown === 'open' &&
      (facts === undefined ? !closing.has(by) : shouldHavePreview(facts, plan.settings.preview)),
  )
  return [
    ...earlier.map(({ by }) =>
      violation('no run publishes a deleted preview', `${plan.name} was given ${id}, deleted by ${by}`),
    ),
    ...taken.map(({ by }) => violation(givenStays, `${by} deleted ${id}, which ${plan.name} was given`)),
  ]
}
