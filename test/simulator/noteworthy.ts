/** Finds the rare events of a story, such as pauses, for the counts in the report. */
import { isCleanupDue } from '#operations/cleanup/cleanup'
import { existingIds } from './left-invariants.ts'
import { hasDuplicate } from './preview-invariants.ts'
import { createdResource, isFarBehind, type Played } from './violation.ts'

export function findNoteworthy(played: Played): string[] {
  const { world, reports } = played
  const alive = existingIds(world)
  const kept = reports.filter(({ plan, ending }) => {
    const status = ending.kind === 'succeeded' ? 'success' : 'failure'
    const isDue = createdResource(plan) !== undefined && isCleanupDue(plan.settings.cleanup, status)
    return isDue && world.ledger.createdBy(plan.name).some(id => alive.has(id))
  })
  return [
    ...(isFarBehind(world) && hasDuplicate(played) ? ['two previews at rest, answers far behind'] : []),
    ...world.ledger.pauses.map(() => 'paused'),
    ...kept.map(() => 'left by the end of a job, and named'),
  ]
}
