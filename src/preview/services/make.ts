/** Finds the parent of a preview, and creates its database. */

import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { ApiError } from '#base/errors'
import type { CallOptions } from '#client/client'
import type { Calls, Creating } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { randomPart } from '#operations/base/unique-name'
import { createPlanned } from '#operations/create/create'
import type { Creation } from '#operations/create/create-once'
import { planService } from '#operations/create/intent'
import { waitUntilSettled } from '#operations/wait/settled'
import { ageOf } from '../base/age.ts'
import { idsOf } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { describeNamed, randomLength } from '../base/name.ts'
import { renderMoment } from '../base/origin.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { findMaskedParent } from '../masked/copies.ts'

/** The copy with its age, which is the age of its data. */
function describeMaskedParent(context: Calls, parent: Service): string {
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

async function forkParent(
  { client, log }: Calls,
  fields: { project_id: string; name: string },
  parentId: string,
  { cpu_millis, memory_gbs, fork_strategy = 'LAST_SNAPSHOT' }: PreviewParameters,
  { options, onStrategy }: { options: CallOptions; onStrategy: (strategy: ForkStrategy) => void },
): Promise<Service> {
  const fork = async (strategy: ForkStrategy) => {
    onStrategy(strategy)
    const size = { cpu_millis, memory_gbs }
    // DEV even if the parent is PROD: a preview must be deletable.
    const made = { service_id: parentId, fork_strategy: strategy, environment_tag: 'DEV' } as const
    return await client.call('fork-service', { ...fields, ...size, ...made }, options)
  }
  log.info(
    fork_strategy === 'NOW'
      ? `forking ${parentId} with its present data`
      : `forking the last snapshot of ${parentId} (for its present data, set fork_strategy: NOW)`,
  )
  try {
    return await fork(fork_strategy)
  } catch (failure) {
    if (fork_strategy !== 'LAST_SNAPSHOT' || !isWithoutSnapshot(failure)) throw failure
    log.warning(`${parentId} has no snapshot to fork from yet: forking its present data`, 'no snapshot yet')
    return await fork('NOW')
  }
}

/** Creates a fork of the parent, or an empty service without one. Calls `onStrategy` before each request. */
export async function makePreview(
  context: Creating,
  { projectId, parentId, base }: Preview,
  given: PreviewParameters,
  describe: (service: Service) => Outcome,
  onStrategy: (strategy: ForkStrategy) => void,
): Promise<Creation<Service>> {
  const name = `${base}-${randomPart(context.seam, randomLength)}`
  const fields = { project_id: projectId, name }
  const { addons, region_code, cpu_millis, memory_gbs } = given
  const empty = { ...fields, addons, region_code, cpu_millis, memory_gbs, environment_tag: 'DEV' } as const
  return await createPlanned(
    context,
    planService(projectId, name, parentId),
    options =>
      parentId === undefined
        ? context.client.call('create-service', empty, options)
        : forkParent(context, fields, parentId, given, { options, onStrategy }),
    ({ record }) => describe(record),
  )
}
