/** Finds the columns that hold the values of documents or of other columns. Counts and salted hashes leave the database. */
import { queryRow, queryRows, type Session, StatementError } from '#postgres/session'
import { quoteName, quoteText } from '#postgres/sql'
import { type Catalog, rowsOf } from '../plan/catalog.ts'
import { jsonRules } from '../plan/rules.ts'
import { isMasked, type Proposed } from './groups.ts'
import { columnKey, hashOf, mostRows, secretFormat } from './measure.ts'
import { isComparable } from './shared-values.ts'

export interface Holders {
  /** Keys of large tables, each with SQL that finds `one.value` by its index. */
  keys: readonly { holder: Proposed; find: string }[]
  /** The columns with a value of this hash in their samples. */
  byHash: ReadonlyMap<number, Proposed[]>
}

export interface Held {
  path: string
  /** The column that holds most values of the path, if these are enough. */
  holder: Proposed | undefined
  /** A value begins like a key or a token. */
  hasSecret: boolean
}

/** The compared values of each path, and of all. */
const mostValues = { path: 6, all: 1000 }

const uuid = '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'

/** The sample has all texts of the column. */
const isSampleComplete = (one: Proposed) =>
  isComparable(one) && one.table.rows < mostRows && (one.evidence.measured?.count ?? mostRows) < mostRows

/** Undefined for a type that needs more than a cast. */
function findByIndex({ table, column }: Proposed): string | undefined {
  const find = (value: string) =>
    `(select true from ${rowsOf(table)} as holder where holder.${quoteName(column.name)} = ${value} limit 1)`
  if (column.family === 'uuid') return `case when one.is_uuid then ${find('one.value::uuid')} end`
  if (/^(?:smallint|integer|bigint)$/.test(column.type))
    return `case when one.is_number then ${find('one.value::bigint')} end`
  return /^(?:text|character varying.*|(?:\w+\.)?citext)$/.test(column.type)
    ? find(`one.value::${column.type.replace(/\(.*/, '')}`)
    : undefined
}

/** True for a rule that gives a text the same new value in a column and within JSON. */
const hasEqualRule = ({ decision: { rule } }: Proposed) =>
  jsonRules.includes(rule) && rule !== 'null' && rule !== 'fixed'

export function findHolders({ uniques }: Catalog, proposed: readonly Proposed[]): Holders {
  const isPlain = (index: string | null) => /\((?:"[^"]+"|\w+)\)(?: DEFERRABLE.*)?$/.test(index ?? '')
  const indexed = uniques.filter(({ columns, restore }) => columns.length === 1 && isPlain(restore))
  const keys = new Set(indexed.map(({ table, columns }) => columnKey(table, columns.join())))
  const possible = proposed.filter(
    one => one.table.kind === 'table' && one.table.hasOwnerRights && hasEqualRule(one),
  )
  const byHash = new Map<number, Proposed[]>()
  for (const holder of possible.filter(isComparable))
    for (const hash of holder.evidence.measured?.hashes ?? [])
      byHash.set(hash, [...(byHash.get(hash) ?? []), holder])
  return {
    keys: possible
      .filter(({ table, column }) => keys.has(columnKey(table.id, column.name)))
      .filter(one => !isSampleComplete(one))
      .flatMap(holder => {
        const find = findByIndex(holder)
        return find === undefined ? [] : { holder, find }
      }),
    byHash,
  }
}

interface Row {
  path: string
  count: number
  /** The mean length. */
  length: number
  areNumbers: boolean
  hasSecret: boolean
  hashes: readonly number[]
  /** The key that holds most values, and their number. */
  key: number | null
  held: number | null
}

/** The least share of a path's values in a holder that is masked or kept, and the least characters of these texts in all. */
export interface Least {
  masked: number
  kept: number
  characters: number
}

function chooseHolder(
  { keys, byHash }: Holders,
  least: Least,
  { count, length, areNumbers, hashes, key, held }: Row,
) {
  const found = Map.groupBy(
    hashes.flatMap(hash => byHash.get(hash) ?? []),
    holder => holder,
  )
  const byKey = keys[key ?? -1]
  const all = [
    ...(byKey ? [{ holder: byKey.holder, held: held ?? 0 }] : []),
    ...[...found].map(([holder, { length }]) => ({ holder, held: length })),
  ].toSorted(
    (first, second) =>
      second.held - first.held ||
      Number(second.holder.evidence.isUnique) - Number(first.holder.evidence.isUnique),
  )
  return all.find(
    ({ holder, held }) =>
      held >= (isMasked(holder) ? least.masked : least.kept) * count &&
      (areNumbers || held * length >= least.characters),
  )?.holder
}

export interface Search {
  session: Session
  /** Of the hashes of samples. */
  salt: string
  /** The time of the server at the start. */
  start: string
}

export async function startSearch(session: Session, salt: string): Promise<Search> {
  const { start } = await queryRow<{ start: string }>(session, 'select clock_timestamp()::text as start')
  return { session, salt, start }
}

/** In milliseconds, for all searches and for one. */
const longest = { all: 15_000, one: 2000 }

/** Both settings end with the statements that follow. Compiling the probes takes longer than they take. */
const limitTime = (
  start: string,
) => `select set_config('jit', 'off', true), set_config('statement_timeout', greatest(1, least(${longest.one},
  ${longest.all} - 1000 * extract(epoch from clock_timestamp() - ${quoteText(start)}::timestamptz)))::int::text, true)`

/**
 * Finds the column that holds most values of each path. Returns nothing if no value can be read in time.
 * @param values SQL of common table expressions, of which the last one is `found(path, value)`
 */
export async function findHeld(
  { session, salt, start }: Search,
  values: string,
  holders: Holders,
  least: Least,
): Promise<Held[]> {
  const probes = holders.keys.map(({ find }, number) => `(${number}, ${find})`)
  const query = `with recursive ${values},
    one as materialized (select path, value, has_secret, value ~ '${uuid}' as is_uuid, value ~ '^[0-9]{1,18}$' as is_number from (
        select path, value, row_number() over (partition by path order by md5(value)) as place,
          bool_or(value ~ '${secretFormat}') over (partition by path) as has_secret
        from (select distinct path, value from found) as different) as numbered
      where place <= ${mostValues.path} limit ${mostValues.all}),
    matched as (select path, key, count(*)::int as held
      from one, lateral (values ${['(-1, false)', ...probes].join()}) as probe(key, is_held) where is_held group by 1, 2)
    select distinct on (path) path, count, length, "areNumbers", "hasSecret", hashes, key, held
    from (select path, count(*)::int, avg(length(value))::float8 as length, bool_and(is_number) as "areNumbers",
        bool_or(has_secret) as "hasSecret",
        json_agg(${hashOf('value', salt)}) as hashes from one group by path) as whole left join matched using (path)
    order by path, held desc nulls last, key`
  const rows = await queryRows<Row>(session, `${limitTime(start)}; ${query}`).catch(error => {
    if (error instanceof StatementError) return []
    throw error
  })
  return rows.map(row => ({
    path: row.path,
    hasSecret: row.hasSecret,
    holder: chooseHolder(holders, least, row),
  }))
}
