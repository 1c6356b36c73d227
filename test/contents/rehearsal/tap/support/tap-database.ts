/** A database of the shared server with taps and recording relays in front of it. */
import { createServer } from 'node:net'
import pg from 'pg'
import { createRealSeam } from '#client/network/real-seam'
import { type OpenTap, openTap } from '#contents/rehearsal/tap/open-tap'
import { reach } from '#contents/rehearsal/tap/reach'
import type { ObservedStatement, TransactionStatus, Watch } from '#contents/rehearsal/tap/watch'
import type { Connection, LoginConnection } from '#postgres/connection'
import { connectionOf } from '../../../../support/fork.ts'
import { addDatabase, shareServer } from '../../../../support/shared-server.ts'

/** The locks of a session on user tables, as `orders AccessExclusiveLock`. */
const locksOf = (backend: number) => `
  select concat_ws(' ', relname, mode) from pg_locks join pg_class as class on class.oid = relation
    where pid = ${backend} and relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`

/** Records the reports of a tap, one line each: statements, then the state of the transaction with its locks. */
export class Witness implements Watch {
  readonly lines: string[] = []
  readonly #ask: (sql: string) => Promise<string[][]>
  constructor(database: Pick<TapDatabase, 'ask'> = { ask: async () => [] }) {
    this.#ask = sql => database.ask(sql)
  }
  onSend() {}
  onReady(backend: number, ran: ObservedStatement[], status: TransactionStatus) {
    const texts = ran.map(
      ({ sql, tag, failure }) => `${sql} → ${failure ? `failed with ${failure.code}` : (tag ?? 'no tag')}`,
    )
    if (status === 'I' || ran.length === 0) {
      this.lines.push(...texts, ...(ran.length > 0 ? [status] : []))
      return undefined
    }
    return this.#ask(locksOf(backend)).then(locks => {
      this.lines.push(...texts, `${status} [${locks.join(', ')}]`)
    })
  }
  onEnding(backend: number) {
    return this.#ask(locksOf(backend)).then(locks => {
      this.lines.push(`ending [${locks.join(', ')}]`)
    })
  }
  onClosed() {
    this.lines.push('closed')
  }
  onProblem(problem: string) {
    this.lines.push(`problem: ${problem}`)
  }
  take(): string[] {
    return this.lines.splice(0)
  }
}

export interface Recording {
  up: string
  down: string
}

/** A relay to a server that records the bytes of each connection, in the order of connections. */
export function record(target: Connection) {
  const recordings: Recording[] = []
  const server = createServer({ noDelay: true }, async client => {
    const recording = { up: '', down: '' }
    recordings.push(recording)
    client.pause()
    const upstream = await reach(target)
    client.on('data', bytes => {
      recording.up += bytes.toString('latin1')
    })
    upstream.on('data', bytes => {
      recording.down += bytes.toString('latin1')
    })
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
  })
  return { server, recordings }
}

export interface TapDatabase {
  target: LoginConnection
  open(watch: Watch, target?: Partial<Connection>): Promise<OpenTap>
  /** The configuration of `pg` for a connection without a tap. */
  direct(database?: string): pg.ClientConfig
  through(tap: OpenTap, database?: string): pg.ClientConfig
  /** A client that stays open until `stop`. */
  connect(config: pg.ClientConfig): Promise<pg.Client>
  /** Queries the server without a tap. */
  ask(sql: string): Promise<string[][]>
  stop(): Promise<void>
}

let databases = 0

export async function openTapDatabase(): Promise<TapDatabase> {
  const usual = `database_${++databases}`
  const target = connectionOf(await addDatabase(await shareServer(), usual))
  const taps: OpenTap[] = []
  const clients: pg.Client[] = []
  const direct = (database = usual) => {
    const { sslmode: _, ...login } = target
    return { ...login, database, ssl: { rejectUnauthorized: false } }
  }
  return {
    target,
    direct,
    async open(watch, changes = {}) {
      const tap = await openTap({ ...target, ...changes }, watch, createRealSeam())
      taps.push(tap)
      return tap
    },
    through: ({ port }, database) => ({ ...direct(database), host: '127.0.0.1', port, ssl: false }),
    async connect(config) {
      const client = new pg.Client(config)
      clients.push(client)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async ask(sql) {
      const client = new pg.Client(direct())
      await client.connect()
      try {
        const results = [await client.query({ text: sql, rowMode: 'array' })].flat()
        return results.flatMap(({ rows }) => rows.map(row => row.map(String)))
      } finally {
        await client.end()
      }
    },
    async stop() {
      await Promise.all(clients.map(client => client.end()))
      await Promise.all(taps.map(tap => tap.close()))
    },
  }
}
