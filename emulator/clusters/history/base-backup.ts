/** Takes base backups of clusters. */
import path from 'node:path'
import type { Client } from 'pg'
import { copyDataFolder } from '../disk/copy-data-folder.ts'
import { copyOne, writeOwned } from '../disk/files.ts'
import { copyWal } from '../disk/wal.ts'
import { ClusterError } from '../errors.ts'
import type { Cluster } from '../server/cluster.ts'
import { nextMillisecond } from './moments.ts'

/** A copy of a cluster's data from which another one can start. */
export interface BaseBackup {
  data: string
  /** The oldest segment of the write-ahead log that a server started from this copy needs. */
  firstWal: string
  /** The copy can be brought forward to any time from this one on. */
  takenAt: Date
}

const control = 'global/pg_control'

interface BackupEnd {
  label: string
  lastWal: string
}

/** Does not wait for the archiver, which takes a second: segments are copied from their current place. */
async function stopBackup(client: Client): Promise<BackupEnd> {
  const { rows } = await client.query<BackupEnd>(
    `SELECT labelfile AS label, pg_walfile_name(lsn) AS "lastWal"
    FROM pg_backup_stop(wait_for_archive => false)`,
  )
  const [end] = rows
  if (!end) throw new ClusterError('pg_backup_stop gave no result.')
  return end
}

function parseFirstWal(label: string): string {
  const name = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(label)?.[1]
  if (!name) throw new ClusterError('The backup label names no first segment.')
  return name
}

/**
 * Copies the running cluster's data to the new folder `to`, without disturbing it. A server started on the copy brings
 * it to the state at the end of the copying (PostgreSQL docs, "Making a Base Backup Using the Low Level API").
 */
export async function takeBaseBackup(cluster: Cluster, to: string): Promise<BaseBackup> {
  const { account } = cluster
  return cluster.asAdmin(async client => {
    await client.query("SELECT pg_backup_start('emulator', fast => true)")
    await copyDataFolder(account, cluster.data, to, {
      live: true,
      skip: name => name.startsWith('pg_wal/') || name === control,
    })
    // The control file comes last, as in pg_basebackup.
    await copyOne(account, path.join(cluster.data, control), path.join(to, control))
    const { label, lastWal } = await stopBackup(client)
    await writeOwned(account, path.join(to, 'backup_label'), label)
    const firstWal = parseFirstWal(label)
    await copyWal(cluster, path.join(to, 'pg_wal'), firstWal, lastWal)
    return { data: to, firstWal, takenAt: nextMillisecond() }
  })
}

/** Copies the data of a stopped cluster. */
export async function copyStopped(cluster: Cluster, to: string): Promise<void> {
  await copyDataFolder(cluster.account, cluster.data, to, {
    skip: name => name.startsWith('pg_wal/archive_status/'),
  })
}
