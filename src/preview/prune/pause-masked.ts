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
import { reasonInUse, stop } from './pause.ts'

/** Why a masked copy keeps running, by a record just read and finally by its own database. */
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

async function pause(
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
  const isPaused = reason === undefined && !settings.dryRun
  log.info(
    `${describeNamed(service)}: ${reason === undefined ? (isPaused ? 'pausing it' : 'would pause it') : `not paused, ${reason}`}`,
  )
  if (isPaused) await stop(context, ids)
  return isPaused
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
  let isAny = false
  try {
    for (const copy of await findMasked(context, owner, 'masked'))
      isAny = (await pause(context, owner, copy, pauseAfter)) || isAny
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(`masked copies are not paused: ${renderAdvised(failure)}`, 'not paused')
  }
  return isAny
}
