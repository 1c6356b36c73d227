/** Pauses unused previews and masked copies, after checks whether they are in use. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { renderAdvised } from '#base/errors'
import { Semaphore } from '#base/semaphore'
import { messageOf } from '#base/unknown-values'
import type { Calls, Databases } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { waitUntilSettled } from '#operations/wait/settled'
import { reasonOf } from '#operations/wait/targets'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import { idsOf, type Owner, reasonRenamed, reasonToKeepPreview, type ServiceIds } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { ageOf, timeSince } from '../base/services.ts'
import { findMasked, reasonToKeepMasked } from '../masked/copies.ts'
import { describeService, updateComment } from '../on-github/comment.ts'
import { type Decision, reasonByLabel, type SubjectFacts } from '../on-github/prune-decision.ts'
import { inconclusive, previewOf, type SubjectReader } from '../on-github/subject-states.ts'
import { checkRecord } from '../services/delete.ts'

/** Milliseconds for the answer of the database. */
const patience = 5000

/**
 * Why a service may be in use. Undefined if its database proves that it has no open session, and that in the last
 * `pauseAfter` milliseconds it was not started and no job got its connection details.
 */
async function reasonInUse(context: Databases, service: Service, pauseAfter: number) {
  const { settings, seam, deadline, signal } = context
  if (service.connection_pooler) return 'its pooler may hold sessions that the database does not know of'
  if ((service.read_replica_sets ?? []).length > 0) return 'it has read replica sets, which may be in use'
  if (service.endpoint === undefined) return 'it has no address, so its open sessions are unknown'
  const password = context.derivePassword(service.service_id)
  const timeout = Math.min(patience, Math.max(1000, deadline - seam.now()))
  try {
    const { host, port } = service.endpoint
    const activity = await context.readActivity({ ...settings.login, host, port, password }, timeout)
    const { sessions, upFor, publishedFor = Number.POSITIVE_INFINITY } = activity
    if (sessions > 0) return `it has ${sessions} open session${sessions > 1 ? 's' : ''}`
    const long = renderDuration(pauseAfter)
    if (upFor < pauseAfter) return `it was started less than ${long} ago`
    return publishedFor < pauseAfter ? `a job was given its connection less than ${long} ago` : undefined
  } catch (failure) {
    signal.throwIfAborted()
    // The service may be a fork without a quarantine.
    const reason = reasonOf(failure, { address: service.endpoint, isWithheld: true })
    return `its open sessions are unknown (${reason})`
  }
}

/** Previews that are checked at the same time. */
const concurrency = 4

function reasonByRecord(
  context: Pick<Calls, 'client'>,
  service: Service,
  pauseAfter: number,
): string | undefined {
  const { status = 'of no known status' } = service
  const age = ageOf(context, service)
  if (status === 'PAUSED' || status === 'PAUSING') return `it is ${status} already`
  if (status !== 'READY') return `it is ${status}`
  if (age === undefined) return 'its age is not known'
  return age < pauseAfter ? `younger than ${renderDuration(pauseAfter)}` : undefined
}

/** Why a preview is not paused, without asking its database. */
function reasonNotToPause(
  context: Calls & WithSettings<'preview'>,
  service: Service,
  facts: SubjectFacts,
  pauseAfter: number,
): string | undefined {
  const long = renderDuration(pauseAfter)
  if (facts.state !== 'open') return `its pull request is ${facts.state} now`
  const reason = reasonByLabel(context, facts) ?? reasonByRecord(context, service, pauseAfter)
  if (reason !== undefined) return reason
  const idleFor = timeSince(context, facts.updatedAt)
  if (idleFor === undefined) return 'it is unknown when its pull request last changed'
  return idleFor < pauseAfter ? `its pull request changed less than ${long} ago` : undefined
}

/** Why a preview is not paused, by the present answer of GitHub, without asking its database. */
async function reasonByGitHub(
  context: Calls & PullRequests,
  service: Service,
  pauseAfter: number,
  subjects: SubjectReader,
): Promise<string | undefined> {
  try {
    const facts = await subjects.readNow(service)
    return facts === undefined ? inconclusive : reasonNotToPause(context, service, facts, pauseAfter)
  } catch (failure) {
    reportGitHubFailure(context, `${service.name} is not paused`, failure)
    return `GitHub did not return the state of its pull request again: ${messageOf(failure)}`
  }
}

/**
 * Pauses a service whose database is unused, and waits for it if the step waits. The request is sent at once or not at
 * all: a minute later the database may be in use. Returns why the service is not paused; undefined also in a dry run.
 */
