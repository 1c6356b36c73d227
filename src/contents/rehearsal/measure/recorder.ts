import { hideValues } from '#contents/sql/failures'
import type { Ran } from '../proxy/watch.ts'
import { isStronger } from '../result/lock-modes.ts'
import { shorten } from '../result/statement-text.ts'
import type { ChangedRows, HeldLock, MeasuredStatement } from '../result/stored.ts'
import { type Catalog, type Relation, tableOf } from './catalog.ts'
import { type Census, type CensusRows, parseCensus, type Touched } from './census.ts'
import type { Seen, Sightings } from './sampler.ts'
import { describeLock, findStrongest, isShown, type Taken } from './strongest-locks.ts'
import { type Counts, Transaction } from './transaction.ts'

/** A statement with all of its text, which may hold values. */
export interface Recorded extends MeasuredStatement {
  sql: string
}

/** What only begins or ends transactions, or sets what holds for the session. */
const onlySteers =
  /^\s*(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET|RESET|SHOW|DISCARD|DEALLOCATE)\b/i

/** Puts together what each statement did, from what sessions found out about themselves and what a second one saw. */
export class Recorder {
  readonly statements: Recorded[] = []
  /** Rows of transactions that were committed, by the id of the table. */
  readonly changed = new Map<number, Counts>()
  /** Tables that anything measured has locked or written anew, by their ids. */
  readonly touched = new Set<number>()
  /** Tables that were emptied in a transaction that was committed. */
  readonly emptied = new Set<number>()
  /** When the first statement began, and when the last one or its transaction was over. */
  span: { from: number; until: number } | undefined
  /** Milliseconds that measuring took in transactions. */
  measured = 0
  /** Why what was recorded is not whole. */
  problem: string | undefined
  readonly #catalog: Catalog
  readonly #sightings: Sightings
  readonly #open = new Map<number, Transaction>()
  /** The file of each relation, where a committed transaction has given it another one. */
  readonly #files = new Map<number, number | undefined>()
  #wal: number

  constructor(catalog: Catalog, sightings: Sightings, wal: number) {
    this.#catalog = catalog
    this.#sightings = sightings
    this.#wal = wal
  }

  ran(ran: Ran, rows: CensusRows | undefined): void {
    const { backend, sql, startedAt, endedAt, failure, inTransaction } = ran
    const census = rows && parseCensus(rows)
    if (rows && !census) this.problem ??= 'the server did not say which locks the migration holds'
    const statement: Recorded = {
      ...{
        sql,
        text: shorten(sql),
        duration: endedAt - startedAt,
        locks: [],
        rewrites: [],
        rows: [],
        wal: 0,
      },
      exact: inTransaction || census !== undefined,
      ...(failure && { failure: `${hideValues(failure.message, failure.code)} (SQLSTATE ${failure.code})` }),
    }
    this.#extend(startedAt, endedAt)
    if (failure || !onlySteers.test(sql)) this.statements.push(statement)
    if (census) this.#take(ran, statement, census)
    else if (failure || !inTransaction) this.#takeSightings(ran, statement)
    else this.#transactionOf(backend).unread ??= startedAt
    if (!failure && inTransaction) this.#follow(backend, sql, endedAt)
  }

