/** Pauses unused masked parents. */
import type { Service } from '#api/records'
import { isReady } from '#api/service-states'
import { renderDuration } from '#base/duration'
import { renderAdvised } from '#base/errors'
import type { Calls, Databases } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { ageOf } from '../base/age.ts'
import type { WithSettings } from '../base/context.ts'
import { idsOf, type Owner } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { findMasked, type MaskedOwner, reasonToKeepMasked } from '../masked/copies.ts'
import { pauseService, reasonInUse } from './pause.ts'

/** Why a masked copy is not paused, by a record just read and finally by its own database. */
async function reasonToRun(
  context: Calls & Databases,
  owner: MaskedOwner,
  service: Service,
  pauseAfter: number,
): Promise<string | undefined> {
  const guarded = reasonToKeepMasked(service, owner, { stage: 'masked' })
  if (guarded !== undefined) return guarded
  if (!isReady(service)) return `it is ${service.status ?? 'of no known status'}`
  if ((ageOf(context, service) ?? 0) < pauseAfter) return `younger than ${renderDuration(pauseAfter)}`
  return await reasonInUse(context, service, pauseAfter)
}

/** Pauses a copy after a last check. Returns whether it did. */
async function pauseIfIdle(
  context: Calls & Databases & WithSettings<'dryRun' | 'wait'>,
  owner: MaskedOwner,
  found: Service,
  pauseAfter: number,
): Promise<boolean> {
  const { client, log, settings } = context
  const ids = idsOf(owner, found)
  const service = await readRecord(client, 'service', ids)
  if (service === undefined) return false
  const reason = await reasonToRun(context, owner, service, pauseAfter)
  if (reason !== undefined) {
    log.info(`${describeNamed(service)}: not paused, ${reason}`)
    return false
  }
  if (settings.dryRun) {
    log.info(`${describeNamed(service)}: would pause it`)
    return false
  }
  log.info(`${describeNamed(service)}: pausing it`)
  await pauseService(context, ids)
  return true
}

/**
 * Pauses the masked copies unused for `pause_after`: previews can be forked from a paused copy. Any doubt keeps a copy
 * running. @returns whether any was paused
 */
export async function pauseMasked(
  context: Calls & Databases & WithSettings<'dryRun' | 'preview' | 'wait'>,
  { projectId, repositoryHash, maskedFrom: sourceId }: Owner,
): Promise<boolean> {
  const { pauseAfter } = context.settings.preview
  if (pauseAfter === undefined || sourceId === undefined) return false
  const owner = { projectId, repositoryHash, sourceId }
  let isAnyPaused = false
  try {
    for (const copy of await findMasked(context, owner, 'masked'))
      if (await pauseIfIdle(context, owner, copy, pauseAfter)) isAnyPaused = true
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(`masked copies are not paused: ${renderAdvised(failure)}`, 'not paused')
  }
  return isAnyPaused
}
