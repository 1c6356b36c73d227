import { queryRow, type Session } from '#postgres/session'
import { during, inParallel, type OpenSession } from '../mask/work.ts'
import { rowsOf, tableName } from '../plan/catalog.ts'
import { quoteText, workSchema } from '../plan/expressions.ts'
import { isMasked, type Plan, type PlannedColumn, type PlannedTable } from '../plan/planned.ts'
import { valuesOf } from '../plan/rules.ts'
import { hashOf, hashOfWord, longest, partsOf, shortest, wordsInBytes, wordsOf } from './texts.ts'

/** How many originals of a column are looked for, and how many are looked at to find them. */
const mostNeedles = 1000
const mostSeen = 4000

/** A column whose originals are looked for after masking. */
export interface Source {
  /** Its number in the table of the needles. */
  number: number
  table: PlannedTable
  column: PlannedColumn
}

/** How many originals of a column are looked for, and how many of those seen say nothing where they are found. */
export interface Sample {
  column: string
  taken: number
  tooShort: number
  notUnique: number
}

/** Columns whose values must be gone afterwards. What is shuffled stays, in other rows. */
export function findSources({ tables }: Plan): Source[] {
  const columns = tables.flatMap(table =>
    table.columns
      .filter(column => table.dropRows || (isMasked(column) && column.rule?.kind !== 'shuffle'))
      // A day or a flag says nothing where it is found again; a number may be that of a telephone.
      .filter(({ holdsText, type }) => holdsText || /^(?:bigint|numeric)/.test(type))
      .filter(() => table.kind === 'table')
      .map(column => ({ table, column })),
  )
  return columns.map((source, number) => ({ number, ...source }))
}

/** A single word, or words as in a name of code: developers write such words in functions and comments too. */
const isOrdinary = (value: string) => `${value} ~ '^([[:alpha:]]+|[a-z]+([_-][a-z]+)+)$'`

/**
 * Originals that a column has, as keyed hashes of their words, with the place of one of them: in a longer text the words
 * around that one are compared. It is the one that the fewest of these originals have, then the longest, so that few texts
 * lead to a comparison. The originals themselves are written nowhere.
 */
function needlesOf({ number, table, column }: Source): string {
  const parts = `select part.value from ${rowsOf(table)} as target, lateral (${partsOf(column)}) as part(value)`
  // Of large tables rows by chance: about as many as are to be seen.
  const share = table.rows > 2 * mostSeen ? `and random() < ${(2 * mostSeen) / table.rows}` : ''
  const values = column.rule === undefined ? [] : valuesOf(column.rule)
  const named = values.length > 0 ? `and value not in (${values.map(quoteText).join()})` : ''
  return `
    with seen as materialized (
      select distinct left(value, ${longest}) as value from (${parts}) as all_parts
      where value is not null ${share} ${named} limit ${mostSeen}),
    counted as materialized (
      select left(value, ${longest}) as value, count(*) as times from (${parts}) as all_parts
      where left(value, ${longest}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${wordsOf('value')} as words, ${wordsInBytes('value')} as in_bytes from counted where length(value) >= ${shortest}),
    taken as (select words, in_bytes, ${isOrdinary('value')} as is_ordinary from long where times = 1 and words <> '{}' order by random() limit ${mostNeedles}),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words, is_ordinary from taken
      union all
      select ${wordsOf("encode(convert_to(array_to_string(in_bytes, ' '), 'UTF8'), 'escape')")}, is_ordinary from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    made as (
      insert into ${workSchema}.needle (source, hash, words, first, word, is_ordinary)
      select ${number}, ${hashOf('words')}, cardinality(words), place, ${hashOfWord('word')}, is_ordinary
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select count(*) from counted where length(value) < ${shortest})::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`
}

/**
 * Takes up to 1,000 originals of each column that will be masked.
 *
 * @throws MaskingError
 */
export async function takeSamples(open: OpenSession, plan: Plan, sessions: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const sources = findSources(plan)
  await inParallel(open, plan, { sessions, tasks: sources }, async (session: Session, source) => {
    const column = `${tableName(source.table)}.${source.column.name}`
    const found = await during(`the originals of ${column}`, () =>
      queryRow<Omit<Sample, 'column'>>(session, needlesOf(source)),
    )
    samples[source.number] = { column, ...found }
  })
  return samples
}
