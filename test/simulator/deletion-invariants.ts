import type { Service } from '../../src/api/records.ts'
import { longestLag } from './climate.ts'
import { endOf, hasNameOfItsOwn, type JobPlan, type JobReport } from './job.ts'
import type { DeletionRequest, Done } from './ledger.ts'
import { pullRequest, pullRequestOf } from './preview-names.ts'
import { givenTo, isFarBehind, type Played, type Violation, violation } from './violation.ts'

const onlyOurs = 'nothing is deleted that is not ours'
const othersStay = 'what is of others is left as it is'
const givenStays = 'what a run was given stays while its pull request is open'

const isOfPreviews = ({ operation }: JobPlan) => /preview/.test(operation)

/** Why a run may delete what it deleted; a text where it may not. */
function reasonAgainst(
  { story, world }: Played,
  { plan, end }: JobReport,
  { id, by }: Done,
): string | undefined {
  const endsAt = end?.startedAt ?? 0
  if (plan.operation === 'delete-service')
    return plan.given.service_id === id ? undefined : 'it was not asked to'
  const { ledger, climate } = world
  const creation = ledger.creation(id)
  const promotedAt = ledger.promotions.get(id) ?? Number.POSITIVE_INFINITY
  if (by === endOf(plan) && promotedAt < endsAt - longestLag(climate)) return 'somebody has tagged it PROD'
  if (creation === undefined || story.foreign.includes(id)) return "it is somebody else's"
  if (creation.by === plan.name) return undefined
  const number = pullRequestOf(creation.name)
  const isMeant = plan.operation === 'prune-previews' ? number !== undefined : number === pullRequest
  if (isOfPreviews(plan) && by === plan.name && isMeant) return undefined
  return `it is of ${creation.by}`
}

/** The end of a job deletes nothing that another run was given, unless that run only took it for its own. */
function checkShared({ reports, world }: Played, plan: JobPlan, { id, by }: Done): Violation[] {
  if (by !== endOf(plan)) return []
  const isOwn = world.ledger.creation(id)?.by === plan.name
  return reports
    .filter(other => other.plan !== plan && givenTo(other) === id)
    .filter(({ ending }) => !(isOwn && ending.kind === 'succeeded' && ending.outcome.adopted))
    .map(other =>
      violation(
        'nothing that another run was given is deleted by the end of a job',
        `${by} deleted ${id} of ${other.plan.name}`,
      ),
    )
}

/** Milliseconds between GitHub's word and the request that goes by it: nothing is waited for in between. */
const justNow = 1

/** What is deleted because a pull request is closed: GitHub was asked right before, and did not say that it is open. */
function checkAsked(
  plan: JobPlan,
  { id, pullRequest: number, sent, told, heardAt }: DeletionRequest,
): Violation[] {
  const { operation } = plan
  if (!isOfPreviews(plan) || number === undefined) return []
  // A run that makes one deletes twins as well, whatever GitHub says: only a closing makes it delete its own.
  if (operation === 'create-preview' && told !== 'closed') return []
  const isTold = told === 'closed' || (operation === 'delete-preview' && told === undefined)
  if (isTold && sent - heardAt <= justNow) return []
  const invariant =
    operation === 'prune-previews'
      ? 'prune deletes only what is closed'
      : 'a pull request that is open again keeps its preview'
  return [violation(invariant, `${plan.name} deleted ${id}, told ${told} ${sent - heardAt} ms before`)]
}

function checkPrune({ world }: Played, { plan, changes }: JobReport): Violation[] {
  if (plan.operation !== 'prune-previews') return []
  const { dryRun } = plan.settings
  const { maxDeletions } = plan.settings.preview
  const asked = world.ledger.requests.filter(({ by }) => by === plan.name)
  const found: Violation[] = []
  if (dryRun && changes > 0)
    found.push(violation('a dry run changes nothing', `${plan.name} sent ${changes} changes`))
  if (asked.length > maxDeletions)
    found.push(violation('prune deletes max_deletions at most', `${plan.name} deleted ${asked.length}`))
  return found
}

/** All that a run and the end of its job delete. */
export function checkDeletions(played: Played, report: JobReport): Violation[] {
  const { plan } = report
  const { ledger } = played.world
  const done = ledger.deletions.filter(({ by }) => by === plan.name || by === endOf(plan))
  const requests = ledger.requests.filter(({ by }) => by === plan.name)
  return [
    ...done.flatMap(deletion => {
      const reason = reasonAgainst(played, report, deletion)
      return reason ? [violation(onlyOurs, `${deletion.by} deleted ${deletion.id}: ${reason}`)] : []
    }),
    ...done.flatMap(deletion => checkShared(played, plan, deletion)),
    ...requests.flatMap(request => checkAsked(plan, request)),
    ...checkPrune(played, report),
  ]
}

