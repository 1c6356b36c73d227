/** The promises about deletions. */
import type { Service } from '#api/records'
import { longestLag } from './climate.ts'
import { hasUniqueName, type JobPlan, type JobReport, postStepOf } from './job-plan.ts'
import type { DeletionRequest, Done } from './ledger.ts'
import { isMaskedName, readName } from './preview-names.ts'
import { checkPrune } from './prune-invariants.ts'
import { baseOf, isMasking, isPrune, isReset, shouldHavePreview } from './subject.ts'
import {
  createdResource,
  isUnmasked,
  type Played,
  publishedId,
  rowOf,
  type Violation,
  violation,
} from './violation.ts'

const isOfPreviews = ({ operation }: JobPlan) => /preview/.test(operation)

/** Why a run must not make this deletion; undefined if it may. */
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
  if (by === postStepOf(plan) && promotedAt < endsAt - longestLag(climate))
    return 'another caller has tagged it'
  if (creation === undefined || story.foreign.includes(id)) return 'it belongs to another caller'
  if (creation.by === plan.name) return undefined
  // A separate promise covers the copies that it may delete.
  if (isMasking(plan) && by === plan.name && isMaskedName(creation.name, 'masking')) return undefined
  const { prefix, base } = readName(creation.name) ?? {}
  const { namePrefix } = plan.settings.preview
  const isOfPrefix = prefix !== undefined && (namePrefix ?? prefix) === prefix
  const isMeant = isPrune(plan) ? isOfPrefix : base !== undefined && base === baseOf(plan)
  if (isOfPreviews(plan) && by === plan.name && isMeant) return undefined
  return `it is of ${creation.by}`
}

/** The post step deletes no service that another run published, unless that run mistook it for its own. */
function checkShared({ reports, world }: Played, plan: JobPlan, { id, by }: Done): Violation[] {
  if (by !== postStepOf(plan)) return []
  const isOwn = world.ledger.creation(id)?.by === plan.name
  return reports
    .filter(other => other.plan !== plan && publishedId(other) === id)
    .filter(({ ending }) => !(isOwn && ending.kind === 'succeeded' && ending.outcome.adopted))
    .map(other => violation('sharedStays', `${by} deleted ${id} of ${other.plan.name}`))
}

/** Milliseconds between GitHub's answer and the request that relies on it. */
const justNow = 1

/** Whether prune may delete the preview of an open pull request: it is too old, and no label keeps it. */
function mayExpire({ facts, heardAt, sent }: DeletionRequest, { settings }: JobPlan): boolean {
  const { maxAge, keepLabels } = settings.preview
  if (facts?.state !== 'open' || maxAge === undefined || sent - heardAt > justNow) return false
  return !facts.labels.some(label => keepLabels.some(one => one.toLowerCase() === label.toLowerCase()))
}

/** Whether a run had a reason to delete a pull request's preview, by GitHub's last answer. */
function hasReason(request: DeletionRequest, plan: JobPlan): boolean {
  const { facts, told, known, sent, heardAt, isDuplicate } = request
  const isJustHeard = sent - heardAt <= justNow
  const isClosed = (told === 'closed' || told === 'missing') && isJustHeard
  // If GitHub never contradicted the event, the closed pull request in the event counts.
  const isClosing = plan.event.action === 'closed' && told === undefined && known !== 'open'
  if (isPrune(plan)) return isClosed || mayExpire(request, plan)
  if (plan.operation === 'delete-preview') return isClosed || isClosing
  // A creating run deletes duplicates on any answer of GitHub. It deletes its own database only because of GitHub's
  // answer.
  const isToHaveNone = facts !== undefined && !shouldHavePreview(facts, plan.settings.preview)
  return isToHaveNone ? isJustHeard : isDuplicate || isClosing
}

/** Whether another run had deleted it already, so no data was lost. */
const isGoneBefore = ({ world }: Played, { id, sent }: DeletionRequest) =>
  world.ledger.deletions.some(deletion => deletion.id === id && deletion.at < sent)

/** Before a deletion that depends on a pull request, the run asks GitHub, and the answer does not contradict it. */
function checkPullRequestRead(plan: JobPlan, request: DeletionRequest): Violation[] {
  const { id, pullRequest: number, sent, told, heardAt } = request
  const isFree = !isOfPreviews(plan) || number === undefined || isReset(plan)
  if (isFree || hasReason(request, plan)) return []
  const invariant = isPrune(plan) ? 'onlyClosed' : 'openKeeps'
  return [violation(invariant, `${plan.name} deleted ${id}, told ${told} ${sent - heardAt} ms before`)]
}

/** A service that was renamed since the list belongs to the other preview. */
function checkRenamed(plan: JobPlan, { id, names: { listed, read } }: DeletionRequest): Violation[] {
  if (!isOfPreviews(plan) || listed === undefined || read === undefined) return []
  const isSame = readName(listed)?.base === readName(read)?.base
  return isSame
    ? []
    : [violation('onlyChosen', `${plan.name} deleted ${id}: listed as ${listed}, read as ${read}`)]
}

/** Milliseconds between a read and the deletion that relies on it, with GitHub's answer in between. */
const justRead = 12_000

/**
 * However long GitHub takes, previews are deleted by a record just read. If the record is gone by then, no data is
 * lost.
 */
function checkRead({ plan }: JobReport, { id, sent, names: { readAt } }: DeletionRequest): Violation[] {
  const isByGitHub = isPrune(plan) || plan.operation === 'delete-preview'
  if (!isByGitHub || readAt === undefined || sent - readAt <= justRead) return []
  const reason = `${plan.name} read ${id} ${sent - readAt} ms before`
  return [violation('justRead', reason)]
}

