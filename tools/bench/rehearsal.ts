import { execFile } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openClusters } from '../../emulator/clusters/clusters.ts'
import { censusQuery } from '../../src/contents/rehearsal/census.ts'
import { openProxy } from '../../src/contents/rehearsal/proxy/open-proxy.ts'
import type { Connection } from '../../src/postgres/connection.ts'
import { type Session, withSession } from '../../src/postgres/session.ts'
import { describeMachine, median, type Report, renderTable, times } from './report.ts'

type Way = Connection & { password: string }

const signal = new AbortController().signal
const statements = 500
const start = promisify(execFile)

const watchWith = (census: string) => ({
  census: () => census,
  ran() {},
  ended() {},
  trouble(_: number | undefined, problem: string) {
    throw new Error(problem)
  },
})

/** Milliseconds of one statement, the middle of many. */
async function timeStatements(session: Session, sql: string): Promise<number> {
  const taken: number[] = []
  for (let count = 0; count < statements; count++) {
    const from = performance.now()
    await session.query(sql)
    taken.push(performance.now() - from)
  }
  return median(taken)
}

const update = 'UPDATE counters SET n = n + 1 WHERE id = 1'

/** In a transaction, and by itself. */
async function timeWay(way: Way): Promise<{ within: number; alone: number }> {
  const limits = { timeout: 300_000, signal, mostBytes: 1e9 }
  return await withSession(way, limits, async session => {
    await timeStatements(session, update)
    await session.query('VACUUM counters')
    const alone = await timeStatements(session, update)
    await session.query('VACUUM counters')
    await session.query('BEGIN')
    const within = await timeStatements(session, update)
    await session.query('ROLLBACK')
    await session.query('VACUUM counters')
    return { within, alone }
  })
}

/** Seconds of a COPY, from a file and to nowhere. */
async function timeCopies(
  { host, port, user, password, database, sslmode }: Way,
  file: string,
  mebibytes: number,
) {
  const seconds = async (command: string) => {
    const from = performance.now()
    await start('psql', ['-qX', '-c', 'BEGIN', '-c', 'TRUNCATE filled', '-c', command, '-c', 'COMMIT'], {
      env: {
        ...{ PATH: process.env.PATH, PGHOST: host, PGPORT: String(port), PGUSER: user },
        ...{ PGPASSWORD: password, PGDATABASE: database, PGSSLMODE: sslmode },
      },
    })
    return (performance.now() - from) / 1000
  }
  return {
    into: await seconds(`\\copy filled FROM '${file}'`),
    outOf: await seconds(
      `\\copy (SELECT repeat('x', 127) FROM generate_series(1, ${mebibytes * 8192})) TO '/dev/null'`,
    ),
  }
}

/** A line of 128 bytes, so many times that it is this much. */
function writeRows(file: string, mebibytes: number): void {
  const block = `${'x'.repeat(127)}\n`.repeat(8192)
  const handle = openSync(file, 'w')
  for (let count = 0; count < mebibytes; count++) writeSync(handle, block)
  closeSync(handle)
}

async function measure(root: string, direct: Way, mebibytes: number): Promise<Report> {
  const file = join(root, 'rows')
  writeRows(file, mebibytes)
  await withSession(direct, { timeout: 20_000, signal }, session =>
    session.queryAll(`CREATE TABLE counters (id int PRIMARY KEY, n int); INSERT INTO counters VALUES (1, 0);
      CREATE UNLOGGED TABLE filled (line text)`),
  )
  const ways: [string, string | undefined][] = [
    ['direct', undefined],
    ['proxy', ''],
    ['proxy with census', censusQuery],
  ]
  const rows = []
  for (const [name, census] of ways) {
    const proxy = census === undefined ? undefined : await openProxy(direct, watchWith(census), performance)
    const way = proxy ? { ...direct, host: '127.0.0.1', port: proxy.port, sslmode: 'disable' } : direct
    rows.push({ name, ...(await timeWay(way)), ...(await timeCopies(way, file, mebibytes)) })
    await proxy?.close()
  }
  const [first, , last] = rows
  if (first === undefined || last === undefined) throw new Error('nothing was measured')
  const ratio = (by: 'into' | 'outOf') => first[by] / last[by]
  const cells = rows.map(({ name, within, alone, into, outOf }) => [
    ...[name, within.toFixed(2), alone.toFixed(2)],
    ...[into.toFixed(2), times(first.into, into), outOf.toFixed(2), times(first.outOf, outOf)],
  ])
  const head = [
    'way',
    'ms in a transaction',
    'ms by itself',
    's COPY into',
    'of direct',
    's COPY out',
    'of direct',
  ]
  const missed = [
    ...(last.within - first.within > 0.3
      ? ['a statement takes more than 0.3 ms longer in a transaction']
      : []),
    ...(last.alone - first.alone > 0.3 ? ['a statement takes more than 0.3 ms longer by itself'] : []),
    ...(Math.min(ratio('into'), ratio('outOf')) < 0.8 ? ['COPY has less than 0.8 × the speed'] : []),
  ]
  const summary = `Measured on ${describeMachine()}; COPY of ${mebibytes} MiB; limits: 0.3 ms more, 0.8 × the speed.`
  return { lines: [summary, '', ...renderTable(head, cells)], missed }
}

/** Measures statements and COPY through the proxy, against PostgreSQL on this machine. */
export async function benchRehearsal(mebibytes: number): Promise<Report> {
  const root = mkdtempSync(join(tmpdir(), 'bench-rehearsal-'))
  chmodSync(root, 0o755)
  const clusters = await openClusters({ root, snapshotAfter: 86_400_000 })
  try {
    const password = 'a-password-of-the-benchmark'
    const { host, port } = await clusters.createService('rehearsal', password)
    const way = { host, port, user: 'tsdbadmin', password, database: 'tsdb', sslmode: 'require' }
    return await measure(root, way, mebibytes)
  } finally {
    await clusters.close()
    rmSync(root, { recursive: true, force: true })
  }
}
