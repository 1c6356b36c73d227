/** Measures the values of columns inside the database. The result contains only counts, shares and salted hashes. */
import { queryRow, queryRows, type Session, StatementError } from '#postgres/session'
import { quoteName, quoteText } from '#postgres/sql'
import { type Catalog, type Column, rowsOf, type Table } from '../plan/catalog.ts'
import { needsRules } from '../plan/plan.ts'

/** In a sample. */
export const mostRows = 400
const mostCharacters = 400
/** Shorter values, such as `none`, are equal by chance. */
const leastCompared = 5

/** Beginnings of keys, headers and tokens of well-known services. */
export const secretFormat = `^(-----BEGIN [A-Z ]*PRIVATE KEY|(Bearer|Basic) [\\w+/=.-]{16,}$|ey[\\w-]{10,}\\.ey[\\w-]{10,}\\.|gh[opsu]_\\w{20}|xox[abp]-|[rs]k_live_|whsec_)`

/** Patterns as SQL; the first match counts. JSON is searched, other values match as a whole. */
const patterns = {
  json: `not is_json and value ~ '^\\s*(\\{\\s*"|\\[\\s*[\\[{"])'`,
  /** JSON whose strings are keys. */
  textless: `is_json and regexp_replace(value, '"[^"]*": ?', '', 'g') !~ '"|[0-9]{4}'`,
  email: `value ~ '^[^@\\s<>"/]+@[[:alnum:].-]+\\.[A-Za-z]{2,}$' or is_json and value ~ '[\\w.+-]+@[\\w-]+\\.[A-Za-z]{2,}'`,
  /** Keys of JSON that name a property of a person. */
  personKeys: `is_json and value ~* '"([\\w-]*((first|last|full|sur|family|given)_?name|prenom|apellidos?|sobrenome|vorname|nachname|user_?agent|ip_?address)|ip)" *: *"[^"]'
    or is_json and value ~* '"[\\w-]*(phone|telefone?|telephone|telefono)\\w*" *: *"?[+(]?[0-9]'`,
  knownSecret: `value ~ '${secretFormat}'`,
  url: `value ~* '^[a-z][a-z0-9+.-]*://\\S+$'`,
  uuid: `value ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'`,
  ip: `value ~ '^([0-9]{1,3}\\.){3}[0-9]{1,3}(/[0-9]+)?$' or value ~* '^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}$'`,
  coordinates: `value ~ '^[-+]?[0-9]{1,3}\\.[0-9]{3,}\\s*[,;]\\s*[-+]?[0-9]{1,3}\\.[0-9]{3,}$'`,
  phone: `value ~ '^(\\+|00)[0-9][0-9 ()/.-]{6,18}$' or value ~ '^\\(?0?[0-9]{2,4}\\)?[ -][0-9]{3}[ -][0-9]{3,}$'`,
  userAgent: `value ~ '^Mozilla/[0-9]'`,
  /** The name of a variable of an environment: `DATABASE_URL`. */
  constant: `value ~ '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$'`,
  secret: `length(value) >= 20 and value ~ '^(\\$[0-9a-z]+\\$)?[A-Za-z0-9+/_=$.|-]+$' and value ~ '[0-9]' and value ~* '[a-z]' and value !~ '[-_./][a-z]+[-_./]'`,
  postal: `value ~* '^[0-9]+[a-z]?,? [[:alpha:]]+.* (street|st|avenue|ave|road|rd|lane|drive|way|place|boulevard|blvd|court)\\y'
    or value ~* '([a-z]stra(ss|ß)e|[a-z]weg|str\\.|platz) [0-9]+' or value ~* '^([0-9]+,? )?(rue|calle|rua|avenida|via|plaza) '`,
  number: `value ~ '^[-+]?[0-9]+([.,][0-9]+)?$'`,
  person: `value ~ '^[[:upper:]][[:lower:]''’-]+( [[:upper:]]\\.)?( (van|von|de|da|del|la|bin))*( [[:upper:]][[:alpha:]''’-]+){1,2}( [0-9]+)?$' or is_json and value ~ '"[[:upper:]][[:lower:]]+ [[:upper:]][[:lower:]]+'`,
  sentence: `value ~ '([[:alpha:]]+[,;:.!?]* +){3,}[[:alpha:]]' or is_json and value ~ '([[:alpha:]]+[,;:.!?]* +){4,}[[:alpha:]]'`,
  /** A name behind its type: `u/ada`, `group:staff`. */
  prefixed: `value ~ '^[a-z]{1,12}[/:][[:alnum:]_.-]+$'`,
  word: `value ~ '^[[:alnum:]_.:/@#-]+$'`,
} as const

