/** Writes the access rules of the databases. */
import path from 'node:path'
import { writeOwned } from '../disk/files.ts'
import type { SystemAccount } from '../machine/system-account.ts'

/** The emulator's own user in each cluster. */
export const superuser = 'postgres'

/**
 * The rules of the managed service: every role needs a password and TLS. Only the emulator may be the
 * superuser, and only a pooler can reach the sockets besides the emulator.
 */
const accessRules =
  process.platform === 'win32'
    ? `host all,replication ${superuser} 127.0.0.1/32 scram-sha-256\nhostssl all all all scram-sha-256\n`
    : `local all,replication ${superuser} trust\nlocal all all scram-sha-256\n` +
      `host all ${superuser} all reject\nhostssl all all all scram-sha-256\n`

/** Writes the access rules for all databases (PostgreSQL docs, "The pg_hba.conf File"); returns the file. */
export async function writeAccessRules(folder: string, account: SystemAccount | undefined): Promise<string> {
  const file = path.join(folder, 'pg_hba.conf')
  await writeOwned(account, file, accessRules)
  return file
}
