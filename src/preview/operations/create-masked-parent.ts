/** The operation create-masked-parent: creates a masked copy of a service, which previews fork. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import type { Block } from '#base/report'
import { reportQuarantine } from '#contents/quarantine/report'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Calls, Databases } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { resolveProjectId } from '#operations/base/read-record'
import { deleteDuplicates } from '#operations/cleanup/duplicates'
import type { Created } from '#operations/create/create'
import { assertStrict, quarantine } from '#operations/quarantine'
import { openWithheld } from '#operations/wait/connect'
import { publishOnFailure } from '#operations/wait/failure-reports'
import { waitUntilSettled } from '#operations/wait/settled'
import { targetOfService } from '#operations/wait/targets'
import type { PreviewContext, Triggered, WithSettings } from '../base/context.ts'
import { idsOf, ownershipOf } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import type { MaskingParameters } from '../base/parameters.ts'
import { deleteAbandoned, deleteMasked, deleteOlder, findMasked, type MaskedOwner } from '../masked/copies.ts'
import { operation, planMaskedParent, proposeRules, type WithSource } from '../masked/dry-run.ts'
import { renderFinishedName, renderMaskedBase } from '../masked/name.ts'
import { createDatabase } from '../services/create.ts'

type Masking = Calls & Databases & Triggered & WithSettings<'keepActive' | 'quarantine'>

/** Quarantines, masks and searches the copy, and stores the masking stamp in it. */
async function maskCopy(
  context: Masking,
  owner: MaskedOwner,
  rules: SqlFile,
  { service, password }: { service: Service; password: string },
): Promise<Block[]> {
  const { deadline, log, event, client, timeline } = context
  const { service_id: serviceId } = service
  const target = targetOfService(service)
  if (target === undefined)
    throw new ActionError(
      `service ${serviceId} cannot be masked: its record has no address`,
      'run the step again',
    )
  let hasMaskingBegun = false
  return await openWithheld(context, { target, serviceId, password }, { deadline }, async database => {
    if (hasMaskingBegun)
      throw new ActionError(
        `the connection to the database of service ${serviceId} broke while it was being masked`,
        'run the step again: it begins with a new copy',
      )
    const report = await quarantine(context, serviceId, database)
    assertStrict(context, serviceId, report)
    hasMaskingBegun = true
    const task = {
      rules,
      source: owner.sourceId,
      at: client.date(),
      run: event.runUrl,
      onProgress: (line: string) => log.info(line),
    }
    const masking = await timeline.time('masking', () => database.mask(task))
    log.info(`service ${serviceId} is masked: ${masking.summary}`)
    if (masking.warning !== undefined)
      log.warning(`service ${serviceId}: ${masking.warning}`, 'nothing proven')
    return [...masking.report, ...reportQuarantine(report)]
  })
}

/** Waits for the new fork, masks it, and sets the derived password. */
async function finishCopy(
  context: Masking & WithSettings<'cleanup' | 'wait'>,
  owner: MaskedOwner,
  rules: SqlFile,
  creation: Created<Service>,
): Promise<Outcome & { record: Service }> {
  const { client } = context
  const ids = idsOf(owner, creation.record)
  const { goal } = endpoints['fork-service']
  const service = await waitUntilSettled(context, { goal, ids, isNew: true })
  await deleteDuplicates(context, creation)
  const password = context.derivePassword(service.service_id)
  const initialPassword = creation.record.initial_password
  const setPassword = () => client.call('update-password', { ...ids, password })
  // After a lost answer, the initial password is unknown.
  if (initialPassword === undefined) await setPassword()
  const login = { service, password: initialPassword ?? password }
  const report = await maskCopy(context, owner, rules, login)
  if (initialPassword !== undefined) await setPassword()
  return { ...creation.outcome, report, record: service, initialPassword: undefined, password }
}

/**
 * Creates a masked copy of a service for previews to fork: forks it, quarantines and masks the fork, and searches it
 * for originals. Only then are connection details published and older copies deleted. A failure deletes the new copy.
 * @throws ActionError
 */
export async function createMaskedParent(
  given: MaskingParameters,
  context: PreviewContext & WithSource,
): Promise<Outcome> {
  const rules = await context.readMaskFile()
  if (rules === undefined) return await proposeRules(context)
  const { service_id: sourceId, cpu_millis, memory_gbs } = given
  const { repositoryHash } = ownershipOf(context)
  const projectId = await resolveProjectId(context)
  const owner = { repositoryHash, sourceId, projectId }
  if (context.settings.dryRun) return await planMaskedParent(context, owner, rules)
  await deleteAbandoned(context, owner)
  const before = await findMasked(context, owner, 'masked')
  const copy = { projectId, parentId: sourceId, base: renderMaskedBase('masking', repositoryHash) }
  // The present data, since a snapshot lacks the latest writes.
  const parameters = { cpu_millis, memory_gbs, fork_strategy: 'NOW' } as const
  const creation = await createDatabase(context, copy, parameters, { operation })
  const { name = '' } = creation.intent.match
  let masked: Outcome & { record: Service }
  try {
    masked = await publishOnFailure(context, creation.outcome, () =>
      finishCopy(context, owner, rules, creation),
    )
  } catch (failure) {
    context.signal.throwIfAborted()
    const own = { ...creation.record, name }
    // The journal keeps the intent: the API may have created a duplicate, for which the post step searches.
    if (await deleteMasked(context, owner, own, { stage: 'masking', isCreatedHere: true }))
      context.journal.publish({ ...creation.outcome, record: undefined, result: undefined, deleted: true })
    throw failure
  }
  // From here on, neither this run nor its post step deletes the copy: other runs may fork it once it is renamed.
  context.journal.withdraw()
  const finished = renderFinishedName(name)
  await context.client.call('rename-service', { ...idsOf(owner, masked.record), name: finished })
  const record = { ...masked.record, name: finished }
  context.log.info(`${describeNamed(record)} is the newest masked copy of ${owner.sourceId}`)
  await deleteOlder(context, owner, record, before)
  return { ...masked, record, result: record }
}
