/** Creates the template of all data folders. */
import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { writeOwned } from '../disk/files.ts'
import { findOldestSegment } from '../disk/wal.ts'
import type { Programs } from '../machine/programs.ts'
import { superuser } from './access-rules.ts'
import type { Binaries } from './binaries.ts'
import { readOnlySessions, readOnlySettings } from './read-only-sessions.ts'
import { renderSettings } from './settings.ts'
import type { TemplateCache } from './template-cache.ts'

/** The data folder that every new service copies. */
export interface Template {
  data: string
  /** The first segment of the write-ahead log that continues from here. */
  firstWal: string
}

/** The parts of a template. */
interface TemplateParts {
  data: string
  binaries: Binaries
  /** Used only if there are no Unix sockets. */
  superuserPassword: string
}

/** Without Unix sockets a template holds a password, so it cannot be shared between installations. */
const isSecret = process.platform === 'win32'

const initdbArguments = [
  // initdb's own access rules admit no role: each server gets other rules.
  ...['--username', superuser, '--auth', 'reject'],
  // PostgreSQL's own locale sorts the same on every system (PostgreSQL docs, "Locale Providers").
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  // Small segments: each base backup ends a segment early, and segments are copied in full.
  ...['--wal-segsize', '1', '--set', 'wal_recycle=off', '--no-sync', '--no-instructions'],
]

/**
 * The maps of free space and of visible rows are a quarter of all files. The server works without them;
 * vacuuming or the next new page creates them again (PostgreSQL docs, "Free Space Map" and "Visibility Map").
 */
const maps = /^(base|global)\/.*_(fsm|vm)$/

/** The rights of the managed service's user, who is not a superuser. */
const memberships = [
  'pg_checkpoint',
  'pg_maintain',
  'pg_monitor',
  'pg_read_all_data',
  'pg_signal_backend',
  'pg_write_all_data',
]

/** One statement a line, as the single-user mode reads them. */
function roleStatements(superuserPassword?: string): string[] {
  return [
    ...(superuserPassword === undefined ? [] : [`ALTER ROLE ${superuser} PASSWORD '${superuserPassword}'`]),
    'CREATE ROLE tsdbadmin LOGIN CREATEDB CREATEROLE',
    `GRANT ${memberships.join(', ')} TO tsdbadmin WITH ADMIN OPTION`,
    ...readOnlySessions(),
    `GRANT SET ON PARAMETER ${readOnlySettings.join(', ')} TO tsdbadmin WITH GRANT OPTION`,
    'CREATE DATABASE tsdb OWNER tsdbadmin STRATEGY file_copy',
  ]
}

/** A key for the template's contents: templates with the same key are the same. */
async function keyOf({ binaries }: TemplateParts): Promise<string> {
  const { size } = await stat(binaries.postgres)
  const parts = [
    binaries.version,
    size,
    initdbArguments,
    renderSettings(binaries),
    roleStatements(),
    String(maps),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}

async function removeMaps(data: string): Promise<void> {
  const files = await readdir(data, { recursive: true })
  const found = files.filter(name => maps.test(name.replaceAll('\\', '/')))
  await Promise.all(found.map(name => rm(path.join(data, name))))
}

async function initialize(programs: Programs, parts: TemplateParts): Promise<void> {
  const { data, binaries } = parts
  await programs.run(binaries.initdb, ['--pgdata', data, ...initdbArguments])
  await writeOwned(programs.account, path.join(data, 'postgresql.conf'), renderSettings(binaries))
  const sql = roleStatements(isSecret ? parts.superuserPassword : undefined)
  const args = ['--single', '-D', data, '-c', 'archive_mode=off', 'template1']
  await programs.run(binaries.postgres, args, `${sql.join('\n')}\n`)
  await removeMaps(data)
}

/** Creates the data folder that every new service copies, or takes it from the cache. */
export async function createTemplate(
  programs: Programs,
  parts: TemplateParts,
  cache: TemplateCache | undefined,
): Promise<Template> {
  const { data } = parts
  const usableCache = isSecret ? undefined : cache
  const key = usableCache === undefined ? '' : await keyOf(parts)
  if (!(await usableCache?.take(key, data, programs.account))) {
    await initialize(programs, parts)
    await usableCache?.keep(key, data)
  }
  return { data, firstWal: await findOldestSegment(data) }
}
