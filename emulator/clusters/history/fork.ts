/** Copies the data of a service as of a given point. */
import path from 'node:path'
import type { ForkPoint } from '../../data-plane.ts'
import { copyDataFolder } from '../disk/copy-data-folder.ts'
import { writeOwned } from '../disk/files.ts'
import { copyWal } from '../disk/wal.ts'
import { ClusterError } from '../errors.ts'
import type { Settings } from '../installation/settings.ts'
import type { Cluster } from '../server/cluster.ts'
import { copyStopped, takeBaseBackup } from './base-backup.ts'
import type { History } from './history.ts'
import { commitAfter } from './moments.ts'

async function copyNow(cluster: Cluster, to: string): Promise<Settings> {
  if (cluster.address) await takeBaseBackup(cluster, to)
  else await copyStopped(cluster, to)
  return {}
}

/** Ensures that a finished segment contains a commit after the time. Returns the name of the segment. */
async function finishSegmentAfter(cluster: Cluster, time: Date): Promise<string> {
  return cluster.asAdmin(async client => {
    await commitAfter(client, time)
    const { rows } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name')
    if (!rows[0]) throw new ClusterError('pg_switch_wal gave no result.')
    return rows[0].name
  })
}

function describeEarliest({ id, snapshots }: History, time: Date): string {
  const earliest = snapshots.earliest?.toISOString()
  const refusal = `The service ${id} cannot be restored to ${time.toISOString()}`
  return earliest
    ? `${refusal}: the earliest time possible is ${earliest}.`
    : `${refusal}: it has no backup yet.`
}

/** Copies a base backup with the log up to `time` (PostgreSQL docs, "Recovering Using a Continuous Archive Backup"). */
async function copyForTime(history: History, time: Date, to: string): Promise<Settings> {
  const { cluster, snapshots, stoppedAt } = history
  if (stoppedAt && time >= stoppedAt) return copyNow(cluster, to)
  const backup = snapshots.findBackup(time)
  if (!backup) throw new ClusterError(describeEarliest(history, time))

  const lastWal = cluster.address ? await finishSegmentAfter(cluster, time) : undefined
  const { account } = cluster
  await copyDataFolder(account, backup.data, to)
  await copyWal(cluster, path.join(to, 'pg_wal'), backup.firstWal, lastWal, 'a link')
  // Starts as a standby that already has all of its log. With recovery.signal PostgreSQL would require a
  // restore_command, and start a shell for each segment, which takes longer than all the rest.
  await writeOwned(account, path.join(to, 'standby.signal'), '')
  return {
    // Without Z: PostgreSQL does not know the names of time zones yet when it reads its arguments.
    recovery_target_time: time.toISOString().replace('Z', '+00'),
    recovery_target_action: 'promote',
    // The server reports that it is ready only after the recovery.
    hot_standby: 'off',
  }
}

async function copySnapshot(history: History, to: string): Promise<Settings> {
  const time = history.lastSnapshot
  if (!time) {
    throw new ClusterError(`The service ${history.id} doesn't yet have any backups or snapshots available.`)
  }
  return copyForTime(history, time, to)
}

function checkPast(time: Date): void {
  if (time.getTime() <= Date.now()) return
  throw new ClusterError(`The target time ${time.toISOString()} is in the future: give one in the past.`)
}

/**
 * Copies the service's data as of the given point to the folder `to`. Returns the settings with which the
 * first start on the copy recovers to that point. Must run as one of the service's jobs.
 */
export async function copyAt(history: History, point: ForkPoint, to: string): Promise<Settings> {
  switch (point.strategy) {
    case 'NOW':
      return copyNow(history.cluster, to)
    case 'LAST_SNAPSHOT':
      return copySnapshot(history, to)
    case 'PITR':
      checkPast(point.targetTime)
      return copyForTime(history, point.targetTime, to)
  }
}
