/** Finds the parent of a preview, and creates its database. */

import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { ApiError } from '#base/errors'
import type { CallOptions } from '#client/client'
import type { Calls, Creating } from '#operations/base/context'
import type { Plan } from '#operations/base/journaled'
import type { Outcome } from '#operations/base/outcome'
import { randomPart } from '#operations/base/unique-name'
import { createPlanned } from '#operations/create/create'
import type { Creation } from '#operations/create/create-once'
import { waitUntilSettled } from '#operations/wait/settled'
import { ageOf } from '../base/age.ts'
import { idsOf } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { describeNamed, randomLength } from '../base/name.ts'
import { renderMoment } from '../base/origin.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { findMaskedParent } from '../masked/copies.ts'

/** The copy with its age, which is the age of its data. */
export function describeMaskedParent(context: Calls, parent: Service): string {
  const age = ageOf(context, parent)
  const old = age === undefined ? '' : `, ${renderDuration(age)} old`
  return `${describeNamed(parent)}, the newest masked copy, of ${renderMoment(parent.created) ?? 'an unknown moment'}${old}`
}

/**
 * The preview with the service to fork now: with `masked` the newest masked copy. `wait`: until a copy that prune is
 * pausing can be forked again. @throws MaskedParentError if none exists
 */
export async function withParent(context: Calls, preview: Preview, { wait = false } = {}): Promise<Preview> {
  const { maskedFrom, projectId, repositoryHash } = preview
  if (maskedFrom === undefined) return preview
  const parent = await findMaskedParent(context, { projectId, repositoryHash, sourceId: maskedFrom })
  if (wait && parent.status === 'PAUSING') {
    const { goal } = endpoints['stop-service']
    await waitUntilSettled(context, { goal, ids: idsOf(preview, parent), startsWithCheck: true })
  }
  context.log.info(`the parent is ${describeMaskedParent(context, parent)}`)
  return { ...preview, parentId: parent.service_id, parentName: parent.name }
}

type Making = Preview & { name: string }

export type ForkStrategy = 'NOW' | 'LAST_SNAPSHOT'

/**
 * The API has no code for this, only the words "doesn't yet have any backups or snapshots available"
 * (docs/internals/api.md, "Forks and snapshots").
 */
function isWithoutSnapshot(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    failure.status >= 400 &&
    failure.status < 500 &&
    /\bsnapshots?\b/i.test(failure.serverMessage)
  )
}

async function fork(
  context: Calls,
  { projectId, parentId, name }: Making & { parentId: string },
  { cpu_millis, memory_gbs }: PreviewParameters,
  fork_strategy: ForkStrategy,
  options: CallOptions,
): Promise<Service> {
  const fields = {
    cpu_millis,
    memory_gbs,
    project_id: projectId,
    service_id: parentId,
    name,
    fork_strategy,
    // Even if the parent is PROD: a preview must be deletable.
    environment_tag: 'DEV',
  } as const
  return await context.client.call('fork-service', fields, options)
}

async function forkParent(
  context: Calls,
  making: Making & { parentId: string },
  given: PreviewParameters,
  options: CallOptions,
  onStrategy: (strategy: ForkStrategy) => void,
): Promise<Service> {
  const strategy = given.fork_strategy ?? 'LAST_SNAPSHOT'
  context.log.info(
    strategy === 'NOW'
      ? `forking ${making.parentId} with its present data`
      : `forking the last snapshot of ${making.parentId} (for its present data, set fork_strategy: NOW)`,
  )
  onStrategy(strategy)
  try {
    return await fork(context, making, given, strategy, options)
  } catch (failure) {
    if (strategy !== 'LAST_SNAPSHOT' || !isWithoutSnapshot(failure)) throw failure
    context.log.warning(
      `${making.parentId} has no snapshot to fork from yet: forking its data of NOW`,
      'no snapshot yet',
    )
    onStrategy('NOW')
    return await fork(context, making, given, 'NOW', options)
  }
}

async function createEmpty(
  context: Calls,
  { projectId, name }: Making,
  { addons, region_code, cpu_millis, memory_gbs }: PreviewParameters,
  options: CallOptions,
): Promise<Service> {
  const fields = {
    addons,
    region_code,
    cpu_millis,
    memory_gbs,
    project_id: projectId,
    name,
    environment_tag: 'DEV',
  } as const
  return await context.client.call('create-service', fields, options)
}

function planOf({ parentId, projectId, name }: Making): Plan {
  return {
    operation: parentId === undefined ? 'create-service' : 'fork-service',
    resource: 'service',
    ids: { project_id: projectId },
    match: { name },
    // Concurrent runs may create their own, each with another random part: the reconciliation decides which one stays.
    isUniqueName: true,
    existing: [],
    parentId,
    production: false,
  }
}

/** Creates a fork of the parent, or an empty service without one. Calls `onStrategy` before each request. */
export async function makePreview(
  context: Creating,
  preview: Preview,
  given: PreviewParameters,
  describe: (service: Service) => Outcome,
  onStrategy: (strategy: ForkStrategy) => void,
): Promise<Creation<Service>> {
  const { parentId } = preview
  const making = { ...preview, name: `${preview.base}-${randomPart(context.seam, randomLength)}` }
  return await createPlanned(
    context,
    planOf(making),
    options =>
      parentId === undefined
        ? createEmpty(context, making, given, options)
        : forkParent(context, { ...making, parentId }, given, options, onStrategy),
    ({ record }) => describe(record),
  )
}
