/** Creates the database of a preview: finds its parent, enforces `max_previews`, and forks the parent or creates an empty service. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { ActionError, ApiError } from '#base/errors'
import type { CallOptions } from '#client/client'
import type { Calls, Creating } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { type Created, createPlanned } from '#operations/create/create'
import type { Creation } from '#operations/create/create-once'
import { planCreation, randomPart } from '#operations/create/intent'
import { waitUntilSettled } from '#operations/wait/settled'
import type { WithSettings } from '../base/context.ts'
import { idsOf } from '../base/guard.ts'
import { listPreviews, type Preview } from '../base/identity.ts'
import { describeNamed, previewBaseOf, randomLength } from '../base/name.ts'
import { renderMoment } from '../base/origin.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { ageOf, renderStored } from '../base/services.ts'
import { findMasked, type MaskedOwner } from '../masked/copies.ts'
import { parseMaskedName } from '../masked/name.ts'

/** @throws ActionError if there is none: the service itself is no substitute */
async function findMaskedParent(context: Calls, owner: MaskedOwner): Promise<Service> {
  const [newest] = await findMasked(context, owner, 'masked')
  if (newest !== undefined) return newest
  const { projectId: project_id, sourceId: service_id } = owner
  const { name = '', forked_from } = await context.client.call('get-service', { project_id, service_id })
  const original = parseMaskedName(name) && forked_from?.service_id
  throw original === undefined
    ? new ActionError(
        `this repository has no masked copy of service ${service_id}: with masked: true, previews fork nothing else`,
        'run `operation: create-masked-parent` in a workflow of this repository, and check whether its last run failed',
      )
    : new ActionError(
        `service ${service_id} is itself a masked copy of service ${original}`,
        `set service_id to ${original}`,
      )
}

/** The copy with its age, which is the age of its data. */
function describeMaskedParent(context: Calls, parent: Service): string {
  const age = ageOf(context, parent)
  const old = age === undefined ? '' : `, ${renderDuration(age)} old`
  return `${describeNamed(parent)}, the newest masked copy, of ${renderMoment(parent.created) ?? 'an unknown moment'}${old}`
}

/**
 * Returns the preview with the service to fork now, which is the newest masked copy with `masked`. Waits until a copy
 * that is PAUSING can be forked, but not in a dry run. @throws ActionError if none exists
 */
export async function withParent(
  context: Calls & WithSettings<'dryRun'>,
  preview: Preview,
): Promise<Preview> {
  const { maskedFrom, projectId, repositoryHash } = preview
  if (maskedFrom === undefined) return preview
  const parent = await findMaskedParent(context, { projectId, repositoryHash, sourceId: maskedFrom })
  if (!context.settings.dryRun && parent.status === 'PAUSING') {
    const { goal } = endpoints['stop-service']
    await waitUntilSettled(context, { goal, ids: idsOf(preview, parent), startsWithCheck: true })
  }
  context.log.info(`the parent is ${describeMaskedParent(context, parent)}`)
  return { ...preview, parentId: parent.service_id, parentName: parent.name }
}

/** The number of previews that the error names. */
const mostNamed = 5

/** One database of each other preview of the repository with any prefix, oldest first. */
async function findOthers(context: Calls, preview: Preview): Promise<Service[]> {
  const previews = await listPreviews(context, preview)
  const first = Map.groupBy(previews, ({ name }) => previewBaseOf(name))
  first.delete(preview.base)
  return [...first.values()].flatMap(([oldest]) => oldest ?? [])
}

const renderServices = (services: Service[]) =>
  services
    .slice(0, mostNamed)
    .map(({ name, service_id, created }) => `${name} (${service_id}${created ? `, of ${created}` : ''})`)
    .join(', ')

/** Refuses previews beyond `max_previews`; concurrent runs may miss others. @throws ActionError naming the oldest */
export async function assertBelowLimit(context: Calls & WithSettings<'preview'>, preview: Preview) {
  const { maxPreviews } = context.settings.preview
  if (maxPreviews === undefined) return
  const others = await findOthers(context, preview)
  if (others.length < maxPreviews) return
  const stored = renderStored(...others)
  const storing = stored === undefined ? '' : `, which store ${stored}`
  throw new ActionError(
    `max_previews is ${maxPreviews}, and this repository has ${others.length} other preview${others.length === 1 ? '' : 's'}${storing}: ${preview.base} is not created`,
    `run prune-previews or close a pull request: the oldest previews are ${renderServices(others)}`,
  )
}

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

interface CreationOptions extends Pick<Outcome, 'operation' | 'pullRequest'> {
  /** Called before each request of a fork. */
  onStrategy?: (strategy: ForkStrategy) => void
  maxRequests?: number
}

/** Creates a fork of the parent, or an empty service without one. A parent without a snapshot is forked with its present data. */
export async function createDatabase(
  context: Creating,
  { projectId, parentId, base }: Pick<Preview, 'projectId' | 'parentId' | 'base'>,
  given: PreviewParameters,
  { onStrategy, maxRequests, ...about }: CreationOptions,
): Promise<Created<Service>> {
  const { client, log, seam } = context
  const { addons, region_code, cpu_millis, memory_gbs, fork_strategy = 'LAST_SNAPSHOT' } = given
  const name = `${base}-${randomPart(seam, randomLength)}`
  // DEV even if the parent is PROD: a preview must be deletable.
  const fields = { project_id: projectId, name, cpu_millis, memory_gbs, environment_tag: 'DEV' } as const
  const post = async (options: CallOptions): Promise<Service> => {
    if (parentId === undefined)
      return await client.call('create-service', { ...fields, addons, region_code }, options)
    const fork = async (strategy: ForkStrategy) => {
      onStrategy?.(strategy)
      const parameters = { ...fields, service_id: parentId, fork_strategy: strategy }
      return await client.call('fork-service', parameters, options)
    }
    log.info(
      fork_strategy === 'NOW'
        ? `forking ${parentId} with its present data`
        : `forking the last snapshot of ${parentId} (for its present data, set fork_strategy: NOW)`,
    )
    try {
      return await fork(fork_strategy)
    } catch (failure) {
      if (fork_strategy === 'NOW' || !isWithoutSnapshot(failure)) throw failure
      log.warning(`${parentId} has no snapshot to fork from yet: forking its present data`, 'no snapshot yet')
      return await fork('NOW')
    }
  }
  const describe = ({ record }: Creation<Service>): Outcome => ({
    ...about,
    resource: 'service',
    ids: idsOf({ projectId }, record),
    record,
    result: record,
    created: true,
    changed: true,
    initialPassword: record.initial_password,
  })
  const operation = parentId === undefined ? 'create-service' : 'fork-service'
  const call = { operation, ids: { project_id: projectId }, isUniqueName: true, parentId } as const
  const plan = await planCreation(client, { ...call, resource: 'service' }, fields)
  return await createPlanned(context, plan, post, describe, maxRequests)
}
