/** Finds the tables that a transaction rewrote, from the new files of their relations. */
import { queryRows, type Session } from '#postgres/session'
import { chooseRewriter, type RecordedStatement } from './attribution.ts'
import { type Tables, tableOf } from './catalog.ts'

/** A relation after a transaction that locked it exclusively. */
interface FileNow {
  id: number
  /** Null if it has no file, or was dropped. */
  file: number | null
  /** Bytes of its rows, and with TOAST. */
  ownBytes: number
  bytes: number
}

export async function readFilesOf(session: Session, ids: Iterable<number>): Promise<FileNow[]> {
  return await queryRows<FileNow>(
    session,
    `select c.oid as id, pg_relation_filenode(c.oid) as file, coalesce(pg_relation_size(c.oid), 0)::float8 as "ownBytes",
       coalesce(pg_table_size(c.oid), 0)::float8 as bytes
     from pg_class c where c.oid in (${[...ids].join(', ')})`,
  )
}

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
