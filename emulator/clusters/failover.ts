import { rename } from 'node:fs/promises'
import type { Cluster } from './cluster.ts'
import type { ReplicaSet } from './replica-set.ts'
import { removeTree } from './tree.ts'

/**
 * Has the primary go on, at its own port, with the data of a standby, where its own are beyond repair. All that the
 * standby has received is there: every commit that waited for it.
 */
export async function takeOver(primary: Cluster, standby: ReplicaSet): Promise<void> {
  const lost = `${primary.data}-lost`
  await standby.cluster.stop('fast')
  await removeTree(lost)
  await rename(primary.data, lost)
  await rename(standby.cluster.data, primary.data)
  // Still a standby, but of nobody: it becomes a primary with a timeline of its own (PostgreSQL docs, "Failover").
  await primary.start()
  await primary.asAdmin(client => client.query('SELECT pg_promote()'))
  await removeTree(lost)
}
