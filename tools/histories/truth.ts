/**
 * Finds the true effects of a migration, without any code of the rehearsal: runs the migration directly, in a transaction whose
 * own locks are read at its end, and compares all rows and files before and after.
 */
import { psql, type Server } from '../bench/database.ts'

/** A table, or a leaf of a partitioned one. `whole`: the table that people know it by. */
interface Table {
  id: number
  whole: number
  name: string
  kind: string
  file: number | null
  /** The numbers of the columns of the primary key. */
  key: number[]
  columns: { number: number; name: string; type: string; generated: boolean }[]
}

type Row = Record<string, unknown>

interface Snapshot {
  tables: Map<number, Table>
  /** By the id of the table or leaf. */
  rows: Map<number, Row[]>
}

export interface Truth {
  /** A sentence for each loss. */
  lost: string[]
  rewritten: Set<string>
  /** The strongest lock on each table. Undefined where the migration cannot run in a transaction. */
  locks: Map<string, string> | undefined
}

const ofUsers = `c.oid >= 16384 and n.nspname !~ '^(pg_|information_schema$)'`

const tablesQuery = `
  select coalesce(jsonb_agg(jsonb_build_object('id', c.oid::int8, 'kind', c.relkind, 'file', pg_relation_filenode(c.oid)::int8,
    'whole', coalesce(pg_partition_root(c.oid)::oid, c.oid)::int8,
    'name', coalesce(pg_partition_root(c.oid), c.oid::regclass)::text,
    'key', coalesce((select to_jsonb(conkey) from pg_constraint where conrelid = c.oid and contype = 'p'), '[]'),
    'columns', (select coalesce(jsonb_agg(jsonb_build_object('number', attnum, 'name', attname,
        'type', format_type(atttypid, atttypmod), 'generated', attgenerated <> '')), '[]')
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped))), '[]')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'm', 'v', 'f', 'S') and ${ofUsers}`

const rowsQuery = `
  select format('select %s, coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from only %s t', c.oid, c.oid::regclass)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${ofUsers} \\gexec\n`

async function takeSnapshot(server: Server): Promise<Snapshot> {
  const [first = '[]', ...lines] = (await psql(server, ['-c', tablesQuery, '-f', '-'], rowsQuery))
    .trim()
    .split('\n')
  const tables = JSON.parse(first) as Table[]
  const rows = lines.map(line => {
    const bar = line.indexOf('|')
    return [Number(line.slice(0, bar)), JSON.parse(line.slice(bar + 1)) as Row[]] as const
  })
  return { tables: new Map(tables.map(one => [one.id, one])), rows: new Map(rows) }
}

/** The rows of a table with all its leaves. */
const rowsOf = ({ tables, rows }: Snapshot, id: number) =>
  [...tables.values()].filter(({ whole }) => whole === id).flatMap(leaf => rows.get(leaf.id) ?? [])

type Columns = Map<number, Table['columns'][number]>
const columnsOf = ({ columns }: Table): Columns => new Map(columns.map(one => [one.number, one]))

/** The values of the key of a row. Undefined without a key. */
function keyOf(row: Row, key: number[], columns: Columns): string | undefined {
  const names = key.flatMap(number => columns.get(number)?.name ?? [])
  const isKeyed = key.length > 0 && names.length === key.length
  return isKeyed ? JSON.stringify(names.map(name => row[name])) : undefined
}

/** Whether a conversion made values null, or the same as others. */
function hasMerged(pairs: [unknown, unknown][]): boolean {
  const filled = pairs.filter(([was]) => was !== null)
  const distinct = (side: 0 | 1) => new Set(filled.map(pair => JSON.stringify(pair[side]))).size
  return filled.some(([, now]) => now === null || now === undefined) || distinct(1) < distinct(0)
}

function* findLost(before: Snapshot, after: Snapshot): Generator<string> {
  for (const [id, table] of before.tables) {
    const earlier = rowsOf(before, id)
    if (table.whole !== id || table.kind === 'm' || earlier.length === 0) continue
    const now = after.tables.get(id)
    if (now === undefined) {
      yield `${table.name} dropped`
      continue
    }
    const later = rowsOf(after, id)
    const [columns, columnsNow] = [columnsOf(table), columnsOf(now)]
    const isSameKey = table.key.every(number => columnsNow.get(number)?.type === columns.get(number)?.type)
    const byKey = new Map(later.map(row => [keyOf(row, table.key, columnsNow), row]))
    const isKeyed = isSameKey && table.key.length > 0
    const gone = isKeyed
      ? earlier.filter(row => !byKey.has(keyOf(row, table.key, columns))).length
      : Math.max(0, earlier.length - later.length)
    if (gone > 0) yield `${gone} rows of ${table.name} deleted`
    for (const [number, { name, type, generated }] of columns) {
      const column = columnsNow.get(number)
      if (generated) continue
      if (column === undefined) {
        if (earlier.some(row => row[name] !== null)) yield `${table.name}.${name} dropped`
      } else if (column.type !== type && isKeyed) {
        const pairs = earlier.flatMap((row): [unknown, unknown][] => {
          const same = byKey.get(keyOf(row, table.key, columns))
          return same ? [[row[name], same[column.name]]] : []
        })
        if (hasMerged(pairs)) yield `${table.name}.${name} converted to ${column.type}`
      }
    }
  }
}

const findRewritten = (before: Snapshot, after: Snapshot) =>
  new Set(
    [...before.tables.values()]
      .filter(({ id, file }) => {
        const now = after.tables.get(id)
        return now && now.file !== file && before.rows.get(id)?.length && after.rows.get(id)?.length
      })
      .map(({ name }) => name),
  )

/** The lock modes that no reading or writing of rows takes, from weak to strong. */
const modes = [
  ...['ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock'],
  'AccessExclusiveLock',
]

/** The strongest lock on each table, without those of reading and writing rows. */
export function strongestByTable(locks: (readonly [table: string | undefined, mode: string])[]) {
  const strongest = new Map<string, string>()
  for (const [table, mode] of locks)
    if (table !== undefined && modes.indexOf(mode) > modes.indexOf(strongest.get(table) ?? ''))
      strongest.set(table, mode)
  return strongest
}

const locksQuery = `select relation::int8, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation'`

/** @throws the server's refusal of the migration */
export async function findTruth(server: Server, file: string, transaction: boolean): Promise<Truth> {
  const before = await takeSnapshot(server)
  const mark = 'locks follow'
  const readLocks = ['-c', `select '${mark}'`, '-c', locksQuery, '-c', 'COMMIT']
  const run = transaction ? ['-c', 'BEGIN', '-f', file, ...readLocks] : ['-f', file]
  const [, lockLines = ''] = (await psql(server, run)).split(mark)
  const after = await takeSnapshot(server)
  const locks = lockLines.split('\n').map(line => {
    const [id, mode = ''] = line.split('|')
    return [before.tables.get(Number(id))?.name, mode] as const
  })
  return {
    lost: [...findLost(before, after)],
    rewritten: findRewritten(before, after),
    locks: transaction ? strongestByTable(locks) : undefined,
  }
}
