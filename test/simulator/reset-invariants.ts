/** The promises about resets. */
import type { Service } from '#api/records'
import { longestLag } from './climate.ts'
import type { JobReport } from './job-plan.ts'
import { isReset } from './subject.ts'
import { isFarBehind, type Played, publishedId, type Violation, violation } from './violation.ts'

/** A reset deletes the old databases before it requests a new one, and publishes a new one. */
function checkReplaced({ world }: Played, report: JobReport): Violation[] {
  const { plan, startedAt } = report
  const { ledger, climate } = world
  const beside = ledger.creations
    .filter(({ by }) => by === plan.name)
    .flatMap(({ id, sent }) => {
      const replaced = ledger.requests.filter(request => request.by === plan.name && request.sent < sent)
      return replaced
        .filter(request => ledger.duplicatesOf.get(id)?.includes(request.id))
        .map(request => request.id)
    })
  const given = publishedId(report)
  const createdAt = ledger.creation(given ?? '')?.at ?? Number.POSITIVE_INFINITY
  const isOld = given !== undefined && createdAt < startedAt - longestLag(climate)
  // A replica that lags more than documented makes an old record look gone.
  const stayed = isFarBehind(world) ? [] : beside
  return [
    ...stayed.map(id => violation('newAfterReset', `${id} was still there when ${plan.name} made another`)),
    ...(isOld ? [violation('newAfterReset', `${plan.name} gave ${given}, which was there before`)] : []),
  ]
}

/** The existing, visible databases that a run deleted. */
function deletedOf({ world: { ledger, climate } }: Played, { plan, startedAt }: JobReport) {
  const seenSince = startedAt - longestLag(climate)
  const isOld = (id: string) => (ledger.creation(id)?.at ?? startedAt) < seenSince
  const done = new Set(ledger.deletions.filter(({ by }) => by === plan.name).map(({ id }) => id))
  return ledger.requests.filter(({ id, by }) => by === plan.name && done.has(id) && isOld(id))
}

/** A fork counts from its appearance in every list until its own deletion begins; an answer takes up to a second. */
function checkOrigins(played: Played, report: JobReport): Violation[] {
  const { ledger, climate } = played.world
  const originOf = (id: string) =>
    (ledger.births.get(id)?.record as Partial<Service> | undefined)?.forked_from?.service_id
  return deletedOf(played, report).flatMap(({ id, sent }) => {
    const isGoing = (fork: string) => ledger.deletions.some(done => done.id === fork && done.at < sent)
    return ledger.creations
      .filter(fork => originOf(fork.id) === id && fork.at < sent - longestLag(climate) - 1000)
      .filter(fork => !isGoing(fork.id))
      .map(fork =>
        violation('originsStay', `${report.plan.name} deleted ${id}, of which ${fork.id} is a fork`),
      )
  })
}

/** Without a new database, the log reports the fate of the old one. */
function checkReported(played: Played, report: JobReport): Violation[] {
  if (report.ending.kind !== 'failed') return []
  const isSaid = (id: string) => report.log.some(({ line }) => line.includes(id) && line.includes('its data'))
  return deletedOf(played, report)
    .filter(({ id, told }) => told !== 'closed' && !isSaid(id))
    .map(({ id }) => violation('namesLostData', `${report.plan.name} deleted ${id}, and does not say so`))
}

/** Milliseconds for which a run waits for the database of the reset that deleted its own. */
const patience = 60_000

/** A run does not fail for the deletion of its database before that reset had time to create another. */
function checkSuccession(
  { world, reports }: Played,
  { plan, ending, startedAt, endedAt }: JobReport,
): Violation[] {
  const isLost =
    ending.kind === 'failed' && /was deleted while it was being created/.test(String(ending.error))
  if (!isLost || endedAt > startedAt + plan.patience - 1000) return []
  const made = world.ledger.createdBy(plan.name)
  const successful = reports.filter(other => isReset(other.plan) && publishedId(other) !== undefined)
  return world.ledger.deletions
    .filter(({ id, by }) => made.includes(id) && successful.some(other => other.plan.name === by))
    .filter(({ at }) => endedAt < at + patience)
    .map(({ id, by }) => violation('takesOver', `${plan.name} gave up ${id}, which ${by} deleted`))
}

/** Checks resets and the runs concurrent with them. */
export function checkReset(played: Played, report: JobReport): Violation[] {
  const checks = isReset(report.plan) ? [checkReplaced, checkOrigins, checkReported] : []
  return [...checks, checkSuccession].flatMap(check => check(played, report))
}
