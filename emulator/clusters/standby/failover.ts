/** Replaces a broken primary with a standby. */
import { rename } from 'node:fs/promises'
import { ifExists } from '../disk/files.ts'
import { removeTree } from '../disk/tree.ts'
import type { Cluster } from '../server/cluster.ts'
import type { HotStandby } from './hot-standby.ts'

/**
 * Lets the primary continue at its own port with the data of a standby, because its own data is lost. The
 * standby has every commit that waited for it. Idempotent: it can be repeated after any interruption.
 */
export async function takeOver(primary: Cluster, standby: HotStandby): Promise<void> {
  const { cluster } = standby
  const lost = `${primary.data}-lost`
  if (!cluster.address) await standby.start()
  // Starts a new timeline: the archive has the log of the old primary (PostgreSQL docs, "Failover").
  await cluster.asAdmin(client =>
    client.query('SELECT pg_promote() FROM pg_is_in_recovery() AS is_standby WHERE is_standby'),
  )
  await cluster.stop('fast')
  await removeTree(lost)
  await ifExists(rename(primary.data, lost))
  await rename(cluster.data, primary.data)
  await primary.start()
  await removeTree(lost)
}
