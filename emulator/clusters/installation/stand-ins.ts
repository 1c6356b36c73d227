/** Adds stand-ins for missing extensions. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeOwned } from '../disk/files.ts'
import type { SystemAccount } from '../machine/system-account.ts'

interface StandIn {
  /** The version of the extension whose functions the stand-in has, for queries. */
  version: string
  comment: string
}

/** Extensions of the service that plain PostgreSQL lacks, in SQL: enough to run the migrations of a schema. */
const standIns: Record<string, StandIn> = {
  timescaledb: {
    version: '2.20.0-stand-in',
    comment: 'stand-in of the emulator, not TimescaleDB: hypertables are plain tables',
  },
  vector: {
    version: '0.8.0-stand-in',
    comment: 'stand-in of the emulator, not pgvector: no index finds neighbours',
  },
}

const folder = path.join(import.meta.dirname, 'stand-ins')

/** A script is split into files that are numbered in their order. */
async function readScript(name: string): Promise<string> {
  const files = (await readdir(path.join(folder, name))).filter(file => file.endsWith('.sql')).sort()
  const parts = await Promise.all(files.map(file => readFile(path.join(folder, name, file), 'utf8')))
  return parts.join('\n')
}

/**
 * Writes control files and scripts of stand-ins to the folder `to`, except for `installed` extensions. Returns the names of
 * the stand-ins.
 */
export async function addStandIns(
  to: string,
  installed: ReadonlySet<string>,
  account: SystemAccount | undefined,
): Promise<string[]> {
  const missing = Object.entries(standIns).filter(([name]) => !installed.has(name))
  for (const [name, { version, comment }] of missing) {
    const control = [
      `comment = '${comment}'`,
      `default_version = '${version}'`,
      'relocatable = false',
      'trusted = true',
      '',
    ]
    await writeOwned(account, path.join(to, `${name}.control`), control.join('\n'))
    await writeOwned(account, path.join(to, `${name}--${version}.sql`), await readScript(name))
  }
  return missing.map(([name]) => name)
}
