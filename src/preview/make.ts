import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import type { CallOptions } from '../client/client.ts'
import { ApiError, UnreadableAnswerError } from '../client/errors.ts'
import type { Context, GivenParameters } from '../operations/context.ts'
import { type Creation, createOnce } from '../operations/create-once.ts'
import type { Plan } from '../operations/intent.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { Preview } from './identity.ts'

type ForkStrategy = 'NOW' | 'LAST_SNAPSHOT'

/** The API has no code for it: "doesn't yet have any backups or snapshots available" (API.md). */
function isWithoutSnapshot(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    failure.status >= 400 &&
    failure.status < 500 &&
    /\bsnapshots?\b/i.test(failure.serverMessage)
  )
}

/** The fields of the inputs that a fork or a new service takes, as given. */
const pick = (given: GivenParameters, names: string[]) =>
  Object.fromEntries(names.filter(name => given[name] !== undefined).map(name => [name, given[name]]))

async function fork(
  context: Context,
  preview: Preview & { parentId: string },
  given: GivenParameters,
  fork_strategy: ForkStrategy,
  options: CallOptions,
): Promise<Service> {
  const fields = {
    ...pick(given, ['cpu_millis', 'memory_gbs']),
    project_id: preview.projectId,
    service_id: preview.parentId,
    name: preview.name,
    fork_strategy,
    // Whatever its parent is: a preview must stay deletable.
    environment_tag: 'DEV',
  } as const
  const service = await context.client.call('fork-service', fields, options)
  if (service.service_id !== preview.parentId) return service
  throw new UnreadableAnswerError(
    { operation: 'fork-service', method: 'POST', path: endpoints['fork-service'].path },
    {
      status: 202,
      contentType: 'application/json',
      problem: "where the fork's id is the parent's own",
      next: 'report this to the owner of the server; the parent was not touched',
    },
  )
}

async function forkParent(
  context: Context,
  preview: Preview & { parentId: string },
  given: GivenParameters,
  options: CallOptions,
): Promise<Service> {
  const strategy: ForkStrategy = (given.fork_strategy as ForkStrategy | undefined) ?? 'LAST_SNAPSHOT'
  context.log.info(
    strategy === 'NOW'
      ? `forking ${preview.parentId} with its data of this moment`
      : `forking the last snapshot of ${preview.parentId}; fork_strategy: NOW takes its data of this moment`,
  )
  try {
    return await fork(context, preview, given, strategy, options)
  } catch (failure) {
    if (strategy !== 'LAST_SNAPSHOT' || !isWithoutSnapshot(failure)) throw failure
    context.log.warning(`${preview.parentId} has no snapshot to fork from yet: forking its data of NOW`)
    return await fork(context, preview, given, 'NOW', options)
  }
}

async function createEmpty(
  context: Context,
  preview: Preview,
  given: GivenParameters,
  options: CallOptions,
): Promise<Service> {
  const fields = {
    ...pick(given, ['addons', 'region_code', 'cpu_millis', 'memory_gbs']),
    project_id: preview.projectId,
    name: preview.name,
    environment_tag: 'DEV',
  } as const
  return await context.client.call('create-service', fields, options)
}

/** Other runs of the pull request create the same name: what is there in the end is sorted out by `converge`. */
function planOf({ parentId, projectId, name }: Preview): Plan {
  return {
    operation: parentId === undefined ? 'create-service' : 'fork-service',
    resource: 'service',
    ids: { project_id: projectId },
    match: { name },
    // It was looked for just now, and there was none. The parent may have any name.
    existing: parentId === undefined ? [] : [parentId],
    unique: false,
    production: false,
  }
}

/** Makes the preview's database: a fork of the parent, or without one an empty service (DESIGN rules 1 and 2). */
export async function makePreview(
  context: Context,
  preview: Preview,
  given: GivenParameters,
  announce: (service: Service) => Outcome,
): Promise<Creation<Service>> {
  const { parentId, projectId } = preview
  const creation = await createOnce(context, planOf(preview), options =>
    parentId === undefined
      ? createEmpty(context, preview, given, options)
      : forkParent(context, { ...preview, parentId }, given, options),
  )
  const { service_id } = creation.record
  context.journal.created(
    { resource: 'service', ids: { project_id: projectId, service_id } },
    announce(creation.record),
  )
  return creation
}