  /** Going back to a savepoint releases the locks that were taken since. */
  #follow(backend: number, sql: string, at: number): void {
    const transaction = this.#transactionOf(backend)
    for (const open of transaction.steer(sql)) this.#release(transaction, open, backend, at)
  }

  /** Its locks are gone. */
  ended(backend: number, at: number, how: 'commit' | 'rollback' | 'closed'): void {
    const transaction = this.#open.get(backend)
    if (transaction === undefined) return
    this.#open.delete(backend)
    this.#extend(at, at)
    for (const open of transaction.locks) this.#release(transaction, open, backend, at)
    for (const change of transaction.changes) change.rows.held = transaction.timeOf(change, at)
    if (how === 'commit') this.#commit(transaction)
  }

  #release(transaction: Transaction, open: Transaction['locks'][number], backend: number, at: number): void {
    open.lock.held = transaction.timeOf(open, at)
    this.#countWaiting(open.lock, backend, open.relations)
  }

  #countWaiting(lock: HeldLock, backend: number, relations: Set<number>): void {
    const waiting = Math.max(0, ...[...relations].map(one => this.#sightings.waiting(backend, one)))
    if (waiting > 0) lock.waiting = waiting
  }

  /** Ends what is still open. */
  close(at: number): void {
    for (const backend of [...this.#open.keys()]) this.ended(backend, at, 'closed')
  }

  #extend(from: number, until: number): void {
    const { span = { from, until } } = this
    this.span = { from: Math.min(span.from, from), until: Math.max(span.until, until) }
  }

  /** Takes in how far the server's log is written after a statement. */
  #countWal(statement: MeasuredStatement, wal: number): void {
    statement.wal += Math.max(0, wal - this.#wal)
    this.#wal = Math.max(this.#wal, wal)
  }

  /** After a statement that ran outside a transaction: how far the log is written, and which files there are. */
  after(
    statement: MeasuredStatement,
    wal: number,
    files: Iterable<Pick<Relation, 'id' | 'file' | 'bytes'>>,
  ): void {
    this.#countWal(statement, wal)
    for (const { id, file, bytes } of files) {
      const known = this.#catalog.relations.get(id)
      if (known?.file === undefined || file === this.#fileOf(id)) continue
      this.#files.set(id, file)
      this.#touch(id)
      this.#addRewrite(statement, tableOf(this.#catalog, id) ?? known, bytes)
    }
  }

  #touch(id: number): void {
    const table = tableOf(this.#catalog, id)
    if (table !== undefined) this.touched.add(table.id)
  }

  #fileOf(id: number, transaction?: Transaction): number | undefined {
    if (transaction?.files.has(id)) return transaction.files.get(id)
    return this.#files.has(id) ? this.#files.get(id) : this.#catalog.relations.get(id)?.file
  }

  #transactionOf(backend: number): Transaction {
    const transaction = this.#open.get(backend) ?? new Transaction()
    this.#open.set(backend, transaction)
    return transaction
  }

  #take(ran: Ran, statement: MeasuredStatement, { wal, touched }: Census): void {
    const { backend, startedAt, censusTook } = ran
    const transaction = this.#transactionOf(backend)
    const since = transaction.unread ?? startedAt
    transaction.unread = undefined
    this.#countWal(statement, wal)
    const seen = this.#sightings.since(backend, since)
    for (const taken of findStrongest(this.#catalog, touched))
      this.#lock(transaction, statement, taken, since, seen)
    for (const one of touched) {
      this.#touch(one.relation)
      this.#count(transaction, statement, one, since)
    }
    transaction.measured += censusTook
    this.measured += censusTook
  }

  #lock(
    { locks, measured }: Transaction,
    statement: MeasuredStatement,
    taken: Taken,
    startedAt: number,
    seen: Seen[],
  ): void {
    const { table, mode, relations } = taken
    const before = locks.filter(one => one.table === table.id)
    if (!isShown(mode) || before.some(({ lock }) => !isStronger(mode, lock.mode))) return
    // A statement may take its lock late; the second session has seen when, unless it was too short for it.
    const first = seen.filter(one => relations.has(one.relation) && one.mode === mode).map(({ from }) => from)
    const since = Math.max(startedAt, first.length > 0 ? Math.min(...first) : 0)
    const lock = describeLock(this.#catalog, taken)
    statement.locks.push(lock)
    locks.push({ table: table.id, since, measured, lock, relations })
  }

  #count(transaction: Transaction, statement: MeasuredStatement, one: Touched, startedAt: number): void {
    const { relation: id } = one
    const relation = this.#catalog.relations.get(id)
    const table = tableOf(this.#catalog, id)
    if (relation === undefined || table === undefined) return
    const before = transaction.counts.get(id)
    transaction.counts.set(id, one)
    const grown = (name: keyof Counts) => Math.max(0, one[name] - (before?.[name] ?? 0))
    const counts = { inserted: grown('inserted'), updated: grown('updated'), deleted: grown('deleted') }
    if (relation.kind === 'r' && counts.inserted + counts.updated + counts.deleted > 0) {
      const rows = this.#addRows(statement, table, counts)
      if (!transaction.changes.some(change => change.rows === rows))
        transaction.changes.push({ since: startedAt, measured: transaction.measured, rows, table: table.id })
    }
    const file = this.#fileOf(id, transaction)
    if (one.file === undefined || file === undefined || one.file === file) return
    transaction.files.set(id, one.file)
    this.#addRewrite(statement, table, one.bytes)
    if (relation.kind === 'r' && one.ownBytes === 0 && relation.bytes > 0) transaction.emptied.add(table.id)
  }

  #addRows({ rows }: MeasuredStatement, { name }: Relation, counts: Counts): ChangedRows {
    const known = rows.find(({ table }) => table === name)
    const sum = known ?? { table: name, inserted: 0, updated: 0, deleted: 0, held: 0 }
    if (known === undefined) rows.push(sum)
    sum.inserted += counts.inserted
    sum.updated += counts.updated
    sum.deleted += counts.deleted
    return sum
  }

  #addRewrite({ rewrites }: MeasuredStatement, { name }: Relation, bytes: number): void {
    const known = rewrites.find(({ table }) => table === name)
    if (known) known.bytes += bytes
    else rewrites.push({ table: name, bytes })
  }

  #commit({ files, changes, emptied }: Transaction): void {
    for (const [id, file] of files) this.#files.set(id, file)
    for (const id of emptied) this.emptied.add(id)
    for (const { table, rows } of changes) {
      const sum = this.changed.get(table) ?? { inserted: 0, updated: 0, deleted: 0 }
      this.changed.set(table, {
        inserted: sum.inserted + rows.inserted,
        updated: sum.updated + rows.updated,
        deleted: sum.deleted + rows.deleted,
      })
    }
  }

  /** Of a statement outside a transaction, what the second session has seen is all there is. */
  #takeSightings({ backend, startedAt, endedAt }: Ran, statement: MeasuredStatement): void {
    const seen = this.#sightings.since(backend, startedAt).filter(({ from }) => from <= endedAt)
    for (const { relation } of seen) this.#touch(relation)
    for (const taken of findStrongest(this.#catalog, seen)) {
      const { mode, relations } = taken
      if (!isShown(mode)) continue
      const these = seen.filter(one => relations.has(one.relation) && one.mode === mode)
      const from = Math.max(startedAt, Math.min(...these.map(one => one.from)))
      const until = Math.min(endedAt, Math.max(...these.map(one => one.until)))
      const lock = { ...describeLock(this.#catalog, taken), held: until - from }
      this.#countWaiting(lock, backend, relations)
      statement.locks.push(lock)
    }
  }
}
