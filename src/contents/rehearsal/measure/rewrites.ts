/** Finds the tables that a transaction rewrote, from the new files of their relations. */
import { queryRow, type Session } from '#postgres/session'
import { chooseRewriter, type RecordedStatement } from './attribution.ts'
import { type Tables, tableOf } from './catalog.ts'
import { walPosition } from './locks.ts'

/** A relation after a transaction that locked it exclusively. */
interface FileNow {
  id: number
  /** Null if it has no file, or was dropped. */
  file: number | null
  /** Bytes of its rows, and with TOAST. */
  ownBytes: number
  bytes: number
}

/** Reads the files of relations, and the end of the WAL in bytes. */
export const readFiles = (session: Session, ids: Iterable<number>) =>
  queryRow<{ wal: number; files: FileNow[] }>(
    session,
    `select (${walPosition})::float8 as wal, coalesce(json_agg(json_build_object(
         'id', oid::int8, 'file', pg_relation_filenode(oid)::int8, 'ownBytes', coalesce(pg_relation_size(oid), 0),
         'bytes', coalesce(pg_table_size(oid), 0))), '[]') as files
     from pg_class where oid = any ('{${[...ids]}}')`,
  )

/** Adds each rewrite to the statement that caused it. */
export class RewriteRecorder {
  readonly #catalog: Tables
  /** The new file of each rewritten relation. */
  readonly #files = new Map<number, number>()

  constructor(catalog: Tables) {
    this.#catalog = catalog
  }

  /** Compares the files of relations that a committed transaction locked exclusively. */
  record(files: FileNow[], exclusive: ReadonlyMap<number, ReadonlySet<RecordedStatement>>): void {
    const empty = new Set(files.filter(one => one.ownBytes === 0).map(({ id }) => id))
    for (const { id, file, bytes } of files) {
      const known = this.#catalog.relations.get(id)
      const before = this.#files.get(id) ?? known?.file ?? null
      if (file === null || before === null || file === before) continue
      this.#files.set(id, file)
      // A sequence, and an index of a table without rows, has one page, so a rewrite costs nothing.
      if (known?.kind === 'S' || empty.has(id) || empty.has(known?.partOf ?? id)) continue
      const table = tableOf(this.#catalog, id)
      const statement = chooseRewriter([...(exclusive.get(id) ?? [])], table?.name ?? '')
      if (table === undefined || statement === undefined) continue
      const same = statement.rewrites.find(one => one.table === table.name)
      if (same) same.bytes += bytes
      else statement.rewrites.push({ table: table.name, bytes })
    }
  }
}
