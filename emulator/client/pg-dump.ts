/** Finds PostgreSQL's program pg_dump. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** A program of PostgreSQL's, with its major version. */
export interface ClientProgram {
  file: string
  major: number
}

/** Where packages install the programs of several versions; the folder in the middle has the version. */
const packageFolders = [
  ['/usr/lib/postgresql', 'bin'],
  ['/opt/homebrew/opt', 'bin'],
  ['/usr/local/opt', 'bin'],
  ['/usr', 'bin'],
] as const

async function listFolders(): Promise<string[]> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder))
  for (const [parent, inside] of packageFolders) {
    const names = await readdir(parent).catch(() => [])
    const versions = names.filter(name => /^(\d+|postgresql@\d+|libpq|pgsql-\d+)$/.test(name))
    folders.push(...versions.map(name => path.join(parent, name, inside)))
  }
  return [...new Set(folders)]
}

/** Every pg_dump on the PATH and in the folders of packages. */
export async function findPgDumps(): Promise<ClientProgram[]> {
  const name = process.platform === 'win32' ? 'pg_dump.exe' : 'pg_dump'
  const files = (await listFolders()).map(folder => path.join(folder, name))
  const found = files.map(async file => {
    const { stdout } = await promisify(execFile)(file, ['--version'])
    return { file, major: Number(/\) (\d+)/.exec(stdout)?.[1]) }
  })
  return (await Promise.allSettled(found)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}
