/** Deletes masked copies: older ones, and those that a run left unfinished. */
import type { Service } from '#api/records'
import { renderAdvised } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { askToDelete } from '#operations/cleanup/ask-to-delete'
import { ageOf } from '../base/age.ts'
import { idsOf } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { findMasked, type MaskedOwner, reasonToKeepMasked } from './copies.ts'
import type { Stage } from './name.ts'

/** Milliseconds. No job lasts so long, so a copy in work for longer belongs to a killed run. */
const longestWork = 6 * 60 * 60_000

/** The number of finished copies to keep: the newest, and one that a preview may be forking now. */
const kept = 2

/**
 * Deletes a masked copy if the guard allows it on a record just read. Returns whether the API accepted that. A failure
 * is a warning.
 */
export async function removeMasked(
  context: Calls,
  owner: MaskedOwner,
  found: Service,
  which: { stage: Stage; isCreatedHere?: boolean },
): Promise<boolean> {
  const { client, log, signal } = context
  const ids = idsOf(owner, found)
  try {
    const record = (await readRecord(client, 'service', ids)) ?? found
    const reason = reasonToKeepMasked(record, owner, which)
    if (reason !== undefined) {
      log.warning(`${describeNamed(record)} is not deleted: ${reason}`, 'not deleted')
      return false
    }
    log.info(`deleting ${describeNamed(record)}`)
    await askToDelete(context, 'service', ids)
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

export async function removeAbandoned(context: Calls, owner: MaskedOwner): Promise<void> {
  const { deadline, seam } = context
  // A run with a longer limit is probably not the only one.
  const longest = Math.max(longestWork, deadline - seam.now())
  for (const service of await findMasked(context, owner, 'masking'))
    if ((ageOf(context, service) ?? 0) > longest)
      await removeMasked(context, owner, service, { stage: 'masking' })
}

/**
 * Deletes finished copies that existed `before` the run, except the newest. Copies that other runs finished meanwhile
 * are as new as this run's own, which the list may not show under its new name yet. A failure is a warning.
 */
export async function removeOlder(
  context: Calls,
  owner: MaskedOwner,
  own: Service,
  before: Service[],
): Promise<void> {
  const { log, signal } = context
  const ids = before.map(({ service_id }) => service_id)
  try {
    const found = await findMasked(context, owner, 'masked')
    const others = found.filter(({ service_id }) => service_id !== own.service_id)
    for (const service of others.slice(kept - 1).filter(({ service_id }) => ids.includes(service_id)))
      await removeMasked(context, owner, service, { stage: 'masked' })
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `older masked copies are not deleted, and cost money until the next night: ${renderAdvised(failure)}`,
      'not deleted',
    )
  }
}
