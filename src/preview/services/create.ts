/** Creates the database of a preview: forks the parent, or creates an empty service. */
import type { Service } from '#api/records'
import { ApiError } from '#base/errors'
import type { CallOptions } from '#client/client'
import type { Calls, Creating } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { randomPart } from '#operations/base/unique-name'
import { createPlanned } from '#operations/create/create'
import type { Creation } from '#operations/create/create-once'
import { planService } from '#operations/create/intent'
import type { Preview } from '../base/identity.ts'
import { randomLength } from '../base/name.ts'
import type { PreviewParameters } from '../base/parameters.ts'

export type ForkStrategy = 'NOW' | 'LAST_SNAPSHOT'

/**
 * Whether a fork failed because the parent has no snapshot. The API reports that only in words: "doesn't yet have any
 * backups or snapshots available" (docs/internals/api.md, "Forks and snapshots").
 */
function isWithoutSnapshot(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    failure.status >= 400 &&
    failure.status < 500 &&
    /\bsnapshots?\b/i.test(failure.serverMessage)
  )
}

/** Forks the parent; without a snapshot, with its present data. Calls `onStrategy` before each request. */
async function forkParent(
  { client, log }: Calls,
  parentId: string,
  fields: {
    project_id: string
    name: string
    cpu_millis?: string | undefined
    memory_gbs?: string | undefined
  },
  strategy: ForkStrategy = 'LAST_SNAPSHOT',
  { options, onStrategy }: { options: CallOptions; onStrategy: (strategy: ForkStrategy) => void },
): Promise<Service> {
  const fork = async (fork_strategy: ForkStrategy) => {
    onStrategy(fork_strategy)
    // DEV even if the parent is PROD: a preview must be deletable.
    const parameters = { ...fields, service_id: parentId, fork_strategy, environment_tag: 'DEV' } as const
    return await client.call('fork-service', parameters, options)
  }
  log.info(
    strategy === 'NOW'
      ? `forking ${parentId} with its present data`
      : `forking the last snapshot of ${parentId} (for its present data, set fork_strategy: NOW)`,
  )
  try {
    return await fork(strategy)
  } catch (failure) {
    if (strategy !== 'LAST_SNAPSHOT' || !isWithoutSnapshot(failure)) throw failure
    log.warning(`${parentId} has no snapshot to fork from yet: forking its present data`, 'no snapshot yet')
    return await fork('NOW')
  }
}

interface CreationOptions {
  /** The outcome known right after the answer. */
  describe: (service: Service) => Outcome
  /** Called before each request. */
  onStrategy: (strategy: ForkStrategy) => void
  maxRequests: number
}

/** Creates a fork of the parent, or an empty service without one. */
export async function createPreview(
  context: Creating,
  { projectId, parentId, base }: Preview,
  given: PreviewParameters,
  { describe, onStrategy, maxRequests }: CreationOptions,
): Promise<Creation<Service>> {
  const name = `${base}-${randomPart(context.seam, randomLength)}`
  const { addons, region_code, cpu_millis, memory_gbs, fork_strategy } = given
  const fields = { project_id: projectId, name, cpu_millis, memory_gbs }
  const empty = { ...fields, addons, region_code, environment_tag: 'DEV' } as const
  return await createPlanned(
    context,
    planService(projectId, name, parentId),
    options =>
      parentId === undefined
        ? context.client.call('create-service', empty, options)
        : forkParent(context, parentId, fields, fork_strategy, { options, onStrategy }),
    ({ record }) => describe(record),
    maxRequests,
  )
}
