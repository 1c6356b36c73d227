/** Measures statements and COPY through the tap of a rehearsal. */
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { keysOf } from '#base/table'
import { type Session, withSession } from '#postgres/session'
import { renderTable } from '../reference/documents.ts'
import { psql, type Server, withDatabase } from './database.ts'
import { describeMachine, median, type Report, times } from './report.ts'

const signal = new AbortController().signal
const statementCount = 2000
const rounds = 40

/** The limits: additional milliseconds for a statement, and the minimum speed of COPY. */
const maxAddedMs = 0.05
const minSpeed = 0.95

/** The median milliseconds of some statements. */
async function timeStatements(session: Session): Promise<number> {
  const taken: number[] = []
  for (let count = 0; count < statementCount / rounds; count++) {
    const from = performance.now()
    await session.query('UPDATE counters SET n = n + 1 WHERE id = 1')
    taken.push(performance.now() - from)
  }
  return median(taken)
}

/** Milliseconds of a statement in a transaction and alone. */
async function timeRound(way: Server): Promise<{ within: number; alone: number }> {
  const limits = { timeout: 300_000, signal, mostBytes: 1e9, isForUser: true }
  return await withSession(way, limits, async session => {
    await session.query('VACUUM counters')
    await timeStatements(session)
    const alone = await timeStatements(session)
    await session.query('BEGIN')
    const within = await timeStatements(session)
    await session.query('ROLLBACK')
    return { within, alone }
  })
}

/** Seconds of a COPY, from a file and without a destination. */
async function timeCopies(server: Server, file: string, mebibytes: number) {
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

/** The shortest times of several rounds, since other load on the machine only makes a round longer. All ways alternate. */
async function timeBest<Name extends string>(
  time: (way: Server) => Promise<Record<Name, number>>,
  ways: Server[],
  count: number,
) {
  const best: Record<Name, number>[] = []
  for (let round = 0; round < count; round++)
    for (const [index, way] of ways.entries()) {
      const taken = await time(way)
      const shortest = best[index] ?? taken
      best[index] = shortest
      for (const name of keysOf(taken)) shortest[name] = Math.min(shortest[name], taken[name])
    }
  return best
}

async function measure(root: string, server: Server, mebibytes: number): Promise<Report> {
  const file = join(root, 'rows')
  writeRows(file, mebibytes)
  await withSession(server, { timeout: 20_000, signal, isForUser: true }, session =>
    session.query(`CREATE TABLE counters (id int PRIMARY KEY, n int); INSERT INTO counters VALUES (1, 0);
      CREATE UNLOGGED TABLE filled (line text)`),
  )
  // As in the action, the tool is another process than the tap.
  const thread = new Worker(new URL('./rehearsal-tap.ts', import.meta.url), { workerData: server })
  const [ports] = (await once(thread, 'message')) as [number[]]
  const [relayed, tapped] = ports.map(port => ({ ...server, host: '127.0.0.1', port, sslmode: 'disable' }))
  if (!relayed || !tapped) throw new Error('the thread opened no port')
  const [direct, relay, tap] = await timeBest(timeRound, [server, relayed, tapped], rounds)
  const [straight, through] = await timeBest(way => timeCopies(way, file, mebibytes), [server, tapped], 3)
  await thread.terminate()
  if (!direct || !relay || !tap || !straight || !through) throw new Error('nothing was measured')
  const row = (name: string, { within, alone }: typeof direct, copied?: typeof straight) => [
    ...[name, within.toFixed(2), alone.toFixed(2)],
    ...(copied ? [copied.into.toFixed(2), times(straight.into, copied.into)] : ['', '']),
    ...(copied ? [copied.outOf.toFixed(2), times(straight.outOf, copied.outOf)] : ['', '']),
  ]
  // The relay shows how much of the cost is not due to reading and watching.
  const rows = [
    row('direct', direct, straight),
    row('a relay that reads nothing', relay),
    row('tap', tap, through),
  ]
  const copies = ['s COPY into', 'of direct', 's COPY out', 'of direct']
  const slowest = Math.min(straight.into / through.into, straight.outOf / through.outOf)
  const missed: string[] = []
  const longer = `a statement takes more than ${maxAddedMs} ms longer`
  if (tap.within - direct.within > maxAddedMs) missed.push(`${longer} in a transaction`)
  if (tap.alone - direct.alone > maxAddedMs) missed.push(`${longer} by itself`)
  if (slowest < minSpeed) missed.push(`COPY has less than ${minSpeed} × the speed`)
  const summary = `Measured on ${describeMachine()}. COPY of ${mebibytes} MiB. Limits: ${maxAddedMs} ms more, ${minSpeed} × the speed.`
  const table = renderTable(['way', 'ms in a transaction', 'ms by itself', ...copies], rows, true)
  return { text: `${summary}\n\n${table}`, missed }
}

/** Measures statements and COPY through the tap, against PostgreSQL on this machine. */
export const benchRehearsal = (mebibytes: number): Promise<Report> =>
  withDatabase('rehearsal', (server, root) => measure(root, server, mebibytes))
