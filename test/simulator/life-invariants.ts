/** The promises about rules, limits, resets and pauses of previews. */
import type { Service } from '#api/records'
import type { JobReport } from './job-plan.ts'
import type { PauseRequest } from './ledger.ts'
import { existingPreviews } from './left-invariants.ts'
import { hasMatch } from './path-stories.ts'
import { previewBase, pullRequest, readName } from './preview-names.ts'
import { checkReset } from './reset-invariants.ts'
import { baseOf, createsPreview, isPrune, isReset, shouldHavePreview } from './subject.ts'
import { type Played, publishedId, type Violation, violation } from './violation.ts'

/** Milliseconds between the last query to a database and the request that relies on its answer. */
const justAsked = 1

/** Milliseconds between the request to GitHub and the pause, with a query to the database in between. */
const beforeAsking = 6000

/** Why a preview must not be paused; undefined if it may be. */
function reasonToRun(
  { world, story }: Played,
  { plan }: JobReport,
  request: PauseRequest,
): string | undefined {
  const { id, sent, facts, heardAt, heard, activity, askedAt } = request
  const { pauseAfter, keepLabels, namePrefix } = plan.settings.preview
  const { prefix } = readName(world.ledger.creation(id)?.name ?? '') ?? {}
  const start = world.date() - world.time.now
  const idleFor = start + sent - (facts?.updatedAt ?? Number.POSITIVE_INFINITY)
  const isSpared = facts?.labels.some(label =>
    keepLabels.some(one => one.toLowerCase() === label.toLowerCase()),
  )
  if (!isPrune(plan) || pauseAfter === undefined) return 'it was not asked to'
  if (prefix === undefined || story.foreign.includes(id) || (namePrefix ?? prefix) !== prefix)
    return 'it belongs to another caller'
  if (facts?.state !== 'open' || sent - heardAt > beforeAsking) return 'GitHub was not asked'
  if (heard < 2) return 'GitHub was not asked again'
  if (isSpared) return 'a label spares it'
  // The run knows the server's time only from the Date header, in whole seconds.
  if (idleFor < pauseAfter - 2000) return `a push was ${idleFor} ms before`
  if (activity === undefined || sent - askedAt > justAsked) return 'its session did not start'
  const given = world.ledger.publications.find(
    handOut => handOut.id === id && handOut.at <= askedAt && sent - handOut.at < pauseAfter,
  )
  if (given) return `${given.by} was given its connection ${sent - given.at} ms before`
  if (activity.sessions > 0) return `it had ${activity.sessions} open sessions`
  return activity.upFor < pauseAfter ? `it was started ${activity.upFor} ms before` : undefined
}

function checkPauses(played: Played, report: JobReport): Violation[] {
  const requests = played.world.ledger.pauses.filter(({ by }) => by === report.plan.name)
  return requests.flatMap(request => {
    const reason = /preview/.test(report.plan.operation) && reasonToRun(played, report, request)
    return reason ? [violation('onlyIdle', `${report.plan.name} paused ${request.id}: ${reason}`)] : []
  })
}

/** Prune deletes a queue entry's preview only right after GitHub reported that the entry left. */
function checkQueue({ world }: Played, { plan }: JobReport): Violation[] {
  const requests = world.ledger.requests.filter(({ by, queueEntry }) => by === plan.name && queueEntry)
  const wrong = requests.filter(({ isQueued, queueHeardAt, sent }) => {
    return isPrune(plan) && (isQueued !== false || sent - queueHeardAt > justAsked)
  })
  return wrong.map(({ id }) => violation('queueKept', `${plan.name} deleted ${id}`))
}

function checkOwn({ world }: Played, report: JobReport): Violation[] {
  const { plan } = report
  const id = publishedId(report)
  const base = baseOf(plan)
  if (id === undefined || base === undefined) return []
  const found = readName(world.ledger.creation(id)?.name ?? '')?.base
  return found === base
    ? []
    : [violation('ownPreview', `${plan.name} of ${base} was given ${id} of ${found}`)]
}

