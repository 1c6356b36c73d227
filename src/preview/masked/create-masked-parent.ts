/** Creates a masked copy of a service, for previews to fork. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { reportQuarantine } from '#contents/quarantine/report'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Calls, Creating, Databases } from '#operations/base/context'
import type { Plan } from '#operations/base/journaled'
import type { Outcome } from '#operations/base/outcome'
import { resolveProjectId } from '#operations/base/read-record'
import { randomPart } from '#operations/base/unique-name'
import { deleteDuplicates } from '#operations/cleanup/duplicates'
import { type Created, createPlanned } from '#operations/create/create'
import { assertStrict, quarantine } from '#operations/quarantine'
import { connectWithRetries } from '#operations/wait/connect'
import { withKnown } from '#operations/wait/failure-reports'
import { waitUntilSettled } from '#operations/wait/settled'
import { targetsOf, withhold } from '#operations/wait/targets'
import type { PreviewContext, Triggered, WithSettings } from '../base/context.ts'
import { ownershipOf } from '../base/identity.ts'
import { describeNamed, randomLength } from '../base/name.ts'
import { findMasked, type MaskedOwner, MaskedParentError, renderMaskedName } from './copies.ts'
import { operation, planMaskedParent, proposeRules, type WithSource } from './dry-run.ts'
import { removeAbandoned, removeMasked, removeOlder } from './remove.ts'

export interface MaskingParameters {
  project_id?: string | undefined
  service_id: string
  cpu_millis?: string | undefined
  memory_gbs?: string | undefined
}

type Work = Required<Pick<Outcome, 'report'>>

/** Milliseconds for which a login may be refused: a new password may take a moment to work. */
const refusalPatience = 15_000

const idsOf = ({ projectId: project_id }: MaskedOwner, { service_id }: Service) => ({
  project_id,
  service_id,
})

async function identify(
  context: Calls & Triggered & WithSettings<'projectId'>,
  { service_id: sourceId }: MaskingParameters,
): Promise<MaskedOwner> {
  const { repositoryHash } = ownershipOf(context, {})
  return { repositoryHash, sourceId, projectId: await resolveProjectId(context) }
}

function planOf({ projectId: project_id, sourceId }: MaskedOwner, name: string): Plan {
  return {
    operation: 'fork-service',
    resource: 'service',
    ids: { project_id },
    match: { name },
    isUniqueName: true,
    existing: [],
    parentId: sourceId,
    production: false,
  }
}

/** Forks the source under a name that marks the copy as not masked yet. */
async function fork(
  context: Creating,
  owner: MaskedOwner,
  { cpu_millis, memory_gbs }: MaskingParameters,
  name: string,
): Promise<Created<Service>> {
  const { projectId: project_id, sourceId: service_id } = owner
  const fields = {
    ...{ project_id, service_id, name, cpu_millis, memory_gbs },
    // A snapshot lacks the latest writes.
    fork_strategy: 'NOW',
    environment_tag: 'DEV',
  } as const
  return await createPlanned(
    context,
    planOf(owner, name),
    options => context.client.call('fork-service', fields, options),
    ({ record, adopted }) => ({
      ...{ operation, resource: 'service', ids: idsOf(owner, record), record, result: record, adopted },
      ...{ created: true, changed: true, initialPassword: record.initial_password },
    }),
  )
}

type Masking = Calls & Databases & Triggered & WithSettings<'keepActive' | 'quarantine'>

