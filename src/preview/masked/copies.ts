/** Finds the masked copies of a service, guards their deletion, and deletes older and unfinished ones. */
import type { Service } from '#api/records'
import { isEnding, protectingTag } from '#api/service-states'
import { renderAdvised } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { requestDeletion } from '#operations/cleanup/request-deletion'
import { byAge } from '#operations/create/intent'
import { idsOf } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { ageOf, listNamed } from '../base/services.ts'
import { parseMaskedName, type Stage } from './name.ts'

/** The repository that owns masked copies, and the service that they copy. */
export interface MaskedOwner {
  projectId: string
  repositoryHash: string
  /** The service from which the copies are forked: production. */
  sourceId: string
}

/**
 * Why a service must not be deleted as a masked copy at this stage. Every delete of a masked copy calls this first, on
 * a record just read.
 * @param isCreatedHere this run generated its random name, so it owns the service even while the record names no parent
 */
export function reasonToKeepMasked(
  service: Service,
  { repositoryHash, sourceId }: MaskedOwner,
  { stage, isCreatedHere = false }: { stage: Stage; isCreatedHere?: boolean },
): string | undefined {
  if (service.service_id === sourceId) return 'it is the service that is copied'
  const name = parseMaskedName(service.name)
  if (name?.stage !== stage) return `its name does not match ${stage}-…`
  if (name.repositoryHash !== repositoryHash) return 'it belongs to another repository'
  const tag = protectingTag(service)
  if (tag !== undefined) return `it is tagged ${tag}`
  const origin = service.forked_from?.service_id
  if (origin !== sourceId && !(isCreatedHere && origin === undefined)) return `it is no fork of ${sourceId}`
  return undefined
}

/** The masked copies of a service at this stage, newest first, without those being deleted. */
export async function findMasked(context: Calls, owner: MaskedOwner, stage: Stage): Promise<Service[]> {
  const services = await listNamed(context, owner.projectId, name => parseMaskedName(name)?.stage === stage)
  return services
    .filter(service => !isEnding(service) && reasonToKeepMasked(service, owner, { stage }) === undefined)
    .sort(byAge('service'))
    .reverse()
}

/** Milliseconds after which an unfinished copy counts as abandoned: no job lasts so long. */
const longestWork = 6 * 60 * 60_000

/** The number of finished copies to keep: the newest, and one that a preview may be forking now. */
const keptCopies = 2

/** Deletes a masked copy if the guard allows it on a fresh record. Returns whether it did; a failure is a warning. */
export async function deleteMasked(
  context: Calls,
  owner: MaskedOwner,
  found: Service,
  guard: { stage: Stage; isCreatedHere?: boolean },
): Promise<boolean> {
  const { client, log, signal } = context
  const ids = idsOf(owner, found)
  try {
    const record = (await readRecord(client, 'service', ids)) ?? found
    const reason = reasonToKeepMasked(record, owner, guard)
    if (reason !== undefined) {
      log.warning(`${describeNamed(record)} is not deleted: ${reason}`, 'not deleted')
      return false
    }
    log.info(`deleting ${describeNamed(record)}`)
    await requestDeletion(context, 'service', ids)
    return true
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `${describeNamed(found)} could not be deleted, and costs money until a later run of create-masked-parent deletes it: ${renderAdvised(failure)}`,
      'not deleted',
    )
    return false
  }
}

/** Deletes the copies that killed runs left unfinished. */
export async function deleteAbandoned(context: Calls, owner: MaskedOwner): Promise<void> {
  const { deadline, seam } = context
  // Other runs probably have the same time limit as this one.
  const longest = Math.max(longestWork, deadline - seam.now())
  for (const service of await findMasked(context, owner, 'masking'))
    if ((ageOf(context, service) ?? 0) > longest)
      await deleteMasked(context, owner, service, { stage: 'masking' })
}

/**
 * Deletes finished copies that existed `before` the run, except the newest. Copies that other runs finished meanwhile
 * are as new as this run's own, which the list may not show under its new name yet. A failure is a warning.
 */
export async function deleteOlder(context: Calls, owner: MaskedOwner, own: Service, before: Service[]) {
  const { log, signal } = context
  const ids = before.map(({ service_id }) => service_id)
  try {
    const found = await findMasked(context, owner, 'masked')
    const others = found.filter(({ service_id }) => service_id !== own.service_id)
    for (const service of others.slice(keptCopies - 1).filter(({ service_id }) => ids.includes(service_id)))
      await deleteMasked(context, owner, service, { stage: 'masked' })
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `older masked copies are not deleted, and cost money until the next night: ${renderAdvised(failure)}`,
      'not deleted',
    )
  }
}