/** No run creates a preview for a pull request that should have none, by GitHub's last answer. */
function checkMaking({ world }: Played, { plan }: JobReport): Violation[] {
  const makings = world.ledger.creationRequests.filter(({ by }) => by === plan.name)
  const wrong = makings.filter(({ facts }) => facts && !shouldHavePreview(facts, plan.settings.preview))
  return createsPreview(plan)
    ? wrong.map(() => violation('asRuled', `${plan.name} made one all the same`))
    : []
}

const hadOne = ({ world }: Played, base: string | undefined, before = Number.POSITIVE_INFINITY) =>
  world.ledger.creations.some(({ name, at }) => readName(name)?.base === base && at < before)

/** The first database of a pull request is created only if a changed file matches, or GitHub does not answer. */
function checkPaths(played: Played, { plan }: JobReport): Violation[] {
  if (plan.settings.preview.paths === undefined || !createsPreview(plan) || isReset(plan)) return []
  const wrong = played.world.ledger.creationRequests.filter(
    ({ by, sent, files }) =>
      by === plan.name && files !== 'unanswered' && !hasMatch(files) && !hadOne(played, baseOf(plan), sent),
  )
  return wrong.map(() => violation('onlyMatching', `${plan.name} created one all the same`))
}

function checkLimit({ world, story }: Played, { plan }: JobReport): Violation[] {
  const { maxPreviews } = plan.settings.preview
  if (maxPreviews === undefined || world.climate.lag.kind !== 'none') return []
  const { ledger } = world
  const base = baseOf(plan)
  const before = ledger.creations.filter(({ id, name, by }) => {
    const found = readName(name)?.base
    return found !== undefined && found !== base && by === 'an earlier run' && !story.foreign.includes(id)
  })
  const isOver = ledger.createdBy(plan.name).length > 0 && before.length >= maxPreviews
  return isOver ? [violation('maxPreviews', `${plan.name} made one more than ${maxPreviews}`)] : []
}

/** After its last event, a pull request without a preview has none, if every answer to the runs was true. */
function checkRuled(played: Played): Violation[] {
  const { world, story, reports } = played
  const facts = world.pullRequests.current(pullRequest)
  const { lag, gitHubLag } = world.climate
  const isTold =
    lag.kind === 'none' && gitHubLag === 0 && !reports.some(({ record }) => record.hasMissedGitHub)
  const areDone = reports.every(({ ending, plan }) => ending.kind === 'succeeded' && plan.patience > 180_000)
  if (!story.rules || facts === undefined || !isTold || !areDone || shouldHavePreview(facts, story.rules))
    return []
  const { at } = world.pullRequests.lastChange(pullRequest)
  if (!reports.some(({ startedAt }) => startedAt >= at)) return []
  return existingPreviews(played, previewBase()).map(({ service_id }) =>
    violation('asRuled', `${service_id} is left`),
  )
}

export function checkLife(played: Played): Violation[] {
  const checks = [checkPauses, checkReset, checkQueue, checkOwn, checkMaking, checkPaths, checkLimit]
  return [
    ...played.reports.flatMap(report => checks.flatMap(check => check(played, report))),
    ...checkRuled(played),
  ]
}

/**
 * After one more run without faults there is one READY database, or none if there should be none. A single existing
 * database is kept.
 */
export function checkFollowed(played: Played, before: Service[]): Violation[] {
  const { world, story, reports } = played
  const facts = world.pullRequests.current(pullRequest)
  const [report] = reports
  if (facts === undefined || report === undefined) return []
  const left = existingPreviews(played, previewBase()).map(({ service_id }) => service_id)
  const isWanted = shouldHavePreview(facts, story.rules ?? { labels: undefined, drafts: true })
  if (!isWanted) return left.map(id => violation('asRuled', `${id} is left after the next run`))
  const isMatching = !story.rules?.paths || hasMatch(world.pullRequests.shown(pullRequest)?.files)
  // A database that is being deleted counts as an existing preview.
  if (!isMatching && before.length === 0 && left.length === 0) return []
  const [known] = before.map(({ service_id }) => service_id)
  const given = publishedId(report)
  const isKept = before.length !== 1 || given === known
  if (left.length === 1 && given === left[0] && isKept) return []
  return [violation('oneNext', `${given} of ${left.join()}, before ${known}`)]
}