/** Quarantines, masks and searches the copy, and stores the masking stamp in it. */
async function work(
  context: Masking,
  owner: MaskedOwner,
  rules: SqlFile,
  { service, password }: { service: Service; password: string },
): Promise<Work> {
  const { settings, deadline, log, openContents, event, client } = context
  const { service_id } = service
  const [target] = targetsOf({ operation, ids: {}, resource: 'service', record: service })
  if (target === undefined)
    throw new MaskedParentError(
      `service ${service_id} cannot be masked: its record has no address`,
      'run the step again',
    )
  const { host, port } = target.address
  const limits = { patience: refusalPatience, deadline }
  let hasBegun = false
  return await connectWithRetries(context, withhold(target, service_id), limits, timeout =>
    openContents({ ...settings.login, host, port, password }, timeout, async database => {
      if (hasBegun)
        throw new MaskedParentError(
          `the connection to the database of service ${service_id} broke while it was being masked`,
          'run the step again: it begins with a new copy',
        )
      const report = await quarantine(context, service_id, database)
      assertStrict(context, service_id, report)
      hasBegun = true
      const masking = await context.timeline.time('masking', () =>
        database.mask({
          ...{ rules, source: owner.sourceId, at: client.date(), run: event.runUrl },
          onProgress: line => log.info(line),
        }),
      )
      log.info(`service ${service_id} is masked: ${masking.summary}`)
      return { report: [...masking.report, ...reportQuarantine(report)] }
    }),
  )
}

/** Turns a new fork into a masked copy with this run's password. */
async function finish(
  context: Masking & WithSettings<'cleanup' | 'wait'>,
  owner: MaskedOwner,
  rules: SqlFile,
  creation: Created<Service>,
): Promise<Outcome & { record: Service }> {
  const { client } = context
  const ids = idsOf(owner, creation.record)
  const { goal } = endpoints['fork-service']
  const service = await waitUntilSettled(context, { goal, ids, justCreated: true })
  await deleteDuplicates(context, creation)
  const password = context.derivePassword(service.service_id)
  context.mask(password)
  const first = creation.record.initial_password
  // The first answer, and the password in it, was lost.
  if (first === undefined) await client.call('update-password', { ...ids, password })
  const done = await work(context, owner, rules, { service, password: first ?? password })
  if (first !== undefined) await client.call('update-password', { ...ids, password })
  return { ...creation.outcome, ...done, record: service, initialPassword: undefined, password }
}

async function giveName(
  { client }: Calls,
  owner: MaskedOwner,
  masked: Outcome & { record: Service },
  name: string,
): Promise<Outcome & { record: Service }> {
  await client.call('rename-service', { ...idsOf(owner, masked.record), name })
  const record = { ...masked.record, name }
  return { ...masked, record, result: record }
}

/**
 * Creates a masked copy of a service for previews to fork: forks it, quarantines and masks the fork, and searches it
 * for originals. Only then are connection details published and older copies deleted. A failure deletes the new copy.
 * @throws MaskedParentError; QuarantineError; the errors of masking
 */
export async function createMaskedParent(
  given: MaskingParameters,
  context: PreviewContext & WithSource,
): Promise<Outcome> {
  const rules = await context.readMaskFile()
  if (rules === undefined) return await proposeRules(context)
  const owner = await identify(context, given)
  if (context.settings.dryRun) return await planMaskedParent(context, owner, rules)
  await removeAbandoned(context, owner)
  const before = await findMasked(context, owner, 'masked')
  const { repositoryHash } = owner
  const random = randomPart(context.seam, randomLength)
  const name = renderMaskedName({ stage: 'masking', repositoryHash, random })
  const creation = await fork(context, owner, given, name)
  let masked: Outcome & { record: Service }
  try {
    masked = await withKnown(context, creation.outcome, () => finish(context, owner, rules, creation))
  } catch (failure) {
    context.signal.throwIfAborted()
    const own = { ...creation.record, name }
    // The post step looks for more than this copy: the API may have processed a request twice.
    if (await removeMasked(context, owner, own, { stage: 'masking', isCreatedHere: true }))
      context.journal.publish({ ...creation.outcome, record: undefined, result: undefined, deleted: true })
    throw failure
  }
  // Neither this run nor its post step deletes the copy from here on: other runs may fork it once it has its name.
  context.journal.withdraw()
  const finished = renderMaskedName({ stage: 'masked', repositoryHash, random })
  const outcome = await giveName(context, owner, masked, finished)
  context.log.info(`${describeNamed(outcome.record)} is the newest masked copy of ${owner.sourceId}`)
  await removeOlder(context, owner, outcome.record, before)
  return outcome
}