/** Whether the run's own record was there to be seen as well when it took another one. */
function wasOwnSeen({ world: { ledger, climate } }: Played, { plan, notes }: JobReport): boolean {
  const { announcedAt = 0 } = notes
  // An answer takes up to a second.
  const seenSince = announcedAt - longestLag(climate) - 1000
  // One that is tagged PROD meanwhile looks like somebody else's.
  const own = ledger.createdBy(plan.name).filter(id => !ledger.promotions.has(id))
  return own.some(id => (ledger.creation(id)?.at ?? announcedAt) < seenSince)
}

/**
 * Whether somebody else's record may be taken for what a lost answer made: it came meanwhile, is alike, is told of, and
 * the run's own was not to be seen.
 */
function mayBeTaken(played: Played, report: JobReport, id: string): boolean {
  const { world } = played
  const { plan, ending, startedAt, log } = report
  const { at = 0 } = world.ledger.creation(id) ?? {}
  const { metadata, forked_from } = (world.ledger.births.get(id)?.record ?? {}) as Partial<Service>
  // A fork that does not tell its parent yet looks like a service of its own.
  const tellsLate = world.climate.lag.kind === 'records' && world.climate.lag.upTo.forked_from !== undefined
  const isAdopted = ending.kind === 'succeeded' && ending.outcome.adopted === true
  // Only a service says how it is tagged, and a fork what it was forked from.
  const isAlike =
    !/-service$/.test(plan.operation) ||
    ((metadata?.environment === 'PROD') === (plan.given.environment_tag === 'PROD') &&
      (tellsLate || forked_from?.service_id === plan.given.service_id))
  const isNew = at >= startedAt - longestLag(world.climate)
  return (
    !hasNameOfItsOwn(plan) &&
    !wasOwnSeen(played, report) &&
    isAdopted &&
    isAlike &&
    isNew &&
    log.some(line => line.includes(id))
  )
}

/** What others made is neither changed by a preview's run nor given to it; to any other only in doubt. */
export function checkUntouched(played: Played, report: JobReport): Violation[] {
  const { world, story } = played
  const { plan } = report
  const others = (id: string) => isOfPreviews(plan) && story.foreign.includes(id)
  const changed = world.ledger.changes
    .filter(({ id, by }) => by === plan.name && others(id))
    .map(({ id, operation }) => violation(othersStay, `${plan.name} did ${operation} to ${id}`))
  const id = givenTo(report)
  if (id === undefined || world.ledger.creation(id)?.by === plan.name) return changed
  const isFine = isOfPreviews(plan) ? !others(id) : mayBeTaken(played, report, id)
  return isFine ? changed : [...changed, violation(othersStay, `${plan.name} was given ${id}`)]
}

/** What a run of a pull request was given: it was there, and no other run takes it away while it is in use. */
export function checkGiven(played: Played, report: JobReport): Violation[] {
  const { world, story, reports } = played
  const { plan, startedAt, endedAt } = report
  const id = givenTo(report)
  if (plan.operation !== 'create-preview' || id === undefined) return []
  const { ledger, climate } = world
  const earlier = ledger.deletions.filter(
    deletion => deletion.id === id && (deletion.by === plan.name || deletion.at < startedAt),
  )
  // Without dates nothing tells which of two is the older. And where one was deleted for a closed pull request, another
  // run may for a while take it for the older of two, and delete the younger: it cannot know better.
  const isOrdered = climate.dating.kind !== 'missing' && !isFarBehind(world)
  const since = story.closedAt === undefined ? 0 : endedAt
  const others = reports.filter(other => other.plan.operation === 'create-preview' && other !== report)
  const names = isOrdered ? others.map(other => other.plan.name) : []
  const taken = ledger.requests.filter(
    ({ id: asked, by, sent, told, shown }) =>
      asked === id && names.includes(by) && sent >= since && shown === 'open' && told !== 'closed',
  )
  return [
    ...earlier.map(({ by }) =>
      violation('a run is not given what is deleted', `${plan.name} was given ${id}, deleted by ${by}`),
    ),
    ...taken.map(({ by }) => violation(givenStays, `${by} deleted ${id}, which ${plan.name} was given`)),
  ]
}
