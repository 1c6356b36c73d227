/** Records the effects of each statement, from the reports of the tap and the observations of a second session. */
import { hideValues } from '#contents/sql/failures'
import { isNonBlocking, isSessionControl } from '#contents/sql/split-statements'
import { isStronger, type LockMode } from '../result/lock-modes.ts'
import type { HeldLock } from '../result/stored.ts'
import type { ObservedStatement, TransactionStatus } from '../tap/watch.ts'
import {
  chooseLocker,
  type RecordedStatement,
  readChange,
  type TablesByName,
  tablesByName,
} from './attribution.ts'
import { type Tables, tableOf } from './catalog.ts'
import { describeLock, findStrongest, isShown, type LockSnapshot, type SessionLock } from './locks.ts'
import { RewriteRecorder } from './rewrites.ts'
import type { SampledLock, Sampler } from './sampler.ts'

interface OpenLock {
  table: number
  mode: LockMode
  relations: Set<number>
  /** On the clock of the transaction. */
  since: number
  statement: RecordedStatement
  /** Undefined for a lock that only allows writing. */
  lock?: HeldLock
  /** The time of the last sample with the lock; undefined if the transaction kept the lock to its end. */
  until?: number
}

/** A table that a statement wrote to, and the time for which its rows were locked. */
interface Write {
  table: number
  statement: RecordedStatement
  held: number
}

/** A statement with a command tag. Rows that it changed stay locked to the end of the transaction. */
interface CountedStatement {
  statement: RecordedStatement
  tag: string
  /** On the clock of the transaction. */
  since: number
}

/** The open transaction of a session. Its clock stands still while the tap holds messages back. */
class Transaction {
  locks: OpenLock[] = []
  counted: CountedStatement[] = []
  /** Statements since the last lock snapshot. */
  unread: RecordedStatement[] = []
  /** Relations with an exclusive lock, and the statements that may have given each a new file. */
  readonly exclusive = new Map<number, Set<RecordedStatement>>()
  /** Milliseconds for which the tap held messages back. */
  measured = 0
}

export class Recorder {
  readonly statements: RecordedStatement[] = []
  /** Tables that a recorded session locked or rewrote. */
  readonly touched = new Set<number>()
  readonly writes: Write[] = []
  readonly rewrites: RewriteRecorder
  /** From the start of the first statement to the end of the last statement or its transaction. */
  span: { from: number; until: number } | undefined
  /** Milliseconds for which the tap held messages back. */
  measured = 0
  readonly #catalog: Tables
  readonly #tables: TablesByName
  readonly #samples: Pick<Sampler, 'since'>
  readonly #open = new Map<number, Transaction>()
  readonly #counted: (Omit<CountedStatement, 'since'> & { held: number })[] = []
  #wal: number

  constructor(catalog: Tables, samples: Pick<Sampler, 'since'>, wal: number) {
    this.#catalog = catalog
    this.#tables = tablesByName(catalog)
    this.rewrites = new RewriteRecorder(catalog)
    this.#samples = samples
    this.#wal = wal
  }

  /** Records statements of a session. Returns true if its locks must be read now, while the transaction holds them. */
  recordStatements(backend: number, ran: ObservedStatement[], status: TransactionStatus): boolean {
    const transaction = this.#transactionOf(backend)
    for (const statement of ran) this.#add(transaction, statement)
    return status !== 'I' && ran.some(({ sql }) => !isNonBlocking(sql))
  }

