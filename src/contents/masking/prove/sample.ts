/** Takes samples of the original values before masking, as keyed hashes for the search afterwards. */
import { type OpenSession, queryRow, type Session } from '#postgres/session'
import { quoteText } from '#postgres/sql'
import { during, runInParallel } from '../mask/work.ts'
import { columnName, type ReadRows, rowsOf } from '../plan/catalog.ts'
import { withPatterns, workSchema } from '../plan/expressions.ts'
import { isMasked, type Plan, type PlannedColumn, type PlannedTable } from '../plan/plan.ts'
import { rowOf } from '../plan/rules.ts'
import { hashOf, hashOfWord, longest, partsOf, shortest, wordsInBytes, wordsOf } from './texts.ts'

/** The most originals searched for per column, and the most values read to find them. */
const mostNeedles = 1000
const mostValuesRead = 4000

/** A column whose originals are searched for. */
interface Source {
  /** Identifies the column in the work schema. */
  number: number
  name: string
  table: PlannedTable
  column: PlannedColumn
}

/** The number of originals of a column that are searched for, and of values that are too short or too frequent for that. */
export interface Sample {
  column: string
  taken: number
  tooShort: number
  notUnique: number
}

/** Columns whose originals must disappear. `shuffle` is excluded, because it moves originals to other rows. */
export function findSources({ tables }: Plan): Source[] {
  return tables
    .filter(({ kind }) => kind === 'table')
    .flatMap(table =>
      table.columns
        .filter(column => table.dropRows || (isMasked(column) && column.rule?.kind !== 'shuffle'))
        // A day or a flag identifies nothing. A number may be a telephone number. A tsvector holds single words of other columns.
        .filter(
          ({ holdsText, type }) => (holdsText && type !== 'tsvector') || /^(?:bigint|numeric)/.test(type),
        )
        .map(column => ({ table, column, name: columnName(table, column) })),
    )
    .map((source, number) => ({ number, ...source }))
}

/** A single word, or words as in an identifier. Developers use such words in functions and comments. */
const isOrdinary = (value: string) => `${value} ~ '^([[:alpha:]]+|[a-z]+([_-][a-z]+)+)$'`

/**
 * Stores originals as keyed hashes of their words, never in clear. Each hash has an anchor, with which the search finds
 * the surrounding words: the word that the fewest originals of the sample contain, then the longest. A rare anchor
 * keeps comparisons few.
 */
function needlesOf({ number, table, column }: Source, rows: ReadRows): string {
  const parts = `select part.value ${withPatterns} as value from ${rows(table)} as target, lateral (${partsOf(column)}) as part(value)`
  // Large tables are sampled at random, with about as many rows as the limit.
  const share = table.rows > 2 * mostValuesRead ? `and random() < ${(2 * mostValuesRead) / table.rows}` : ''
  const leaves = column.rule && rowOf(column.rule.kind).leaves
  const left = typeof leaves === 'object' ? leaves.values(column.rule?.argument ?? '') : []
  const named = left.length > 0 ? `and value not in (${left.map(quoteText).join()})` : ''
  return `
    with seen as materialized (
      select distinct left(value, ${longest}) as value from (${parts}) as all_parts
      where value is not null ${share} ${named} limit ${mostValuesRead}),
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
    stored as (
      insert into ${workSchema}.needle (source, hash, words, first, word, is_ordinary)
      select ${number}, ${hashOf('words')}, cardinality(words), place, ${hashOfWord('word')}, is_ordinary
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest)
    select (select count(*) from taken)::int as taken,
      (select count(*) from counted where length(value) < ${shortest})::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`
}

/** Takes up to 1,000 originals of each column to mask. @throws MaskingError */
export async function takeSamples(
  open: OpenSession,
  plan: Plan,
  sessions: number,
  rows = rowsOf,
): Promise<Sample[]> {
  const samples: Sample[] = []
  const sources = findSources(plan)
  await runInParallel(open, sessions, sources, async (session: Session, source) => {
    const { number, name: column } = source
    const found = await during(`the originals of ${column}`, () =>
      queryRow<Omit<Sample, 'column'>>(session, needlesOf(source, rows)),
    )
    samples[number] = { column, ...found }
  })
  return samples
}
