import { essenceOf } from '../result/statement-text.ts'
import type { ChangedRows, HeldLock } from '../result/stored.ts'

/** Rows of a table. */
export interface Counts {
  inserted: number
  updated: number
  deleted: number
}

/** A lock on a table, while it is held. */
interface Open {
  /** The id of the table. */
  table: number
  since: number
  /** What measuring had taken of the transaction's time by then. */
  measured: number
  lock: HeldLock
  relations: Set<number>
}

/** What of a transaction was there when a savepoint was set. */
interface Savepoint {
  name: string
  locks: number
  changes: number
  emptied: ReadonlySet<number>
  files: ReadonlyMap<number, number | undefined>
}

/** Taking a statement apart costs more. */
const mayBeAboutSavepoint = /savepoint|release|rollback/i
const aboutSavepoint = /^(SAVEPOINT|RELEASE|ROLLBACK (?:(?:WORK|TRANSACTION) )?TO)(?: SAVEPOINT)? (\S.*)$/i

/** As the server compares names: without quotes in small letters. */
const foldName = (name: string) => (name.startsWith('"') ? name : `"${name.toLowerCase()}"`)

/** A transaction that is open. */
export class Transaction {
  readonly locks: Open[] = []
  readonly changes: { since: number; measured: number; rows: ChangedRows; table: number }[] = []
  /** By the id of the relation, as the last census saw it. */
  files = new Map<number, number | undefined>()
  readonly counts = new Map<number, Counts>()
  emptied = new Set<number>()
  #savepoints: Savepoint[] = []
  /** When the first of the statements began that no census was taken behind. */
  unread: number | undefined
  /** Milliseconds that measuring took in it, and nobody would wait for otherwise. */
  measured = 0

  /** How long something in it lasted. */
  timeOf({ since, measured }: { since: number; measured: number }, until: number): number {
    return Math.max(0, until - since - (this.measured - measured))
  }

  /**
   * Follows the savepoints of the client. What it did since one that it goes back to is forgotten.
   *
   * @returns the locks that were released
   */
  steer(sql: string): Open[] {
    if (!mayBeAboutSavepoint.test(sql)) return []
    const [, verb = '', name = ''] = aboutSavepoint.exec(essenceOf(sql)) ?? []
    if (/^savepoint$/i.test(verb)) this.#save(foldName(name))
    const at = this.#savepoints.findLastIndex(one => one.name === foldName(name))
    const savepoint = this.#savepoints[at]
    if (savepoint === undefined) return []
    if (/^release$/i.test(verb)) this.#savepoints.length = at
    if (!/^rollback/i.test(verb)) return []
    this.#savepoints.length = at + 1
    return this.#goBack(savepoint)
  }

  #save(name: string): void {
    const { locks, changes, emptied, files } = this
    this.#savepoints.push({
      ...{ name, locks: locks.length, changes: changes.length },
      ...{ emptied: new Set(emptied), files: new Map(files) },
    })
  }

  /** The savepoint itself stays. */
  #goBack({ locks, changes, emptied, files }: Savepoint): Open[] {
    this.changes.length = changes
    this.emptied = new Set(emptied)
    this.files = new Map(files)
    return this.locks.splice(locks)
  }
}
