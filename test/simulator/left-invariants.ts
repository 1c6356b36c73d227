/** The promises about the records that a job leaves at the server. */
import type { ReadReplicaSet, Service } from '#api/records'
import { isCleanupDue } from '#operations/cleanup/cleanup'
import { cleanupPatience, hasUniqueName, type JobReport, type ProcessReport } from './job-plan.ts'
import { isMaskedName, readName } from './preview-names.ts'
import { isMasking } from './subject.ts'
import { isFarBehind, type Played, publishedId, rowOf, type Violation, violation } from './violation.ts'
import { projectId, type World } from './world.ts'

const linesOf = ({ log }: ProcessReport) => log.map(({ line }) => line)

export function existingIds(world: World): Set<string> {
  const services = world.services()
  const sets = services.flatMap(
    ({ service_id }) =>
      world.read('list-replicas', { project_id: projectId, service_id }) as ReadReplicaSet[],
  )
  const vpcs = world.read('list-vpcs', { project_id: projectId }) as { id: string }[]
  const peerings = vpcs.flatMap(
    ({ id }) => world.read('list-peerings', { project_id: projectId, vpc_id: id }) as { id: string }[],
  )
  const ids = [
    ...services.map(({ service_id }) => service_id),
    ...[...sets, ...vpcs, ...peerings].map(({ id }) => id),
  ]
  return new Set(ids.filter(id => !world.isEnding(id)))
}

export function existingPreviews({ world, story }: Played, base?: string): Service[] {
  return world.services().filter(service => {
    const found = readName(service.name ?? '')?.base
    const isMeant = base === undefined ? found !== undefined : found === base
    return isMeant && !world.isEnding(service.service_id) && !story.foreign.includes(service.service_id)
  })
}

function isNamed({ world }: Played, id: string, log: string[]): boolean {
  const name = world.ledger.creation(id)?.name ?? id
  return log.some(line => line.includes(id) || line.includes(name))
}

/** Whether the post step could complete its work: without interruption, and with time left after the last fault. */
function couldFinish({ cancelledAt, isKilled, startedAt, endedAt, lastFault }: ProcessReport): boolean {
  if (cancelledAt !== undefined || isKilled) return false
  const deadline = startedAt + cleanupPatience
  return endedAt < deadline - 30_000 || lastFault < deadline - 60_000
}

/**
 * Whether an unanswered record may stay. With an exact name it may be another job's, and if lists lag, its only read
 * may come too early.
 */
function mayStayUnanswered({ world }: Played, report: JobReport, id: string): boolean {
  const { plan, learned } = report
  // A proxy repeated a request of a killed run: whichever record the post step finds first, the other is the unanswered one.
  const isRepeated = world.ledger.creations.some(({ by, isUntold }) => by === plan.name && isUntold)
  if (!isRepeated || learned.includes(id) || id === publishedId(report)) return false
  return !hasUniqueName(plan) || world.climate.lag.kind !== 'none'
}

/** Without a deleting post step, a successful run names all records that its one request created. */
function checkRepeats({ world }: Played, report: JobReport, untold: string[]): Violation[] {
  const { plan } = report
  const log = linesOf(report)
  const isUnread = log.some(line =>
    /was not checked for a duplicate|may have been created twice, and the list is unreadable/.test(line),
  )
  return untold
    .filter(
      id => !isUnread && !log.some(line => line.includes(id)) && world.ledger.creation(id) !== undefined,
    )
    .map(id => violation('namesRepeats', `${id} of ${plan.name}`))
}

/** The post step deletes all records that certainly belong to the job, and reports the others. */
function checkEnd(played: Played, report: JobReport, left: string[]): Violation[] {
  const { plan, end, learned, hasLostState } = report
  const isPromoted = (id: string) => played.world.ledger.promotions.has(id)
  const isCertain = (id: string) => hasUniqueName(plan) || (learned.includes(id) && !hasLostState)
  const owned = left.filter(id => isCertain(id) && !isPromoted(id))
  const error = (end?.error as Error | undefined)?.message ?? 'it said that all was fine'
  if (owned.length > 0 && (end === undefined || couldFinish(end)))
    return [violation('nothingLeft', `${owned.join()} of ${plan.name}: ${error}`)]
  if (end?.isKilled) return []
  // A record with an exact name and a new tag looks like one of another owner, unless an answer contained its id.
  const silent = left
    .filter(id => isCertain(id) || !isPromoted(id))
    .filter(id => end?.error === undefined || !isNamed(played, id, linesOf(end)))
  return silent.map(id => violation('reportsRest', `${id} of ${plan.name}: ${error}`))
}

