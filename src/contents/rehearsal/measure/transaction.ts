import type { ChangedRows, HeldLock } from '../result/rehearsal.ts'

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

/** A transaction that is open. */
export class Transaction {
  readonly locks: Open[] = []
  readonly changes: { since: number; measured: number; rows: ChangedRows; table: number }[] = []
  /** By the id of the relation, as the last census saw it. */
  readonly files = new Map<number, number | undefined>()
  readonly counts = new Map<number, Counts>()
  readonly emptied = new Set<number>()
  /** When the first of the statements began that no census was taken behind. */
  unread: number | undefined
  /** Milliseconds that measuring took in it, and nobody would wait for otherwise. */
  measured = 0

  /** How long something in it lasted. */
  timeOf({ since, measured }: { since: number; measured: number }, until: number): number {
    return Math.max(0, until - since - (this.measured - measured))
  }
}
