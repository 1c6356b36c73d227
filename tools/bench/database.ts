/** Opens a database for benchmarks and histories. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'

/** The connection details of a database. */
export interface Server {
  host: string
  port: number
  user: string
  password: string
  database: string
  sslmode: string
}

/** Uses a new database of the emulator, and a temporary folder, and deletes both. */
export async function withDatabase<Result>(
  name: string,
  use: (server: Server, folder: string) => Promise<Result>,
  programs?: string,
): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), `${name}-`))
  // For the account of PostgreSQL, where this process is root.
  chmodSync(root, 0o755)
  const clusters = await openClusters({ root, snapshotAfter: 86_400_000, ...(programs && { programs }) })
  try {
    const password = 'a-password-of-the-benchmarks'
    const { host, port } = await clusters.createService(name, password)
    return await use({ host, port, user: 'tsdbadmin', password, database: 'tsdb', sslmode: 'require' }, root)
  } finally {
    await clusters.close()
    rmSync(root, { recursive: true, force: true })
  }
}