/** A successful run returns its new record, and leaves no other. */
function checkSuccess(played: Played, report: JobReport, all: string[]): Violation[] {
  const { plan } = report
  const given = publishedId(report)
  const { promotions } = played.world.ledger
  const untold = all.filter(id => played.world.ledger.creation(id)?.isUntold && id !== given)
  const left = all.filter(id => !untold.includes(id))
  const repeats = checkRepeats(played, report, untold)
  // A tagged record is kept, even a duplicate of the returned one.
  if (left.some(id => promotions.has(id))) return repeats
  const extra = left.filter(id => id !== given)
  // If other services have the same name, the run may mistake one for its own; the log warns of it.
  const isContested = !hasUniqueName(plan) && /two|again|takes/.test(played.story.added.join())
  // With too little time to outlast a lost request, an exact name, no list, or no permission to delete, the log warns
  // of a second record.
  const isImpatient = plan.patience < 3 * 60_000 || !plan.settings.wait
  const isUnread = linesOf(report).some(line =>
    /may have been created twice|is a duplicate that could not be deleted/.test(line),
  )
  const isWarned = report.posts === 2 && (isImpatient || isUnread || !hasUniqueName(plan))
  // With an exact name and list lag, a run adopts another job's record for a lost answer, with a warning.
  const isMistaken =
    isFarBehind(played.world) &&
    linesOf(report).some(line => line.includes('another job may have created it'))
  if (!isContested && !isWarned && !isMistaken && (extra.length > 0 || left.length !== 1))
    return [...repeats, violation('leavesOne', `${plan.name} was given ${given}, and made ${left.join()}`)]
  return repeats
}

/** No run waits for the end of a service that it saw gone, even if the server still shows it. */
export function checkGone(_: Played, { plan, error, end }: JobReport): Violation[] {
  return [error, end?.error].flatMap(failure => {
    const [, id] =
      /without success for service (\w+) to be gone [^(]*\(seen: [^;)]*DELETED/.exec(
        (failure as Error | undefined)?.message ?? '',
      ) ?? []
    return id ? [violation('waitsForNoDeleted', `${id} by ${plan.name}`)] : []
  })
}

const nameOf = (world: World, id: string) =>
  world.services().find(({ service_id }) => service_id === id)?.name

/** The promises about the records that a finished job leaves. */
export function checkLeft(played: Played, report: JobReport): Violation[] {
  const { plan, ending } = report
  const { world } = played
  const alive = existingIds(world)
  const left = world.ledger
    .createdBy(plan.name)
    .filter(id => alive.has(id) && !mayStayUnanswered(played, report, id))
  const log = [...linesOf(report), ...(report.end ? linesOf(report.end) : [])]
  const silent = left
    .filter(id => !isNamed(played, id, log))
    .map(id => violation('namesRemaining', `${id} of ${plan.name}`))
  const succeeded = ending.kind === 'succeeded'
  // Later nights decide about a finished copy.
  if (isMasking(plan)) {
    const half = left.filter(id => isMaskedName(nameOf(world, id), 'masking'))
    // After its renaming, later nights delete the other copies.
    const isDue =
      !succeeded && !world.ledger.renamers.has(plan.name) && isCleanupDue(plan.settings.cleanup, 'failure')
    return isDue ? [...silent, ...checkEnd(played, report, half)] : silent
  }
  if (rowOf(plan.operation)?.creates === undefined || plan.settings.dryRun) return silent
  const isDue = isCleanupDue(plan.settings.cleanup, succeeded ? 'success' : 'failure')
  if (isDue) return [...silent, ...checkEnd(played, report, left)]
  return succeeded ? [...silent, ...checkSuccess(played, report, left)] : silent
}
