import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeOwned } from './files.ts'
import type { SystemAccount } from './system-account.ts'

interface StandIn {
  /** Of the extension whose functions it has, so that whoever asks for a version finds it. */
  version: string
  comment: string
}

/** Extensions that the service has and PostgreSQL alone has not, in SQL: enough for the migrations of a schema to run. */
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

/** Makes the stand-ins creatable from the folder of control files `to`, but for what is `installed`. */
export async function addStandIns(
  to: string,
  installed: ReadonlySet<string>,
  account: SystemAccount | undefined,
): Promise<void> {
  for (const [name, { version, comment }] of Object.entries(standIns)) {
    if (installed.has(name)) continue
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
}

/** The parts are in files that are numbered in their order. */
async function readScript(name: string): Promise<string> {
  const files = (await readdir(path.join(folder, name))).filter(file => file.endsWith('.sql')).sort()
  const parts = await Promise.all(files.map(file => readFile(path.join(folder, name, file), 'utf8')))
  return parts.join('\n')
}
