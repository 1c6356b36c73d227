import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import type { GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import { resolveProjectId } from '../operations/project.ts'
import { waitUntilSettled } from '../operations/settled.ts'
import type { PreviewContext } from './context.ts'
import { findPreviews, identifyPreview, isEnding, ownershipOf } from './identity.ts'
import { checkConnection, checkDerivedPassword } from './login.ts'
import { parsePreviewName } from './name.ts'
import { PreviewError } from './preview-error.ts'

async function findService(
  given: GivenParameters,
  context: PreviewContext,
): Promise<Service & { project_id: string }> {
  const service_id = given.service_id as string | undefined
  if (service_id !== undefined) {
    const project_id = await resolveProjectId(context)
    return { ...(await context.client.call('get-service', { project_id, service_id })), project_id }
  }
  const preview = await identifyPreview(context, given)
  const [service] = (await findPreviews(context, preview)).filter(found => !isEnding(found))
  if (service) return { ...service, project_id: preview.projectId }
  throw new PreviewError(
    `there is no preview ${preview.base}`,
    'run create-preview first, in the same project, with the same name_prefix and pull request',
  )
}

/** Waits for a service that is on its way; nothing is started or changed for it. */
async function settle(service: Service & { project_id: string }, context: PreviewContext): Promise<Service> {
  if (service.status === 'PAUSED' || service.status === 'PAUSING') {
    throw new PreviewError(
      `service ${service.service_id} is ${service.status}`,
      'start it with start-service, a preview also with create-preview',
    )
  }
  if (!context.settings.wait || (service.status === 'READY' && service.endpoint)) return service
  const ids = { project_id: service.project_id, service_id: service.service_id }
  const { settled } = endpoints['start-service']
  const { record } = await waitUntilSettled(context, {
    settled,
    asked: {},
    ids,
    justCreated: false,
    lookAtOnce: true,
  })
  return record as Service
}

/** Whose user and password opens a database: a standby has those of its primary (docs/api.md, "Read replica sets"). */
async function findOwner(service: Service, project_id: string, { client }: PreviewContext): Promise<Service> {
  const { is_standby, service_id } = service.forked_from ?? {}
  if (!is_standby || service_id === undefined) return service
  return await client.call('get-service', { project_id, service_id })
}

/**
 * The connection of a preview or any service, in any job, with nothing changed on the server. The password is
 * known where it was derived: for previews of this repository, made with the same password_secret.
 *
 * @throws WrongSecretError where it is another one that opens the database
 */
export async function getConnection(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const found = await findService(given, context)
  const service = await settle(found, context)
  const owner = await findOwner(service, found.project_id, context)
  const name = parsePreviewName(owner.name ?? '')
  const derived = name?.repositoryHash === ownershipOf(context, {}).repositoryHash
  const password = derived ? context.derivePassword(owner.service_id) : undefined
  if (password !== undefined) context.mask(password)
  else
    context.log.info(
      `service ${service.service_id} is no preview of this repository: its password is not known here`,
    )
  const outcome: Outcome = {
    operation: 'get-connection',
    resource: 'service',
    ids: { project_id: found.project_id, service_id: service.service_id },
    record: service,
    result: service,
    password,
    pullRequest: derived ? name?.pullRequest : undefined,
  }
  if (password === undefined) await checkConnection(context, outcome)
  else await checkDerivedPassword(context, { ...outcome, password }, service, found.status !== 'READY')
  return outcome
}
