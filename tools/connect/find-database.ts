/** Finds the database to connect to: by the URL of the command line, or by the API. */
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import type { Client } from '#client/client'
import type { Connection } from '#postgres/connection'
import { hashRepository, parsePreviewName } from '#preview/base/name'
import type { Wanted } from './command-line.ts'

/** The database, and the service whose id its password is derived from. */
export interface FoundDatabase {
  serviceId: string
  connection: Connection
}

/** User, database and sslmode of every service of Tiger Cloud. */
const usualLogin = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }

/** Like src/github/event.ts: the host of a GitHub Enterprise Server; undefined for github.com. */
function serverOf({ GITHUB_SERVER_URL }: NodeJS.ProcessEnv): string | undefined {
  const host = URL.parse(GITHUB_SERVER_URL ?? '')?.host
  return host === 'github.com' ? undefined : host
}

/** The id of a repository, which is part of the names of previews: it survives a rename. */
async function readRepositoryId(
  seam: Pick<Seam, 'send'>,
  repository: string,
  { GITHUB_API_URL, GITHUB_TOKEN }: NodeJS.ProcessEnv,
): Promise<string> {
  const request = {
    method: 'GET',
    url: `${GITHUB_API_URL || 'https://api.github.com'}/repos/${repository}`,
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': 'managed-database-action',
      ...(GITHUB_TOKEN && { authorization: `Bearer ${GITHUB_TOKEN}` }),
    },
    ...{ timeout: 30_000, maxBytes: 1024 * 1024 },
  }
  const { status, body } = await seam.send(request).catch(failure => {
    throw new ActionError(
      `GitHub cannot be asked for the repository ${repository}: ${messageOf(failure)}`,
      'check GITHUB_API_URL and that this machine can reach it (proxy, firewall, DNS)',
      { cause: failure },
    )
  })
  const id: unknown = status === 200 ? JSON.parse(body).id : undefined
  if (Number.isInteger(id)) return String(id)
  throw new ActionError(
    `GitHub does not show the repository ${repository} (${status})`,
    'check --repo, and set GITHUB_TOKEN where the repository is private',
  )
}

/** The previews of a pull request, oldest first. With `hash` only those of that repository. */
function previewsOf(services: Service[], pullRequest: number, hash?: string) {
  const previews = services.flatMap(service => {
    const name = parsePreviewName(service.name)
    const isMatch = name?.pullRequest === pullRequest && (hash ?? name.repositoryHash) === name.repositoryHash
    return isMatch ? [{ service, name }] : []
  })
  return previews.sort((one, other) => (one.service.created ?? '').localeCompare(other.service.created ?? ''))
}

/** How a service becomes READY, by its status. */
const readyAdvice: Record<string, string> = {
  PAUSED: 'start it with the operation start-service, or, for a preview, push to its pull request',
  DELETED: 'push to its pull request, which creates another preview',
  DELETING: 'push to its pull request, which creates another preview',
}

/** @throws ActionError unless the service is READY */
export function connectionOf({ service_id, status = '', endpoint }: Service): FoundDatabase {
  if (status !== 'READY' || endpoint === undefined)
    throw new ActionError(
      `service ${service_id} is ${status || 'of no known status'}`,
      readyAdvice[status] ?? 'wait until it is READY',
    )
  return { serviceId: service_id, connection: { ...usualLogin, ...endpoint } }
}

/** Explains a missing preview: the pull request has none, or only previews with these other prefixes. */
function describeMissing(
  { pullRequest, prefix, repository }: Extract<Wanted, { pullRequest: number }>,
  projectId: string,
  prefixes: string[],
): ActionError {
  const others = [...new Set(prefixes)].sort()
  if (others.length > 0)
    return new ActionError(
      `pull request ${pullRequest} has no preview with the name_prefix ${prefix} in project ${projectId}`,
      `set --name-prefix to ${others.join(' or ')}`,
    )
  const where = repository === undefined ? '' : ` of ${repository}`
  return new ActionError(
    `pull request ${pullRequest}${where} has no preview in project ${projectId}`,
    'check the number of the pull request',
  )
}

/** The project of the keys. */
async function readProject(api: Client): Promise<string> {
  const project = (await api.call('get-auth-info', {})).apiKey?.project
  if (project !== undefined) return project.id
  throw new ActionError('the API does not name the project of the key', 'check DATABASE_PUBLIC_KEY')
}

export const readService = async (api: Client, service_id: string): Promise<Service> =>
  await api.call('get-service', { project_id: await readProject(api), service_id })

/**
 * @param clients of the API and GitHub: `client` throws if the environment has no keys
 * @throws ActionError if there is no such database, or it does not accept connections yet
 */
export async function findDatabase(
  wanted: Wanted,
  clients: { client(): Client; seam: Pick<Seam, 'send'>; environment: NodeJS.ProcessEnv },
): Promise<FoundDatabase> {
  const { client, seam, environment } = clients
  if ('serviceId' in wanted && wanted.url !== undefined)
    return { serviceId: wanted.serviceId, connection: { ...wanted.url, password: undefined } }
  const api = client()
  if ('serviceId' in wanted) return connectionOf(await readService(api, wanted.serviceId))
  const project_id = await readProject(api)
  const { pullRequest, prefix, repository } = wanted
  const hash =
    repository === undefined
      ? undefined
      : hashRepository(await readRepositoryId(seam, repository, environment), serverOf(environment))
  const previews = previewsOf(await api.call('list-services', { project_id }), pullRequest, hash)
  const found = previews.filter(({ name }) => name.prefix === prefix)
  const repositories = new Set(found.map(({ name }) => name.repositoryHash))
  if (repositories.size > 1)
    throw new ActionError(
      `${repositories.size} repositories have a preview with the name_prefix ${prefix} of a pull request ${pullRequest} in this project`,
      'name yours by --repo OWNER/NAME',
    )
  const [first] = found
  if (first === undefined)
    throw describeMissing(
      wanted,
      project_id,
      previews.map(({ name }) => name.prefix),
    )
  return connectionOf(first.service)
}
