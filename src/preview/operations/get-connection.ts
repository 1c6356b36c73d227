/** The operation get-connection: publishes the connection details of a preview or of any service. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { hasPooler, isReady } from '#api/service-states'
import { reportQuarantine } from '#contents/quarantine/report'
import type { Calls, Waiting } from '#operations/base/context'
import { type Outcome, withoutConnection } from '#operations/base/outcome'
import { readRecord, resolveProjectId } from '#operations/base/read-record'
import { waitUntilSettled } from '#operations/wait/settled'
import { WaitError } from '#operations/wait/wait-error'
import type { Previews, Triggered, WithSettings } from '../base/context.ts'
import { pullRequestOfRun } from '../base/event-work.ts'
import { ownershipOf, reasonToKeepPreview, type ServiceIds } from '../base/guard.ts'
import { identifyPreview, outcomeOf, type Preview } from '../base/identity.ts'
import { parsePreviewName } from '../base/name.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { PreviewError } from '../base/preview-error.ts'
import { isYoung } from '../base/services.ts'
import { reasonByEvent } from '../on-github/reason-for-none.ts'
import {
  isFinished,
  type Preparing,
  QuarantineUnknownError,
  waitUntilFinished,
} from '../prepare/preparation.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { Run } from '../reconcile/run.ts'
import { checkConnection, checkDerivedPassword } from '../services/login.ts'
import { enablePooler, ensureReady, needsStart, startIfPaused } from '../services/ready.ts'

/** Only previews of this repository are changed. @throws PreviewError for any other service */
function assertPreview(context: Triggered, service: Service, state: string, verb: string, next: string) {
  const reason = reasonToKeepPreview(service, ownershipOf(context))
  if (reason === undefined) return
  const message = `service ${service.service_id} ${state}, and ${reason}: this operation does not ${verb} it`
  throw new PreviewError(message, next)
}

/** Waits until the service is READY, and starts a paused preview. People paused other services, which stay paused. */
async function waitUntilUsable(
  context: Calls & Triggered & WithSettings<'wait'>,
  ids: ServiceIds,
  service: Service,
): Promise<Service> {
  const { wait } = context.settings
  if (needsStart(service)) {
    assertPreview(context, service, `is ${service.status}`, 'start', 'start it with start-service')
    if (wait) return await ensureReady(context, ids, service, { isKnownToExist: true })
    await startIfPaused(context, ids)
    return (await readRecord(context.client, 'service', ids)) ?? service
  }
  if (!wait || isReady(service)) return service
  const { goal } = endpoints['start-service']
  // A lagging read may miss a young service, although this run has read it before.
  const visibility = { isNew: isYoung(context, service), isKnownToExist: true }
  return await waitUntilSettled(context, { goal, ids, startsWithCheck: true, ...visibility })
}

async function ensurePooler(context: Calls & Triggered, ids: ServiceIds, service: Service): Promise<Service> {
  const next = 'add it with enable-pooler, or leave pooler out'
  if (!hasPooler(service)) assertPreview(context, service, 'has no pooler', 'enable', next)
  return await enablePooler(context, ids, service)
}

/** The change that a preview needs before a connection; undefined if none. */
function describeNeededChange(service: Service, { settings }: WithSettings<'preview'>): string | undefined {
  if (needsStart(service)) return `start service ${service.service_id}, which is ${service.status}`
  const isPoolerMissing = settings.preview.pooler && !hasPooler(service)
  return isPoolerMissing ? `enable the pooler of service ${service.service_id}` : undefined
}

const operation = 'get-connection'

const planChange = (projectId: string, service: Service, change: string): Outcome =>
  withoutConnection({
    ...outcomeOf({ projectId, pullRequest: undefined }, service, operation),
    skipped: `dry run: would ${change}, if it is a preview of this repository`,
  })

/** The service whose password opens a database: of a standby, its primary (docs/internals/api.md, "Read replica sets"). */
async function findPasswordOwner({ client }: Calls, { project_id }: ServiceIds, service: Service) {
  const { is_standby, service_id } = service.forked_from ?? {}
  if (!is_standby || service_id === undefined) return service
  return await client.call('get-service', { project_id, service_id })
}

/** Logs that the password is unknown. In the run of a pull request, it warns: `service_id` may name the parent by mistake. */
function logUnknownPassword(context: Waiting & Triggered, { service_id }: Service): void {
  const number = pullRequestOfRun(context)
  const message = `service ${service_id} is no preview of this repository: its password is not known here`
  if (number === undefined) context.log.info(message)
  else
    context.log.warning(
      `${message}; leave service_id out to get the preview of pull request ${number}`,
      'no preview',
    )
}

