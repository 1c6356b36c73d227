import pg from 'pg'
import { createRealSeam } from '#client/network/real-seam'
import { type OpenProxy, openProxy } from '#contents/rehearsal/proxy/open-proxy'
import type { Census, Ran, Watch } from '#contents/rehearsal/proxy/watch'
import type { Connection } from '#postgres/connection'
import { openWorkbench, type Workbench } from '../../../../support/workbench.ts'

/** The locks of one's own transaction on tables of users, as `orders AccessExclusiveLock`. */
export const censusOfLocks = `
  select pg_catalog.concat_ws(' ', relname, mode)
    from pg_catalog.pg_locks join pg_catalog.pg_class as class on class.oid = relation
    where pid = pg_catalog.pg_backend_pid() and relkind = 'r'
      and relnamespace operator(pg_catalog.=) 'public'::pg_catalog.regnamespace
    order by 1`

/** What a watch was told, in order. */
export type Seen =
  | { ran: Ran; census: Census | undefined }
  | { ended: 'commit' | 'rollback' | 'closed' }
  | { trouble: string }

export class Witness implements Watch {
  readonly seen: Seen[] = []
  readonly #census: string
  constructor(census = censusOfLocks) {
    this.#census = census
  }
  census() {
    return this.#census
  }
  ran(ran: Ran, census: Census | undefined) {
    this.seen.push({ ran, census })
  }
  ended(_: number, __: number, how: 'commit' | 'rollback' | 'closed') {
    this.seen.push({ ended: how })
  }
  trouble(_: number | undefined, problem: string) {
    this.seen.push({ trouble: problem })
  }
  /** What was seen since the last time, a line each. */
  take(): string[] {
    return this.seen.splice(0).map(one => {
      if ('ended' in one) return one.ended
      if ('trouble' in one) return `trouble: ${one.trouble}`
      const { sql, tag, failure, inTransaction } = one.ran
      const census = one.census ? ` [${one.census.map(([lock]) => lock).join(', ')}]` : ''
      const outcome = failure ? `failed with ${failure.code}` : (tag ?? 'no tag')
      return `${sql} → ${outcome}${inTransaction ? '' : ', outside'}${census}`
    })
  }
}

/** A database of an emulated service, and proxies in front of it. */
export interface House {
  bench: Workbench
  target: Connection & { password: string }
  open(watch: Watch, target?: Partial<Connection>): Promise<OpenProxy>
  /** For `pg`, straight to the server. */
  direct(database?: string): pg.ClientConfig
  through(proxy: OpenProxy, database?: string): pg.ClientConfig
  /** A client until the house stops. */
  connect(config: pg.ClientConfig): Promise<pg.Client>
  /** Asks the server itself. */
  ask(sql: string, database?: string): Promise<string[][]>
  stop(): Promise<void>
}

export async function openHouse(): Promise<House> {
  const bench = await openWorkbench()
  const { outputs } = await bench.done({ operation: 'create-service', wait_for_connection: 'true' })
  const { host = '', port, password = '', user = '', database: usual = '' } = outputs
  const target = { host, port: Number(port), password, user, database: usual, sslmode: 'require' }
  const proxies: OpenProxy[] = []
  const clients: pg.Client[] = []
  const direct = (database = usual) => ({
    ...{ host, port: Number(port), user, password, database },
    ssl: { rejectUnauthorized: false },
  })
  return {
    bench,
    target,
    direct,
    async open(watch, changes = {}) {
      const proxy = await openProxy({ ...target, ...changes }, watch, createRealSeam())
      proxies.push(proxy)
      return proxy
    },
    through: (proxy, database = usual) => ({ host: '127.0.0.1', port: proxy.port, user, password, database }),
    async connect(config) {
      const client = new pg.Client(config)
      clients.push(client)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async ask(sql, database) {
      const client = new pg.Client(direct(database))
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
      await Promise.all(proxies.map(proxy => proxy.close()))
      await bench.stop()
    },
  }
}
