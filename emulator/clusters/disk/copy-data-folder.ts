/** Copies data folders of PostgreSQL. */
import path from 'node:path'
import type { SystemAccount } from '../machine/system-account.ts'
import { writeOwned } from './files.ts'
import { type CopyRules, copyTree } from './tree.ts'

/**
 * Files that a server creates when it starts, or that concern only the running server (PostgreSQL docs,
 * "Backing Up the Data Directory").
 */
const ownFiles =
  /(^|\/)(postgresql\.auto\.conf|postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|(standby|recovery)\.signal)$/
const ownFolders = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//

/**
 * The database template0, whose id is fixed (pg_database.dat). It accepts no connections, so none of its
 * files ever changes. They are a quarter of a new service, and are linked instead of copied.
 */
const template0 = /^base\/4\//

/** Copies a data folder for another server; `live` while a server runs on it. `skip` omits more files. */
export async function copyDataFolder(
  account: SystemAccount | undefined,
  from: string,
  to: string,
  { live = false, skip = () => false }: Pick<CopyRules, 'live' | 'skip'> = {},
): Promise<void> {
  await copyTree(account, from, to, {
    live,
    skip: name => ownFiles.test(name) || ownFolders.test(name) || skip(name),
    share: name => template0.test(name),
  })
  // The server logs an error if the file is missing.
  await writeOwned(account, path.join(to, 'postgresql.auto.conf'), '')
}