async function connectToService(
  context: Preparing & Triggered & WithSettings<'dryRun'>,
  ids: ServiceIds,
  record: Service,
  {
    hasWaited = false,
    logsUnknownPassword = true,
    mayWait = false,
  }: { hasWaited?: boolean; logsUnknownPassword?: boolean; mayWait?: boolean },
): Promise<Outcome> {
  const { project_id: projectId } = ids
  // A record may lack the id of its project.
  const found = { ...record, ...ids }
  const change = context.settings.dryRun ? describeNeededChange(found, context) : undefined
  if (change !== undefined) return planChange(projectId, found, change)
  const settled = await waitUntilUsable(context, ids, found)
  const service = context.settings.preview.pooler ? await ensurePooler(context, ids, settled) : settled
  const owner = await findPasswordOwner(context, ids, service)
  const name = parsePreviewName(owner.name)
  const isPreview = name?.repositoryHash === ownershipOf(context).repositoryHash
  if (!isPreview && context.settings.preview.masked)
    throw new PreviewError(
      `service ${service.service_id} is no preview of this repository: with masked: true, its connection details are not published`,
      'leave service_id out to get the preview of the pull request',
    )
  const password = isPreview ? context.derivePassword(owner.service_id) : undefined
  if (password === undefined && logsUnknownPassword) logUnknownPassword(context, service)
  const pullRequest = isPreview ? name.pullRequest : undefined
  const outcome: Outcome = {
    ...outcomeOf({ projectId, pullRequest }, service, operation),
    password,
    changed: needsStart(found) || (service.connection_pooler !== undefined && !settled.connection_pooler),
  }
  if (password === undefined) {
    await checkConnection(context, outcome)
    return outcome
  }
  if (!context.settings.wait && owner.status !== 'READY') {
    context.log.info(
      `service ${owner.service_id} is ${owner.status}: its connection details are published once it is READY and finished`,
    )
    return withoutConnection(outcome)
  }
  const isNew = hasWaited || record.status !== 'READY'
  await checkDerivedPassword(context, { ...outcome, password }, service, isNew)
  const firstTriedAt = context.seam.now()
  const task = { base: owner.name ?? '', parentId: undefined, service: owner, password, firstTriedAt }
  if (context.settings.dryRun && !(await isFinished(context, task)))
    return planChange(projectId, found, `wait until service ${owner.service_id} is quarantined and filled`)
  const state = await waitUntilFinished(context, task, mayWait)
  return { ...outcome, report: reportQuarantine(state?.quarantine?.report) }
}

/** The outcome for a pull request that gets no preview. The output `skipped` informs later jobs. */
function skip({ log }: Waiting, { projectId, pullRequest }: Preview, reason: string): Outcome {
  log.notice(`get-connection: skipped; ${reason}, so there is no preview to connect to`)
  return { operation, ids: { project_id: projectId }, pullRequest, skipped: reason }
}

/** Connects to the preview once it exists. If it is deleted meanwhile, a reset may be creating the next one. */
async function connectToPreview(context: Previews, preview: Preview): Promise<Outcome> {
  const { wait, dryRun } = context.settings
  const desired = { databases: 'one', onlyConnects: true, isHurried: !wait || dryRun } as const
  const run = new Run(context, preview, desired)
  run.reasonByEvent = reasonByEvent(context, preview)
  for (;;) {
    const last = await reconcile(run)
    if (last.do === 'finish without') return skip(context, preview, last.reason)
    const { hasWaited } = run.observer
    const service = run.observer.record(last.id)
    const known = run.observer.knowledgeOf(last.id)
    const mayWait = !run.desired.isHurried && known.isParentRead !== true
    try {
      return await connectToService(context, run.idsOf(last.id), service, { hasWaited, mayWait })
    } catch (failure) {
      if (failure instanceof QuarantineUnknownError) {
        known.isQuarantineUnknown = true
        continue
      }
      if (!(failure instanceof WaitError && failure.isGone)) throw failure
      run.noteLost(last.id)
      run.observer.hasWaited = true
    }
  }
}

/**
 * Publishes the connection details of a preview or of any service, and leaves a usage marker in its database. Waits
 * for a preview that does not exist yet, starts a paused one, and enables its pooler if requested.
 * @param options.logsUnknownPassword false if the caller reports an unknown password
 * @throws PreviewError if no preview exists by the deadline; ActionError if the derived password is refused
 */
export async function getConnection(
  given: PreviewParameters,
  context: Previews,
  { logsUnknownPassword = true }: { logsUnknownPassword?: boolean } = {},
): Promise<Outcome> {
  const { service_id } = given
  if (service_id === undefined) return await connectToPreview(context, await identifyPreview(context, given))
  const project_id = await resolveProjectId(context)
  const ids = { project_id, service_id }
  const service = await context.client.call('get-service', ids)
  return await connectToService(context, ids, service, { logsUnknownPassword })
}
