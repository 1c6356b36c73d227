/** Finds the service that a new preview forks. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import { ActionError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { waitUntilSettled } from '#operations/wait/settled'
import { ageOf } from '../base/age.ts'
import { idsOf } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { describeNamed } from '../base/name.ts'
import { renderMoment } from '../base/origin.ts'
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
 * Returns the preview with the service to fork now, which is the newest masked copy with `masked`. `wait`: waits until a
 * copy that is PAUSING can be forked. @throws ActionError if none exists
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
