import { bind, close, execute, parse, sync } from './messages.ts'

/** Beside the client's own prepared statements, portals and savepoints. */
const own = 'managed-database-action'
const savepoint = `"${own}"`

/**
 * Runs a statement without touching the client's unnamed prepared statement and portal, which a simple message would drop.
 * What an earlier failure may have left is closed first.
 */
const run = (sql: string) => [
  ...[close('portal', own), close('statement', own)],
  ...[parse(own, sql), bind(own, own), execute(own), close('portal', own)],
]

const asUnit = (...messages: Buffer[]) => Buffer.concat([...messages, sync])

/** What the proxy itself has the server do, a unit each: it ends with one ReadyForQuery. */
export const asides = {
  begin: asUnit(...run('BEGIN')),
  /** In a transaction that failed, it rolls back. */
  commit: asUnit(...run('COMMIT')),
  /** Behind a census: takes away all that it left, its failure too. */
  forget: asUnit(...run(`ROLLBACK TO SAVEPOINT ${savepoint}`), ...run(`RELEASE SAVEPOINT ${savepoint}`)),
}

/**
 * Has the server parse a message with several statements, which it then refuses, one way or the other: with its syntax, or
 * because there are several. In a transaction `forget` has to follow.
 */
export function askSyntax(sql: Buffer, inTransaction: boolean): Buffer {
  const before = inTransaction ? run(`SAVEPOINT ${savepoint}`) : []
  return asUnit(...before, close('statement', own), parse(own, sql))
}

const census = `${own} census`

/**
 * Asks for the census behind a savepoint, so that a census that fails, by a time limit of the client's for instance, does
 * not fail the client's transaction. It stays prepared: planning it takes longer than running it.
 */
export function askCensus(sql: string, isPrepared: boolean): Buffer {
  const preparing = isPrepared ? [] : [close('statement', census), parse(census, sql)]
  const asking = [bind(own, census), execute(own), close('portal', own)]
  return asUnit(...run(`SAVEPOINT ${savepoint}`), ...preparing, ...asking)
}
