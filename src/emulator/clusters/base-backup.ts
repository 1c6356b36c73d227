import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'
import type { Cluster } from './cluster.ts'
import { copyOne, copyTree, giveTo } from './copy.ts'
import { ClusterError } from './errors.ts'
import { copyWal } from './wal.ts'

/** A copy of a cluster's data from which another can start. */
export interface BaseBackup {
  data: string
  /** The oldest segment of the write-ahead log that starting from it needs. */
  firstWal: string
  /** The moment from which on its data are consistent. */
  takenAt: Date
}

/** Not to be copied (PostgreSQL docs, "Backing Up the Data Directory"): made anew, or the parent's own business. */
const ownFiles = /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|(standby|recovery)\.signal)$/
const ownFolders = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//

const control = 'global/pg_control'

/**
 * Copies the running cluster's data to the folder `to`, which must not exist, without disturbing it. A server
 * started on the copy brings it to the state at the end of the copying (PostgreSQL docs, "Making a Base Backup
 * Using the Low Level API").
 */
export async function takeBaseBackup(cluster: Cluster, to: string): Promise<BaseBackup> {
  const { account } = cluster.installation.programs
  return cluster.asAdmin(async client => {
    await client.query("SELECT pg_backup_start('emulator', fast => true)")
    await copyTree(
      account,
      cluster.data,
      to,
      name => isOwn(name) || name.startsWith('pg_wal/') || name === control,
    )
    // Last, as pg_basebackup does.
    await copyOne(account, path.join(cluster.data, control), path.join(to, control))
    const { label, lastWal, takenAt } = await stopBackup(client)
    const labelFile = path.join(to, 'backup_label')
    await writeFile(labelFile, label, { mode: 0o600 })
    await giveTo(account, labelFile)
    const firstWal = parseFirstWal(label)
    await copyWal(cluster, path.join(to, 'pg_wal'), firstWal, lastWal)
    return { data: to, firstWal, takenAt }
  })
}

/** Copies the data of a cluster that does not run. */
export async function copyStopped(cluster: Cluster, to: string): Promise<void> {
  await copyTree(
    cluster.installation.programs.account,
    cluster.data,
    to,
    name => isOwn(name) || name.startsWith('pg_wal/archive_status/'),
  )
}

function isOwn(name: string): boolean {
  return ownFiles.test(name) || ownFolders.test(name)
}

interface BackupEnd {
  label: string
  lastWal: string
  takenAt: Date
}

/** Does not wait for the archiver, which takes a second: the segments are copied from where they are. */
async function stopBackup(client: Client): Promise<BackupEnd> {
  const { rows } = await client.query<BackupEnd>(
    `SELECT labelfile AS label, pg_walfile_name(lsn) AS "lastWal", clock_timestamp() AS "takenAt"
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
