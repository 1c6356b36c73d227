/** The promises about masked parents. */
import { type JobReport, postStepOf } from './job-plan.ts'
import type { Done } from './ledger.ts'
import { isMaskedName, readName } from './preview-names.ts'
import { createsPreview, isMasking } from './subject.ts'
import { isFarBehind, type Played, type Violation, violation } from './violation.ts'

const isNight = ({ plan }: JobReport) => isMasking(plan)

const actorsOf = ({ plan }: JobReport) => [plan.name, postStepOf(plan)]

const finishedAt = ({ world: { ledger } }: Played, id: string) =>
  ledger.renames.find(rename => rename.id === id && isMaskedName(rename.name, 'masked'))?.at ??
  Number.POSITIVE_INFINITY

function finishedBefore(played: Played, at: number): string[] {
  const { renames, deletions } = played.world.ledger
  const ids = new Set(renames.map(({ id }) => id).filter(id => finishedAt(played, id) < at))
  return [...ids].filter(id => !deletions.some(done => done.id === id && done.at < at))
}

function checkNames({ world: { ledger } }: Played): Violation[] {
  const early = ledger.creations.filter(({ by, name }) => /^night/.test(by) && isMaskedName(name, 'masked'))
  const renamed = ledger.renames.filter(({ name, isMasked }) => isMaskedName(name, 'masked') && !isMasked)
  return [...early, ...renamed].map(({ id }) => violation('calledMasked', id))
}

function checkForks(played: Played, { plan }: JobReport): Violation[] {
  if (!createsPreview(plan) || !plan.settings.preview.masked) return []
  const { ledger } = played.world
  return ledger.creations
    .filter(({ by, id, at }) => by === plan.name && finishedAt(played, ledger.parentOf(id) ?? '') > at)
    .map(({ id }) => violation('onlyFinished', `${plan.name} forked ${ledger.parentOf(id)} as ${id}`))
}

/** An unfinished copy may be in use, so it is not paused. */
function checkPaused(played: Played): Violation[] {
  const { ledger } = played.world
  const paused = ledger.changes.filter(({ operation }) => operation === 'stop-service')
  return paused
    .filter(
      ({ id, at }) => readName(ledger.creation(id)?.name ?? '') === undefined && finishedAt(played, id) > at,
    )
    .map(({ id, by }) => violation('onlyFinishedPaused', `${by} paused ${id}`))
}

const isAtWork = ({ startedAt, endedAt, end, isKilled }: JobReport, at: number) =>
  !isKilled && startedAt <= at && at <= (end?.endedAt ?? endedAt)

function checkTouched(played: Played, report: JobReport): Violation[] {
  const { ledger } = played.world
  const nights = played.reports.filter(isNight)
  const actors = actorsOf(report)
  const makerOf = (id: string) =>
    nights.find(night => actorsOf(night).includes(ledger.creation(id)?.by ?? ''))
  const touch = (what: string, { id, at }: Done): Violation[] => {
    const maker = makerOf(id)
    if (maker === report) return []
    if (maker === undefined || what !== 'deleted')
      return [violation('onlyCopies', `${report.plan.name} ${what} ${id}`)]
    return finishedAt(played, id) > at && isAtWork(maker, at)
      ? [violation('othersWork', `${report.plan.name} deleted ${id} of ${maker.plan.name}`)]
      : []
  }
  return [
    ...ledger.deletions.filter(({ by }) => actors.includes(by)).flatMap(done => touch('deleted', done)),
    ...ledger.changes.filter(({ by }) => actors.includes(by)).flatMap(done => touch('changed', done)),
  ]
}

/** The post step deletes no finished copy, and a night only a copy older than two others. */
function checkNewest(played: Played, { by, id, at }: Done): Violation[] {
  if (finishedAt(played, id) > at) return []
  const others = finishedBefore(played, at).filter(other => other !== id)
  const atOnce = played.reports.filter(report => isNight(report) && isAtWork(report, at))
  const enough = atOnce.length > 1 || isFarBehind(played.world) ? 1 : 2
  const isEnd = by.endsWith('(post)')
  return isEnd || others.length < enough
    ? [violation('newestStay', `${by} deleted ${id} beside ${others.join() || 'no other'}`)]
    : []
}

export function checkMasked(played: Played): Violation[] {
  const { world, story, reports } = played
  const { ledger, maskedTwice, climate } = world
  const nights = reports.filter(isNight)
  const makers = new Set(nights.flatMap(actorsOf))
  const left = world
    .services()
    .filter(
      ({ service_id }) => !world.isEnding(service_id) && makers.has(ledger.creation(service_id)?.by ?? ''),
    )
  const named = (stage: 'masking' | 'masked') => left.filter(({ name }) => isMaskedName(name, stage))
  const half = named('masking')
  const finished = named('masked')
  const last = reports.at(-1)
  // Without dates, the age of a record is unknown.
  const isDated = climate.dating.kind !== 'missing'
  return [
    ...checkNames(played),
    ...checkPaused(played),
    ...reports.flatMap(report => checkForks(played, report)),
    ...nights.flatMap(report => checkTouched(played, report)),
    ...ledger.deletions.filter(({ by }) => makers.has(by)).flatMap(done => checkNewest(played, done)),
    ...maskedTwice.map(id => violation('maskedOnce', id)),
    ...story.foreign
      .filter(id => world.held(id).isBeingMasked)
      .map(id => violation('onlyCopies', `masked ${id}`)),
    ...(isDated ? half.map(({ service_id }) => violation('nothingHalf', service_id)) : []),
    ...(finished.length > 2 ? [violation('twoAtMost', String(finished.length))] : []),
    ...(last?.ending.kind === 'succeeded' ? [] : [violation('clearNight', String(last?.error))]),
  ]
}
