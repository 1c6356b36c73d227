/** Measures statements and COPY through the tap of a rehearsal. */
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Session, withSession } from '#postgres/session'
import { renderTable } from '../reference/documents.ts'
import { psql, type Server, withDatabase } from './database.ts'
import type { Wanted } from './rehearsal-taps.ts'
import { describeMachine, median, type Report, times } from './report.ts'

const signal = new AbortController().signal
const statements = 2000
const rounds = 40

/** The limits: additional milliseconds for a statement, and the minimum speed of COPY. */
const maxAddedMs = 0.05
const minSpeed = 0.95

const update = 'UPDATE counters SET n = n + 1 WHERE id = 1'

/** Milliseconds of some statements. */
async function timeStatements(session: Session): Promise<number[]> {
  const taken: number[] = []
  for (let count = 0; count < statements / rounds; count++) {
    const from = performance.now()
    await session.query(update)
    taken.push(performance.now() - from)
  }
  return taken
}

/**
 * Milliseconds of a statement in a transaction and alone: the median of many, in the fastest round. All ways alternate,
 * and other load on the machine only makes a round longer.
 */
async function timeWays(ways: Server[]): Promise<{ within: number; alone: number }[]> {
  const taken = ways.map(() => ({ within: [] as number[], alone: [] as number[] }))
  const limits = { timeout: 300_000, signal, mostBytes: 1e9, isForUser: true }
  for (let round = 0; round <= rounds; round++) {
    for (const [index, way] of ways.entries()) {
      await withSession(way, limits, async session => {
        await session.query('VACUUM counters')
        await timeStatements(session)
        const alone = await timeStatements(session)
        await session.query('BEGIN')
        const within = await timeStatements(session)
        await session.query('ROLLBACK')
        // The first round only warms up.
        if (round === 0) return
        taken[index]?.alone.push(median(alone))
        taken[index]?.within.push(median(within))
      })
    }
  }
  return taken.map(({ within, alone }) => ({ within: Math.min(...within), alone: Math.min(...alone) }))
}

/** Seconds of a COPY, from a file and without a destination. */
async function timeCopies(server: Server, file: string, mebibytes: number): Promise<Copies> {
  const seconds = async (command: string) => {
    const from = performance.now()
    await psql(server, ['-c', 'BEGIN', '-c', 'TRUNCATE filled', '-c', command, '-c', 'COMMIT'])
    return (performance.now() - from) / 1000
  }
  const rows = `SELECT repeat('x', 127) FROM generate_series(1, ${mebibytes * 8192})`
  return {
    into: await seconds(`\\copy filled FROM '${file}'`),
    outOf: await seconds(`\\copy (${rows}) TO '/dev/null'`),
  }
}

/** Writes a line of 128 bytes repeatedly, up to this size. */
function writeRows(file: string, mebibytes: number): void {
  const block = `${'x'.repeat(127)}\n`.repeat(8192)
  const handle = openSync(file, 'w')
  for (let count = 0; count < mebibytes; count++) writeSync(handle, block)
  closeSync(handle)
}

interface Copies {
  into: number
  outOf: number
}

/** The shortest of a few measurements; all ways alternate. */
async function timeBest(ways: Server[], file: string, mebibytes: number): Promise<Copies[]> {
  const best = ways.map((): Copies => ({ into: Number.POSITIVE_INFINITY, outOf: Number.POSITIVE_INFINITY }))
  for (let round = 0; round < 3; round++)
    for (const [index, way] of ways.entries()) {
      const { into, outOf } = await timeCopies(way, file, mebibytes)
      const before = best[index] ?? { into, outOf }
      best[index] = { into: Math.min(before.into, into), outOf: Math.min(before.outOf, outOf) }
    }
  return best
}

const renderCopies = ({ into, outOf }: Copies, direct: Copies) => [
  ...[into.toFixed(2), times(direct.into, into)],
  ...[outOf.toFixed(2), times(direct.outOf, outOf)],
]

async function measure(root: string, direct: Server, mebibytes: number): Promise<Report> {
  const file = join(root, 'rows')
  writeRows(file, mebibytes)
  await withSession(direct, { timeout: 20_000, signal, isForUser: true }, session =>
    session.query(`CREATE TABLE counters (id int PRIMARY KEY, n int); INSERT INTO counters VALUES (1, 0);
      CREATE UNLOGGED TABLE filled (line text)`),
  )
  const names = ['direct', 'a relay that reads nothing', 'tap', 'tap, watched']
  // As in the action, the tool is another process than the tap.
  const wanted: Wanted = { target: direct }
  const thread = new Worker(new URL('./rehearsal-taps.ts', import.meta.url), { workerData: wanted })
  const [ports] = (await once(thread, 'message')) as [number[]]
  const ways = [direct, ...ports.map(port => ({ ...direct, host: '127.0.0.1', port, sslmode: 'disable' }))]
  const timed = await timeWays(ways)
  const copied = await timeBest([direct, ways.at(-1) ?? direct], file, mebibytes)
  await thread.terminate()
  const [first, last] = [timed.at(0), timed.at(-1)]
  const [straight, through] = copied
  if (!first || !last || !straight || !through) throw new Error('nothing was measured')
  const cells = timed.map(({ within, alone }, index) => [
    ...[names[index] ?? '', within.toFixed(2), alone.toFixed(2)],
    ...(timed[index] === first ? renderCopies(straight, straight) : []),
    ...(timed[index] === last ? renderCopies(through, straight) : []),
  ])
  const copies = ['s COPY into', 'of direct', 's COPY out', 'of direct']
  const head = ['way', 'ms in a transaction', 'ms by itself', ...copies]
  const slowest = Math.min(straight.into / through.into, straight.outOf / through.outOf)
  const missed: string[] = []
  const longer = `a statement takes more than ${maxAddedMs} ms longer`
  if (last.within - first.within > maxAddedMs) missed.push(`${longer} in a transaction`)
  if (last.alone - first.alone > maxAddedMs) missed.push(`${longer} by itself`)
  if (slowest < minSpeed) missed.push(`COPY has less than ${minSpeed} × the speed`)
  const summary = `Measured on ${describeMachine()}. COPY of ${mebibytes} MiB. Limits: ${maxAddedMs} ms more, ${minSpeed} × the speed.`
  return { text: `${summary}\n\n${renderTable(head, cells, true)}`, missed }
}

/** Measures statements and COPY through the tap, against PostgreSQL on this machine. */
export const benchRehearsal = (mebibytes: number): Promise<Report> =>
  withDatabase('rehearsal', (server, root) => measure(root, server, mebibytes))