async function pauseIfUnused(
  context: Calls & Databases & WithSettings<'dryRun' | 'wait'>,
  ids: ServiceIds,
  service: Service,
  pauseAfter: number,
): Promise<string | undefined> {
  const { client, log, settings } = context
  const use = await reasonInUse(context, service, pauseAfter)
  if (use !== undefined) return use
  const verb = settings.dryRun ? 'would pause' : 'pausing'
  log.info(`${verb} ${describeNamed(service)}: not used for ${renderDuration(pauseAfter)}`)
  if (settings.dryRun) return undefined
  await client.call('stop-service', ids, { attempts: 1, isUrgent: true })
  if (settings.wait) await waitUntilSettled(context, { goal: endpoints['stop-service'].goal, ids })
  return undefined
}

/** Pauses a preview after a last check of its record, of GitHub and finally of its own database. Returns why not. */
async function pauseAfterCheck(
  context: Calls & Databases & PullRequests & WithSettings<'dryRun' | 'wait'>,
  owner: Owner,
  chosen: Service,
  { pauseAfter, subjects }: { pauseAfter: number; subjects: SubjectReader },
): Promise<string | undefined> {
  const ids = idsOf(owner, chosen)
  const reasonAgainst = async (record: Service | undefined) => {
    if (record === undefined) return 'it no longer exists'
    const guarded = reasonToKeepPreview(record, owner) ?? reasonRenamed(chosen, record)
    return guarded ?? (await reasonByGitHub(context, record, pauseAfter, subjects))
  }
  const read = () => readRecord(context.client, 'service', ids)
  const { found: service, reason } = await checkRecord(context, read, reasonAgainst)
  if (service === undefined || reason !== undefined) return reason
  const use = await pauseIfUnused(context, ids, service, pauseAfter)
  if (use !== undefined || context.settings.dryRun) return use
  // Without its address: prune does not read the masking stamp.
  const paused = describeService({ ...service, status: 'PAUSED', endpoint: undefined }, context)
  await updateComment(context, previewOf(service), { ...paused, state: 'paused' })
  return undefined
}

/** Pauses each kept preview whose open pull request and database were unused for `pause_after`, without any doubt. */
export async function pauseIdle(
  context: Calls & Databases & PullRequests & WithSettings<'dryRun' | 'wait'>,
  owner: Owner,
  decisions: Decision[],
  subjects: SubjectReader,
): Promise<Decision[]> {
  const { pauseAfter } = context.settings.preview
  if (pauseAfter === undefined) return decisions
  const semaphore = new Semaphore(concurrency)
  const decideOne = async (decision: Decision): Promise<Decision> => {
    const { service, verdict, facts } = decision
    if (verdict !== 'kept' || facts?.state !== 'open') return decision
    const reason = reasonNotToPause(context, service, facts, pauseAfter)
    // `keep_label` prevents deletion and pausing: the reason is given once.
    if (reason === decision.reason) return decision
    if (reason !== undefined) return { ...decision, reason: `${decision.reason}; not paused: ${reason}` }
    try {
      const use = await pauseAfterCheck(context, owner, service, { pauseAfter, subjects })
      if (use !== undefined) return { ...decision, reason: use }
      const paused = context.settings.dryRun ? 'would pause' : 'paused'
      return { ...decision, verdict: paused, reason: `not used for ${renderDuration(pauseAfter)}` }
    } catch (failure) {
      // A preview that cannot be paused keeps running: that costs little and harms no data.
      context.signal.throwIfAborted()
      context.log.warning(`${service.name} is not paused: ${renderAdvised(failure)}`, 'not paused')
      return { ...decision, reason: `pausing it failed: ${messageOf(failure)}` }
    }
  }
  return await Promise.all(decisions.map(decision => semaphore.run(() => decideOne(decision))))
}

/** Pauses masked copies unused for `pause_after`, which can still be forked. @returns whether any was paused */
export async function pauseMasked(
  context: Calls & Databases & WithSettings<'dryRun' | 'preview' | 'wait'>,
  { projectId, repositoryHash, maskedFrom: sourceId }: Owner,
): Promise<boolean> {
  const { client, settings, log, signal } = context
  const { pauseAfter } = settings.preview
  if (pauseAfter === undefined || sourceId === undefined) return false
  const owner = { projectId, repositoryHash, sourceId }
  let isAnyPaused = false
  try {
    for (const found of await findMasked(context, owner, 'masked')) {
      const ids = idsOf(owner, found)
      const service = await readRecord(client, 'service', ids)
      if (service === undefined) continue
      const reason =
        reasonToKeepMasked(service, owner, { stage: 'masked' }) ??
        reasonByRecord(context, service, pauseAfter) ??
        (await pauseIfUnused(context, ids, service, pauseAfter))
      if (reason !== undefined) log.info(`${describeNamed(service)}: not paused, ${reason}`)
      else if (!settings.dryRun) isAnyPaused = true
    }
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(`masked copies are not paused: ${renderAdvised(failure)}`, 'not paused')
  }
  return isAnyPaused
}
