/** Checks whether previews are in use, and pauses unused ones. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { messageOf, renderAdvised } from '#base/errors'
import { Semaphore } from '#base/semaphore'
import type { Calls, Databases } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { waitUntilSettled } from '#operations/wait/settled'
import { reasonOf } from '#operations/wait/targets'
import { ageOf, timeSince } from '../base/age.ts'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import { idsOf, type Owner, reasonRenamed, reasonToKeep, type ServiceIds } from '../base/guard.ts'
import { describeNamed, previewBaseOf } from '../base/name.ts'
import { type Decision, describeSparing, findLabel, type Standing } from '../on-github/prune-decision.ts'
import { describeState, report } from '../on-github/report.ts'
import type { Standings } from '../on-github/subject-states.ts'
import { judge } from '../services/judge.ts'

/** Milliseconds that the database may take to answer. */
const patience = 5000

/**
 * Why a preview may be in use; undefined if its database proves that for `pauseAfter` milliseconds it was not started
 * and no job got its connection details, and it has no open session.
 */
export async function reasonInUse(
  context: Databases,
  service: Service,
  pauseAfter: number,
): Promise<string | undefined> {
  const { settings, seam, deadline, signal } = context
  if (service.connection_pooler) return 'its pooler may hold sessions that the database does not know of'
  if ((service.read_replica_sets ?? []).length > 0) return 'it has read replica sets, which may be in use'
  if (service.endpoint === undefined) return 'it has no address at which it could be asked for open sessions'
  const password = context.derivePassword(service.service_id)
  const timeout = Math.min(patience, Math.max(1000, deadline - seam.now()))
  try {
    const { host, port } = service.endpoint
    const activity = await context.readActivity({ ...settings.login, host, port, password }, timeout)
    const { sessions, upFor, handedOutFor = Number.POSITIVE_INFINITY } = activity
    if (sessions > 0) return `it has ${sessions} open session${sessions > 1 ? 's' : ''}`
    const long = renderDuration(pauseAfter)
    if (upFor < pauseAfter) return `it was started less than ${long} ago`
    return handedOutFor < pauseAfter ? `a job was given its connection less than ${long} ago` : undefined
  } catch (failure) {
    signal.throwIfAborted()
    // The service may be a fork without a quarantine.
    const reason = reasonOf(failure, { address: service.endpoint, isWithheld: true })
    return `it cannot be asked for open sessions (${reason})`
  }
}

const atOnce = 4

const gone = 'it is not there any more'

/** Why a preview is not paused, without asking its database. */
function reasonToRun(
  context: Calls & WithSettings<'preview'>,
  service: Service,
  { state, labels = [], updatedAt }: Standing,
  pauseAfter: number,
): string | undefined {
  const spared = findLabel(labels, context.settings.preview.keepLabels)
  const age = ageOf(context, service)
  const idleFor = timeSince(context, updatedAt)
  const long = renderDuration(pauseAfter)
  if (state !== 'open') return `its pull request is ${state} now`
  if (spared !== undefined) return describeSparing(spared)
  if (service.status === 'PAUSED' || service.status === 'PAUSING') return `it is ${service.status} already`
  if (service.status !== 'READY') return `it is ${service.status ?? 'of no known status'}`
  if (age === undefined) return 'its age is not known'
  if (age < pauseAfter) return `younger than ${long}`
  if (idleFor === undefined) return 'it is unknown when its pull request last changed'
  return idleFor < pauseAfter ? `its pull request changed less than ${long} ago` : undefined
}

/** The same by the present answer of GitHub. */
async function reasonByGitHub(
  context: Calls & PullRequests,
  service: Service,
  pauseAfter: number,
  standings: Standings,
): Promise<string | undefined> {
  try {
    return reasonToRun(context, service, await standings.readNow(service), pauseAfter)
  } catch (failure) {
    reportGitHubFailure(context, `${service.name} is not paused`, failure)
    return `GitHub did not return the state of its pull request again: ${messageOf(failure)}`
  }
}

/**
 * Pauses a service, and waits for it if the step waits. The request is sent at once or not at all: a minute later the
 * database may be in use.
 */
export async function stop(context: Calls & WithSettings<'wait'>, ids: ServiceIds): Promise<void> {
  await context.client.call('stop-service', ids, { attempts: 1, onlyNow: true })
  if (!context.settings.wait) return
  await waitUntilSettled(context, { goal: endpoints['stop-service'].goal, ids })
}

/** Pauses a preview after a last check of its record, of GitHub and finally of its own database. */
async function pause(
  context: Calls & Databases & PullRequests & WithSettings<'dryRun' | 'wait'>,
  owner: Owner,
  decision: Decision,
  { pauseAfter, standings }: { pauseAfter: number; standings: Standings },
): Promise<Decision> {
  const kept = (reason: string): Decision => ({ ...decision, verdict: 'kept', reason })
  const { pullRequest } = decision
  const ids = idsOf(owner, decision.service)
  const { found: service, reason } = await judge(
    context,
    () => readRecord(context.client, 'service', ids),
    async record =>
      record === undefined
        ? gone
        : (reasonToKeep(record, owner) ??
          reasonRenamed(decision.service, record) ??
          (await reasonByGitHub(context, record, pauseAfter, standings))),
  )
  if (service === undefined) return kept(gone)
  if (reason !== undefined) return kept(reason)
  const use = await reasonInUse(context, service, pauseAfter)
  if (use !== undefined) return kept(use)
  const idle = `not used for ${renderDuration(pauseAfter)}`
  if (context.settings.dryRun) return { ...decision, verdict: 'would pause', reason: idle }
  context.log.info(`pausing ${describeNamed(service)}: ${idle}`)
  await stop(context, ids)
  const state = { ...describeState({ ...service, status: 'PAUSED' }, context), state: 'paused' as const }
  await report(context, { base: previewBaseOf(service.name ?? '') ?? '', pullRequest }, state)
  return { ...decision, verdict: 'paused', reason: idle }
}

/**
 * Pauses each kept preview unused for `pause_after`: neither its open pull request nor its database was used since.
 * Any doubt keeps it running.
 */
export async function pauseIdle(
  context: Calls & Databases & PullRequests & WithSettings<'dryRun' | 'wait'>,
  owner: Owner,
  decisions: Decision[],
  standings: Standings,
): Promise<Decision[]> {
  const { pauseAfter } = context.settings.preview
  if (pauseAfter === undefined) return decisions
  const semaphore = new Semaphore(atOnce)
  const decideOne = async (decision: Decision): Promise<Decision> => {
    const { service, verdict, standing } = decision
    if (verdict !== 'kept' || standing?.state !== 'open') return decision
    const reason = reasonToRun(context, service, standing, pauseAfter)
    // `keep_label` prevents deletion and pausing: the reason is given once.
    if (reason === decision.reason) return decision
    if (reason !== undefined) return { ...decision, reason: `${decision.reason}; not paused: ${reason}` }
    try {
      return await pause(context, owner, decision, { pauseAfter, standings })
    } catch (failure) {
      // A preview that cannot be paused keeps running: that costs little and harms no data.
      context.signal.throwIfAborted()
      context.log.warning(`${service.name} is not paused: ${renderAdvised(failure)}`, 'not paused')
      return { ...decision, reason: `pausing it failed: ${messageOf(failure)}` }
    }
  }
  return await Promise.all(decisions.map(decision => semaphore.run(() => decideOne(decision))))
}