  #add(transaction: Transaction, { sql, sentAt, startedAt, endedAt, failure, tag }: ObservedStatement): void {
    const statement: RecordedStatement = {
      sql,
      sentAt,
      startedAt,
      endedAt,
      duration: endedAt - startedAt,
      locks: [],
      rewrites: [],
      rows: [],
      wal: 0,
      exact: false,
      ...(failure && { failure: `${hideValues(failure.message, failure.code)} (SQLSTATE ${failure.code})` }),
    }
    this.#extendSpan(startedAt, endedAt)
    if (failure || !isSessionControl(sql)) this.statements.push(statement)
    transaction.unread.push(statement)
    if (tag !== undefined)
      transaction.counted.push({ statement, tag, since: startedAt - transaction.measured })
  }

  /** Records a lock snapshot of an open transaction. `duration`: the milliseconds for which a message was held back. */
  recordSnapshot(backend: number, { wal, locks: all }: LockSnapshot, at: number, duration: number): void {
    const transaction = this.#transactionOf(backend)
    const locks = all.filter(({ pid }) => pid === backend)
    const { unread } = transaction
    transaction.unread = []
    const [first] = unread
    if (first) {
      for (const statement of unread) statement.exact = true
      this.recordWal(wal, unread.at(-1))
      const sampled = this.#samples.since(backend, first.startedAt)
      this.#recordLocks(transaction, unread, locks, sampled)
    }
    const isHeld = (open: OpenLock) =>
      locks.some(({ relation, mode }) => open.relations.has(relation) && mode === open.mode)
    for (const open of transaction.locks) if (!isHeld(open)) this.#release(transaction, open, at)
    transaction.locks = transaction.locks.filter(isHeld)
    transaction.measured += duration
    this.measured += duration
  }

  /** `isSampled`: the locks are known only from samples, so each may have ended before its transaction. */
  #recordLocks(
    transaction: Transaction,
    unread: RecordedStatement[],
    locks: SessionLock[],
    sampled: SampledLock[],
    isSampled = false,
  ): void {
    for (const { relation, mode } of locks) {
      const table = tableOf(this.#catalog, relation)
      if (table === undefined) continue
      this.touched.add(table.id)
      if (mode !== 'ACCESS EXCLUSIVE') continue
      const before = transaction.exclusive.get(relation) ?? []
      const after = unread.filter(({ sql }) => !isNonBlocking(sql))
      transaction.exclusive.set(relation, new Set([...before, ...after]))
    }
    for (const taken of findStrongest(this.#catalog, locks)) {
      const { table, mode, relations } = taken
      const samples = sampled.filter(one => relations.has(one.relation) && one.mode === mode)
      // Without a sample, both are infinite, so the lock is during no statement.
      const from = Math.min(...samples.map(one => one.from))
      const until = Math.min(...samples.map(one => one.firstSampledAt))
      const statement = chooseLocker(unread, table.name, mode, { from, until })
      const isKnown = transaction.locks.some(open => open.table === table.id && !isStronger(mode, open.mode))
      if (isKnown || statement === undefined) continue
      const takenAt = samples.length > 0 ? Math.max(statement.sentAt, from) : statement.startedAt
      const since = takenAt - transaction.measured
      const open: OpenLock = { table: table.id, mode, relations, statement, since }
      if (isSampled) open.until = Math.max(...samples.map(one => one.until))
      if (isShown(mode)) {
        open.lock = describeLock(this.#catalog, taken)
        statement.locks.push(open.lock)
      }
      transaction.locks.push(open)
    }
  }

  #release({ measured }: Transaction, open: OpenLock, at: number): void {
    const { lock, since, statement, table, until = at } = open
    const held = Math.max(0, Math.min(until, at) - measured - since)
    if (isStronger(open.mode, 'ROW SHARE')) this.writes.push({ table, statement, held })
    if (lock !== undefined) lock.held = held
  }

  /** Ends a transaction and its locks; outside one, samples show them. Returns relations that may have new files. */
  endTransaction(backend: number, at: number): Map<number, Set<RecordedStatement>> {
    const transaction = this.#transactionOf(backend)
    this.#open.delete(backend)
    const { unread, counted, locks, exclusive, measured } = transaction
    const [first] = unread
    if (first !== undefined) {
      const sampled = this.#samples.since(backend, first.startedAt).filter(({ from }) => from <= at)
      // A procedure can commit several times. Its longest transaction counts.
      const lengthOf = (some: SampledLock[]) => Math.max(...some.map(({ from, until }) => until - from))
      const groups = [...Map.groupBy(sampled, one => one.transaction).values()]
      for (const group of groups.sort((first, second) => lengthOf(second) - lengthOf(first)))
        this.#recordLocks(transaction, unread, group, group, true)
    }
    if (locks.length > 0) this.#extendSpan(at, at)
    for (const open of locks) this.#release(transaction, open, at)
    for (const { since, ...one } of counted)
      this.#counted.push({ ...one, held: Math.max(0, at - measured - since) })
    return exclusive
  }

  /** Ends all open transactions, and reads the changed rows. Reading them earlier would delay each statement. */
  close(at: number): void {
    for (const backend of [...this.#open.keys()]) this.endTransaction(backend, at)
    for (const { statement, tag, held } of this.#counted.splice(0)) {
      const change = readChange(this.#tables, statement.sql, tag)
      if (change) statement.rows.push({ ...change, held })
    }
  }

  /** Records the end of the WAL after a statement. */
  recordWal(wal: number, statement: RecordedStatement | undefined): void {
    if (statement === undefined) return
    statement.wal += Math.max(0, wal - this.#wal)
    this.#wal = Math.max(this.#wal, wal)
  }

  #extendSpan(from: number, until: number): void {
    const { span = { from, until } } = this
    this.span = { from: Math.min(span.from, from), until: Math.max(span.until, until) }
  }

  #transactionOf(backend: number): Transaction {
    const transaction = this.#open.get(backend) ?? new Transaction()
    this.#open.set(backend, transaction)
    return transaction
  }
}
