/** Reads fingerprints of small tables: the number of rows, and for each column a hash that does not depend on row order. */
import type { Seam } from '#base/seam'
import { type Answer, asRows, type Session, StatementError } from '#postgres/session'
import { isIndex, isTable, type Relation, type Tables, tableOf } from './catalog.ts'
import type { Column } from './catalog-queries.ts'

/** Bytes and milliseconds for all tables, and for one (`longest`). Reading 100 MB takes about 2 s, before and after. */
const budget = { bytes: 100_000_000, time: 5000, longest: 3000 }

interface Values {
  /** The number of non-null values. */
  filled: number
  /** The sum of their hashes. */
  hash: string
  /** The number of different labels; undefined unless the type is an enum. */
  labels: number | undefined
}

interface Fingerprint {
  /** By the id of the table or of its part. */
  rows: Map<number, number>
  /** By the key of the column in the catalog. */
  columns: Map<string, Values>
}

/** By table id. Tables that are too large or unreadable have no fingerprint. */
export type Fingerprints = ReadonlyMap<number, Fingerprint>

export const sum = (numbers: Iterable<number>): number =>
  [...numbers].reduce((total, number) => total + number, 0)

export const countRows = ({ rows }: Fingerprint): number => sum(rows.values())

/** True if a table has the same number of rows, and the same values in each remaining column. */
export function isUnchanged(id: number, fingerprints: Record<'before' | 'after', Fingerprints>): boolean {
  const [was, now] = [fingerprints.before.get(id), fingerprints.after.get(id)]
  if (was === undefined || now === undefined || countRows(was) !== countRows(now)) return false
  return [...was.columns].every(([key, values]) => {
    const is = now.columns.get(key)
    return is === undefined || is.hash === values.hash
  })
}

/** Some collations treat different texts as equal, so the hash uses the collation C. */
const hash = (value: string) => `sum(hashtextextended((${value})::text collate "C", 0))::text`

interface PartRow {
  part: number
  rows: number
  /** The number of values and the hash, in column order. */
  values: [string, string | null, string | null][]
}

/** Readable tables within the budget, the smallest first. */
function chooseTables(catalog: Tables): Relation[] {
  const sizes = new Map<Relation, number>()
  for (const relation of catalog.relations.values()) {
    const { id, kind, bytes } = relation
    const table = tableOf(catalog, id)
    if (table === undefined || !isTable(table) || isIndex(relation)) continue
    // The rows of a foreign table are on another server.
    sizes.set(table, (sizes.get(table) ?? 0) + (kind === 'f' ? Number.POSITIVE_INFINITY : bytes))
  }
  let left = budget.bytes
  return [...sizes]
    .filter(([, bytes]) => bytes > 0)
    .sort(([, first], [, second]) => first - second)
    .flatMap(([table, bytes]) => {
      left -= bytes
      return left >= 0 ? [table] : []
    })
}

/** Runs a query. Undefined if the server refuses it or it times out. */
type Ask = (sql: string) => Promise<Answer['rows'] | undefined>

async function readTable(
  ask: Ask,
  from: string,
  columns: [string, Column][],
): Promise<Fingerprint | undefined> {
  // A function takes at most 100 arguments, so the result is an array.
  const values = columns.map(
    ([, { name, isEnum }]) =>
      `array[count(${name})::text, ${hash(name)}, ${isEnum ? `json_agg(distinct ${name}::text) filter (where ${name} is not null)::text` : 'null'}]`,
  )
  const sql = `select tableoid as part, count(*)::float8 as rows, to_json(array[${values}]::text[]) as values from ${from} group by tableoid`
  const rows = await ask(sql)
  if (rows === undefined) return undefined
  const parts = asRows<PartRow>(rows)
  const sumUp = ([key, { isEnum }]: [string, Column], index: number): [string, Values] => {
    const all = parts.map(({ values: of }) => of[index] ?? ['0', null, null])
    const labels = new Set(all.flatMap(([, , some]) => JSON.parse(some ?? '[]')))
    const filled = sum(all.map(([count]) => Number(count)))
    const hashes = all.reduce((total, [, one]) => total + BigInt(one ?? 0), 0n)
    return [key, { filled, hash: String(hashes), labels: isEnum ? labels.size : undefined }]
  }
  return { rows: new Map(parts.map(one => [one.part, one.rows])), columns: new Map(columns.map(sumUp)) }
}

/** @param complete may change each fingerprint after it is read */
export async function readFingerprints(
  session: Session,
  seam: Pick<Seam, 'now'>,
  catalog: Tables,
  tables: Relation[] = chooseTables(catalog),
  complete: (ask: Ask, from: string, fingerprint: Fingerprint) => Promise<unknown> = async () => {},
): Promise<Fingerprints> {
  // A policy that hides rows makes the count wrong. With row_security = off such a query fails.
  await session.query(`set row_security = off; set statement_timeout = ${budget.longest}`)
  const until = seam.now() + budget.time
  const ask: Ask = async sql => {
    const answer = seam.now() < until ? await session.attempt(sql) : undefined
    return answer instanceof StatementError ? undefined : answer?.rows
  }
  const columns = Map.groupBy(catalog.columns, ([, { table }]) => table)
  const fingerprints = new Map<number, Fingerprint>()
  for (const { id, kind, isHypertable, fullName } of tables) {
    // ONLY excludes tables that inherit from a table.
    const from = kind === 'r' && !isHypertable ? `only ${fullName}` : fullName
    const own = (columns.get(id) ?? []).filter(([, { isGenerated }]) => !isGenerated)
    const fingerprint = await readTable(ask, from, own)
    if (fingerprint === undefined) continue
    await complete(ask, from, fingerprint)
    fingerprints.set(id, fingerprint)
  }
  await session.query('reset statement_timeout')
  return fingerprints
}

/** The ids of tables with any change in the catalog, in their parts too. */
function findTouched(before: Tables, after: Tables): Set<number | undefined> {
  const touched = new Set<number | undefined>()
  for (const id of new Set([...before.relations.keys(), ...after.relations.keys()])) {
    const isSame = JSON.stringify(before.relations.get(id)) === JSON.stringify(after.relations.get(id))
    if (!isSame) touched.add(tableOf(before, id)?.id).add(tableOf(after, id)?.id)
  }
  return touched
}

/** Reads changed tables again. Converting a column back to its type shows whether its values are the same. */
export async function rereadFingerprints(
  session: Session,
  seam: Pick<Seam, 'now'>,
  fingerprints: Fingerprints,
  { before, after }: { before: Tables; after: Tables },
): Promise<Fingerprints> {
  const touched = findTouched(before, after)
  const tables = [...after.relations.values()].filter(
    ({ id, partOf }) => touched.has(id) && fingerprints.has(id) && partOf === null,
  )
  return await readFingerprints(session, seam, after, tables, async (ask, from, fingerprint) => {
    for (const [key, { filled, hash: now }] of fingerprint.columns) {
      const [was, is] = [before.columns.get(key), after.columns.get(key)]
      const earlier = was && fingerprints.get(was.table)?.columns.get(key)
      if (!was || !is || was.type === is.type || earlier?.hash === now || earlier?.filled !== filled) continue
      const sql = `select ${hash(`${is.name}::${was.type}`)} as hash from ${from}`
      const [back] = (await ask(sql)) ?? []
      if (back?.hash === earlier.hash) fingerprint.columns.set(key, earlier)
    }
  })
}