/** An e-mail address within a longer value, also in the query of a URL. */
const emailWithin = `value ~* '[\\w.+-]+(@|%40)[\\w-]+(\\.[\\w-]+)*\\.[a-z]{2,}'`

export type Pattern = keyof typeof patterns | 'other'

export interface Measured {
  /** The number of values that are neither null nor empty, and the number of distinct ones. */
  count: number
  distinct: number
  length: number
  /** The share of values of each pattern, from 0 to 1. */
  shares: Partial<Record<Pattern, number>>
  /** True if a value of the sample contains an e-mail address. */
  hasEmail: boolean
  /** Hashes, salted for this run, of the values that are long enough to be compared with those of other columns. */
  hashes: readonly number[]
}

const patternOf = `case ${Object.entries(patterns)
  .map(([name, sql]) => `when ${sql} then '${name}'`)
  .join(' ')} else 'other' end`

const isMeasured = ({ family, isGenerated }: Column) =>
  !isGenerated && (family === 'text' || family === 'texts' || family === 'json' || family === 'bytes')

function textOf({ name, family }: Column): string {
  const own = `source.${quoteName(name)}`
  if (family === 'texts') return `array_to_string((${own}::text[])[1:1], '')`
  return family === 'bytes' ? `encode(substring(${own}::bytea for 64), 'hex')` : `${own}::text`
}

/** Values with the same words count as equal, as in the search for originals: `Design Team` and `design-team`. */
const wordsOf = (text: string) => `regexp_replace(${text}, '[^[:alnum:]]+', ' ', 'g')`

/** A hash of a value, salted for this run, as SQL. */
export const hashOf = (value: string, salt: string): string =>
  `('x' || left(md5(${quoteText(salt)} || ${wordsOf(`lower(${value})`)}), 8))::bit(32)::int`

/** A subquery for a sample of the rows. */
export function sampleOf(table: Table): string {
  const percent = (100 * 4 * mostRows) / Math.max(table.rows, 1)
  const sample = table.isPlain && percent < 50 ? ` tablesample system (${percent.toFixed(6)})` : ''
  return `(select * from ${rowsOf(table)}${sample} limit ${mostRows}) as source`
}

function measureTable(table: Table, columns: Column[], salt: string): string {
  const values = columns.map(
    column =>
      `(${quoteText(column.name)}, left(${textOf(column)}, ${mostCharacters}), ${column.family === 'json'})`,
  )
  return `select name, count(*)::int as count, count(distinct value)::int as distinct, avg(length(value))::float8 as length,
      bool_or(${emailWithin}) as "hasEmail",
      (select json_object_agg(found, share) from (select found, count(*)::float8 / sum(count(*)) over () as share
        from unnest(array_agg(pattern)) as matched(found) group by found) as shares) as shares,
      coalesce(json_agg(distinct ${hashOf('value', salt)})
        filter (where length(value) >= ${leastCompared} and pattern <> 'number'), '[]') as hashes
    from (select cell.* from ${sampleOf(table)},
        lateral (values ${values.join()}) as cell(name, value, is_json)) as cell,
      lateral (select ${patternOf}) as shape(pattern)
    where value <> '' group by name`
}

export const columnKey = (table: string, column: string): string => `${table} ${column}`

export async function readSalt(session: Session): Promise<string> {
  return (await queryRow<{ salt: string }>(session, 'select gen_random_uuid()::text as salt')).salt
}

/** Measures the columns of all tables that need rules. Unreadable tables are omitted. */
export async function measure(
  session: Session,
  { tables }: Catalog,
  salt: string,
): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>()
  for (const table of tables.filter(needsRules)) {
    const columns = table.columns.filter(isMeasured)
    if (columns.length === 0 || table.kind === 'large objects') continue
    const rows = await queryRows<Measured & { name: string }>(
      session,
      measureTable(table, columns, salt),
    ).catch(error => {
      if (error instanceof StatementError) return []
      throw error
    })
    for (const { name, ...row } of rows) measured.set(columnKey(table.id, name), row)
  }
  return measured
}
