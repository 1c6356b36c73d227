/** Fills databases from SQL files and from other databases. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#base/unknown-values'
import { type ClientProgram, findPgDumps } from './pg-dump.ts'
import { configOf, type Target, withClient } from './session.ts'

const isDatabase = (source: string) => /^postgres(ql)?:\/\//.test(source)

/** A source without its password, for messages. */
export function describeSource(source: string): string {
  if (!isDatabase(source)) return source
  const { protocol, host, pathname } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** psql gets no variable of libpq from the caller: it may be about another database, such as PGSSLROOTCERT. */
const environmentOf = ({ host, port, user, database, password }: Target) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG/i.test(name))),
  ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGDATABASE: database, PGPASSWORD: password },
  PGSSLMODE: 'require',
})

const psqlArguments = ['-X', '-q', '-v', 'ON_ERROR_STOP=1']

async function runSql(target: Target, file: string, sql: string): Promise<void> {
  await withClient(configOf(target), query => query(sql)).catch(cause => {
    throw new Error(
      `PostgreSQL refuses ${file}: ${messageOf(cause)} (dumps with COPY need psql on the PATH)`,
      {
        cause,
      },
    )
  })
}

/** Runs a file with psql, which also accepts dumps with COPY. Without psql on the PATH, runs it as one text of SQL. */
async function runFile(target: Target, file: string): Promise<void> {
  const { status, stderr, error } = spawnSync('psql', [...psqlArguments, '-f', file], {
    encoding: 'utf8',
    env: environmentOf(target),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (error) return runSql(target, file, await readFile(file, 'utf8'))
  const advice = /\brole\b/i.test(stderr) ? '; create the dump with pg_dump --no-owner --no-privileges' : ''
  if (status !== 0) throw new Error(`psql refuses it: ${stderr.trim().slice(0, 600)}${advice}`)
}

const readMajor = (config: object) =>
  withClient(config, async query => {
    const { rows } = await query("SELECT current_setting('server_version_num') AS value")
    return Math.floor(Number(rows[0]?.value) / 10_000)
  })

/**
 * Chooses the newest pg_dump that can read the source and write for the target: it reads older servers, and writes for its own
 * version.
 */
function choosePgDump(programs: readonly ClientProgram[], source: number, target: number): ClientProgram {
  const fitting = programs.filter(({ major }) => major >= source && major <= target)
  const [best] = fitting.sort((one, other) => other.major - one.major)
  if (best) return best
  const majors = [...new Set(programs.map(({ major }) => major))]
  const available = majors.length > 0 ? `those available are of ${majors.join(', ')}` : 'none was found'
  const needed = source < target ? `${source} to ${target}` : String(target)
  throw new Error(
    `a database of PostgreSQL ${source} needs the pg_dump of PostgreSQL ${needed} (${available}): install it, with psql, by ` +
      `"apt install postgresql-client-${target}" (apt.postgresql.org), "brew install postgresql@${target}" or the ` +
      'installer of postgresql.org',
  )
}

/** Copies another database with pg_dump and psql, without owners and rights. */
async function copyDatabase(target: Target, source: string): Promise<void> {
  const url = new URL(source)
  const password = decodeURIComponent(url.password)
  url.password = ''
  // With libpq's rules for sslmode, like pg_dump.
  const config = new URL(source)
  config.searchParams.set('uselibpqcompat', 'true')
  const major = await readMajor({ connectionString: config.href })
  const dump = choosePgDump(await findPgDumps(), major, await readMajor(configOf(target)))
  const args = ['--no-owner', '--no-privileges', '--no-publications', '--no-subscriptions']
  const reader = spawn(dump.file, [...args, `--dbname=${url.href}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
  })
  const psql = path.join(path.dirname(dump.file), process.platform === 'win32' ? 'psql.exe' : 'psql')
  const writer = spawn(psql, [...psqlArguments, '-o', process.platform === 'win32' ? 'NUL' : '/dev/null'], {
    stdio: [reader.stdout, 'ignore', 'pipe'],
    env: environmentOf(target),
  })
  const ends = [reader, writer].map(async child => {
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-600)
    })
    const [code] = await once(child, 'close')
    return { code, output }
  })
  // From now on only psql reads it: if psql ends, pg_dump ends too.
  reader.stdout.destroy()
  const [read, written] = await Promise.all(ends)
  if (written?.code !== 0) throw new Error(`psql refuses the dump: ${written?.output.trim()}`)
  if (read?.code !== 0) throw new Error(`pg_dump failed: ${read?.output.trim()}`)
}

/**
 * Resolves file names in a folder. Addresses of databases stay unchanged.
 * @throws Error if a file is unreadable
 */
export async function findSources(sources: readonly string[], folder = process.cwd()): Promise<string[]> {
  return await Promise.all(
    sources.map(async source => {
      if (isDatabase(source)) return source
      const file = path.resolve(folder, source)
      await access(file, constants.R_OK).catch(cause => {
        throw new Error(`seed ${file}: the file cannot be read: check the path`, { cause })
      })
      return file
    }),
  )
}

/** Fills a database from a file of SQL, or from another database by its address. */
export async function fillDatabase(target: Target, source: string): Promise<void> {
  try {
    await (isDatabase(source) ? copyDatabase(target, source) : runFile(target, source))
  } catch (cause) {
    throw new Error(`seed ${describeSource(source)}: ${messageOf(cause)}`, { cause })
  }
}
