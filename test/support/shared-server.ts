import { openClusters } from '../../emulator/clusters/clusters.ts'
import { ownPorts } from './own-ports.ts'

/** As a step that makes a service gives them. */
type Login = Record<'host' | 'port' | 'user' | 'password' | 'database', string>

let server: Promise<Login> | undefined

async function start(): Promise<Login> {
  const password = 'shared'
  const clusters = await openClusters({ ports: ownPorts, snapshotAfter: 3_600_000 })
  const { host, port } = await clusters.createService('shared', password)
  return { host, port: String(port), user: 'tsdbadmin', password, database: 'tsdb' }
}

/**
 * The server of a service, for files that make databases of their own in it. All files of a worker share one; with the
 * worker it ends, and its folder goes.
 */
export function shareServer(): Promise<Login> {
  server ??= start()
  return server
}
