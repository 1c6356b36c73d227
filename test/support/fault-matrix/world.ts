/** Opens the servers of a row of the fault matrix. */
import { createServer } from 'node:http'
import type { Service } from '#api/records'
import { hashRepository, renderPreviewBase } from '#preview/base/name'
import { createCertificate } from '../../../emulator/clusters/installation/certificate.ts'
import { seeded } from '../../emulator/support/virtual-store.ts'
import { LocalServers } from '../local-servers.ts'
import { openRepository, type Repository } from '../pull-request.ts'

/** The environment of a row: its own API, GitHub and second origin. */
export interface World {
  repository: Repository
  /** A service to fork, an hour old. */
  parent: string
  /** The address of another origin; nothing is to arrive there. */
  elsewhere: string
  /** The number of requests to the other origin, at any of its addresses. */
  strayed(): number
  /** Creates an hour-old preview of the parent for a new pull request. Returns the service's id. */
  createPreview(state: 'open' | 'closed'): string
  createService(name: string): string
  /** Ends the preparation: ages all records by an hour. */
  begin(): void
  /** All services of the API, the parent first. */
  services(): string[]
  /** Lets all pending work of the API finish. */
  settle(): void
  stop(): Promise<void>
}

const minute = 60_000

/** Opens a world. The API draws the same values each time, so that two runs can be compared. */
export async function openWorld(scheme: 'http' | 'https'): Promise<World> {
  let behind = 61 * minute
  let strayed = 0
  const servers = new LocalServers()
  const [port, repository] = await Promise.all([
    servers.listen(
      createServer((_, response) => {
        strayed += 1
        response.end()
      }),
    ),
    openRepository({
      databases: 'invented',
      random: seeded(1),
      now: () => Date.now() - behind,
      ...(scheme === 'https' && { https: createCertificate() }),
    }),
  ])
  const { store } = repository.bench.emulator
  const project_id = store.project.id

  const createService = (name: string) =>
    (store.call('create-service', { project_id, name }).body as Service).service_id
  const parent = createService('production')
  behind -= minute

  function createPreview(state: 'open' | 'closed'): string {
    const { github } = repository
    const pullRequest = github.openPullRequest()
    if (state === 'closed') github.closePullRequest(pullRequest)
    const repositoryHash = hashRepository(github.environment.GITHUB_REPOSITORY_ID, 'github.example')
    const base = renderPreviewBase({ prefix: 'preview', pullRequest, repositoryHash })
    const fork = { project_id, service_id: parent, fork_strategy: 'NOW', name: `${base}-matrix` } as const
    return (store.call('fork-service', fork).body as Service).service_id
  }

  return {
    repository,
    parent,
    elsewhere: `http://127.0.0.1:${port}/public/api/v1`,
    strayed: () => strayed,
    createPreview,
    createService,
    services() {
      const { body } = store.call('list-services', { project_id })
      return (body as Service[]).map(({ service_id }) => service_id)
    },
    begin() {
      behind = 0
    },
    settle() {
      behind -= minute
    },
    async stop() {
      await Promise.all([servers.close(), repository.stop()])
    },
  }
}