/** A dry run of any operation only reads. */
function checkDryRun({ plan, changes, comments, ending }: JobReport): Violation[] {
  if (!plan.settings.dryRun) return []
  const isSilent = ending.kind === 'succeeded' && ending.outcome.skipped === undefined
  // An operation that only reads does everything in a dry run, too.
  const isMute = isSilent && rowOf(plan.operation)?.method !== 'GET' && plan.operation !== 'get-connection'
  const what = changes + comments > 0 ? `sent ${changes} changes and ${comments} comments` : undefined
  const reason = what ?? (isMute ? 'does not say so' : undefined)
  return reason === undefined ? [] : [violation('onlyReads', `${plan.name} ${reason}`)]
}

/** Checks all deletions by a run and its post step. */
export function checkDeletions(played: Played, report: JobReport): Violation[] {
  const { plan } = report
  const { ledger } = played.world
  const done = ledger.deletions.filter(({ by }) => by === plan.name || by === postStepOf(plan))
  const requests = ledger.requests.filter(({ by }) => by === plan.name)
  const effective = requests.filter(request => !isGoneBefore(played, request))
  return [
    ...done.flatMap(deletion => {
      const reason = reasonAgainst(played, report, deletion)
      return reason ? [violation('onlyOwn', `${deletion.by} deleted ${deletion.id}: ${reason}`)] : []
    }),
    ...done.flatMap(deletion => checkShared(played, plan, deletion)),
    ...effective
      .filter(({ id }) => !(ledger.creation(id)?.by === plan.name && isUnmasked(played.world, plan, id)))
      .flatMap(request => checkPullRequestRead(plan, request)),
    ...requests.flatMap(request => checkRenamed(plan, request)),
    ...effective.flatMap(request => checkRead(report, request)),
    ...checkPrune(played, report),
    ...checkDryRun(report),
  ]
}

/** Whether the run could also see its own record when it chose another one. */
function isOwnVisible({ world: { ledger, climate } }: Played, { plan, notes }: JobReport): boolean {
  const { announcedAt = 0 } = notes
  // An answer takes up to a second.
  const seenSince = announcedAt - longestLag(climate) - 1000
  // An own record with a new tag looks like one of another owner.
  const own = ledger.createdBy(plan.name).filter(id => !ledger.promotions.has(id))
  return own.some(id => (ledger.creation(id)?.at ?? announcedAt) < seenSince)
}

/**
 * Whether a run may mistake another's record for the result of its lost request. The record came meanwhile and is
 * reported as such, and the run could not see its own. A service is never taken in doubt.
 */
function mayBeMistaken(played: Played, report: JobReport, id: string): boolean {
  const { world } = played
  const { plan, ending, startedAt, log } = report
  const { at = 0 } = world.ledger.creation(id) ?? {}
  const isAdopted = ending.kind === 'succeeded' && ending.outcome.adopted === true
  const isNew = at >= startedAt - longestLag(world.climate)
  return (
    !hasUniqueName(plan) &&
    createdResource(plan) !== 'service' &&
    !isOwnVisible(played, report) &&
    isAdopted &&
    isNew &&
    log.some(({ line }) => line.includes(id))
  )
}

/**
 * A record that a run names as perhaps its own matches its request. DEV counts as no tag, which others may have
 * removed.
 */
export function checkCandidates({ world }: Played, { plan, error }: JobReport): Violation[] {
  const { ledger, climate } = world
  const [, ids = ''] =
    /; ([\w, ]+) ha(?:s|ve) the name of service/.exec((error as Error | undefined)?.message ?? '') ?? []
  // A fork whose parent shows late looks like a service without a parent.
  const tellsLate = climate.lag.kind === 'records' && climate.lag.upTo.forked_from !== undefined
  const isAlike = (id: string) => {
    const { metadata, forked_from } = (ledger.births.get(id)?.record ?? {}) as Partial<Service>
    return (
      ['DEV', plan.given.environment_tag].includes((metadata?.environment ?? 'DEV').trim().toUpperCase()) &&
      (tellsLate || forked_from?.service_id === plan.given.service_id)
    )
  }
  return ids
    .split(', ')
    .filter(id => id !== '' && !isAlike(id))
    .map(id => violation('claimsOnlyMatching', `${plan.name}: ${id}`))
}

/** A preview's run neither changes nor publishes records of others; any other run does so only in doubt. */
export function checkUntouched(played: Played, report: JobReport): Violation[] {
  const { world, story } = played
  const { plan } = report
  const others = (id: string) => isOfPreviews(plan) && story.foreign.includes(id)
  const isStrange = (id: string) =>
    rowOf(plan.operation)?.creates === 'service' && world.ledger.creation(id)?.by !== plan.name
  const changed = world.ledger.changes
    .filter(
      ({ id, by, operation }) =>
        by === plan.name && (others(id) || (operation === 'update-password' && isStrange(id))),
    )
    .map(({ id, operation }) => violation('othersStay', `${plan.name} did ${operation} to ${id}`))
  const id = publishedId(report)
  if (id === undefined || world.ledger.creation(id)?.by === plan.name) return changed
  const isFine =
    isOfPreviews(plan) || baseOf(plan) !== undefined ? !others(id) : mayBeMistaken(played, report, id)
  return isFine ? changed : [...changed, violation('othersStay', `${plan.name} was given ${id}`)]
}
