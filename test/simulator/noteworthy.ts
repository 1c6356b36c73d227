/** Counts noteworthy events. */
import { isCleanupDue } from '#operations/cleanup/cleanup'
import { aliveIds } from './left-invariants.ts'
import { areTwoAtRest } from './preview-invariants.ts'
import { creates, isFarBehind, type Played } from './violation.ts'

export function noteworthy(played: Played): string[] {
  const { world, reports } = played
  const alive = aliveIds(world)
  const kept = reports.filter(({ plan, ending }) => {
    const status = ending.kind === 'succeeded' ? 'success' : 'failure'
    const isDue = creates(plan) !== undefined && isCleanupDue(plan.settings.cleanup, status)
    return isDue && world.ledger.createdBy(plan.name).some(id => alive.has(id))
  })
  return [
    ...(isFarBehind(world) && areTwoAtRest(played) ? ['two previews at rest, answers far behind'] : []),
    ...world.ledger.pauses.map(() => 'paused'),
    ...kept.map(() => 'left by the end of a job, and named'),
  ]
}
