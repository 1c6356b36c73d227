import { bind, close, execute, flush, parse, sync } from './messages.ts'

/** Beside the client's own prepared statements, portals and savepoints. */
const own = 'managed-database-action'
const census = `${own} census`

/**
 * Runs a statement without touching the client's unnamed prepared statement and portal, which a simple message would drop.
 */
const run = (sql: string) => [
  ...[close('statement', own), parse(own, sql)],
  ...[bind(own, own), execute(own), close('portal', own)],
]

/** What a failure in the unit before may have left is closed first. */
const asUnit = (...messages: Buffer[]) => Buffer.concat([close('portal', own), ...messages, sync])

const commit = run('COMMIT')
const save = run(`SAVEPOINT "${own}"`)
/** Takes away all that a census left, its failure too. */
const forget = [...run(`ROLLBACK TO SAVEPOINT "${own}"`), ...run(`RELEASE SAVEPOINT "${own}"`)]
const ask = [bind(own, census), execute(own), close('portal', own)]

/** The limits of the client are for its own statements. Ours are gone with the savepoint. */
const withoutLimits = [...run("SET LOCAL statement_timeout = '10s'"), ...run("SET LOCAL lock_timeout = '1s'")]

/** What the proxy itself has the server do, a unit each: it ends with one ReadyForQuery. */
export const asides = {
  begin: asUnit(...run('BEGIN')),
  /** In a transaction that failed, it rolls back. */
  commit: asUnit(...commit),
  forget: asUnit(...forget),
}

/**
 * What stands in the same unit behind a census, and is done only if the census was. With `commit`, the end of the census is
 * told before, since the time of a commit is the client's own.
 */
const tails = { commit: [flush, ...commit], forget, nothing: [] }
export type Tail = keyof typeof tails

/** How a census is asked for. */
export interface Asking {
  isPrepared: boolean
  hasLimits: boolean
  tail: Tail
}

/**
 * Asks for the census behind a savepoint, so that a census that fails does not fail the client's transaction. It stays
 * prepared: planning it takes longer than running it.
 */
export function askCensus(sql: string, { isPrepared, hasLimits, tail }: Asking): Buffer {
  const preparing = isPrepared ? [] : [close('statement', census), parse(census, sql)]
  return asUnit(...save, ...(hasLimits ? [] : withoutLimits), ...preparing, ...ask, ...tails[tail])
}

/**
 * Asks for the census between two statements of the extended protocol that the client sends at once. Without a unit of its
 * own it is skipped where the client's statement fails, and a failure of its own would be the client's: so it relies on
 * nothing that the client may have dropped. Its answer ends with so many CloseComplete.
 */
export function askBetween(sql: string): { bytes: Buffer; closes: number } {
  const preparing = [close('statement', census), parse(census, sql)]
  const asking = [...save, ...withoutLimits, ...preparing, ...ask, ...forget]
  const closes = asking.filter(message => message.toString('latin1', 0, 1) === 'C').length
  // What the client's statement and the census took is known by when they are answered.
  return { bytes: Buffer.concat([flush, ...asking, flush]), closes }
}

/**
 * Has the server parse a message with several statements, which it then refuses, one way or the other: with its syntax, or
 * because there are several. In a transaction `forget` has to follow.
 */
export function askSyntax(sql: Buffer, inTransaction: boolean): Buffer {
  return asUnit(...(inTransaction ? save : []), close('statement', own), parse(own, sql))
}
