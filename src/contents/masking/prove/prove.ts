/** Searches the masked database for originals, and reports each place where one remains. */
import { type OpenSession, queryRows, type Session, StatementError } from '#postgres/session'
import { type MaskingOptions, withProgress } from '../mask/progress.ts'
import { createWorkSchema, describeRefusal, during, runInParallel, runInSession } from '../mask/work.ts'
import { type ReadRows, tableName } from '../plan/catalog.ts'
import { workSchema } from '../plan/expressions.ts'
import { columnNames, isRuled, type Plan, type PlannedColumn, type PlannedTable } from '../plan/plan.ts'
import { maskedValue, rowOf } from '../plan/rules.ts'
import { type Haystack, haystackOf, otherHaystacks } from './haystacks.ts'
import { findSources, takeSamples } from './sample.ts'
import { hashOf, hashOfWord, longest, piecesOf, shortest, textOf } from './texts.ts'

export interface Hit {
  /** A column or another searched place. */
  place: string
  /** The number of values that contain originals, and the number of these originals. */
  times: number
  originals: number
  /** The columns that the originals come from. */
  from: string[]
  /** The place is text of developers: a function, a comment, a definition. */
  isSchema: boolean
  /** The place is a column with JSON. */
  isJson: boolean
}

export interface Proof {
  searched: string[]
  /** Each place with the reason. */
  notSearched: string[]
  /** Data that the database computed again from masked rows. */
  rebuilt: string[]
  /** The number of originals that do not count, because kept columns often contain the same words. */
  common: number
  hits: Hit[]
}

/** A text is common in a kept column if it occurs in more rows than this. */
const commonFrom = 10

/** The most originals of a column, or share of them, that can be common words. With more, a kept column is a copy. */
const mostCommon = 3
const mostCommonShare = 0.01

/**
 * An original may be anywhere in a text. One of its words finds candidates, and the hash of the surrounding words
 * decides. unnest() takes half the time in the list of columns that it takes in FROM.
 */
const search = ({ texts, isSchema = false }: Haystack) => `
  insert into ${workSchema}.hit
  select place, needle.id, count(*), ${isSchema}
  from (select place, words, unnest(words) as word, generate_subscripts(words, 1) as at
      from (select place, ${piecesOf('value')} as words
        from (select place, left(value, ${longest}) as value from (${texts}) as cell(place, value)
          where length(value) >= ${shortest} offset 0) as cell offset 0) as split) as one
    join ${workSchema}.needle on needle.word = ${hashOfWord('one.word')} ${isSchema ? 'and not is_ordinary' : ''}
  where ${hashOf('one.words[at - first + 1 : at - first + needle.words]')} = needle.hash
  group by 1, 2`

/** The code of the error (PostgreSQL documentation, appendix A). */
const insufficientPrivilege = '42501'

async function searchIn(session: Session, haystack: Haystack, proof: Proof): Promise<void> {
  const places = haystack.places.join(', ')
  const answer = await session.attempt(search(haystack))
  if (!(answer instanceof StatementError)) proof.searched.push(...haystack.places)
  else if (answer.code === insufficientPrivilege)
    proof.notSearched.push(`${places}: ${describeRefusal(answer)}`)
  else await during(`the search in ${places}`, () => Promise.reject(answer))
}

/** The places of columns whose rules leave originals, by design (`all`) or by chance. */
const findPlacesThatKeep = (tables: PlannedTable[], leaves: ('all' | 'chance')[]) =>
  columnNames(
    tables,
    ({ rule }) => rule !== undefined && leaves.some(kind => kind === rowOf(rule.kind).leaves),
  )

/** Deletes the hits of common words in these columns, and of numbers that equal an original by chance. */
const deleteCommonHits = `
  with found as (
    select distinct hit.place, source, needle from ${workSchema}.hit join ${workSchema}.needle on needle.id = hit.needle
    where place = any ($1) and (times > ${commonFrom} or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(${mostCommon}, ${mostCommonShare} *
      (select count(*) from ${workSchema}.needle where needle.source = found.source)))
  delete from ${workSchema}.hit where needle in (select needle from found join few using (place, source))
  returning needle`

const remainingHits = `
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from, bool_and(is_schema) as "isSchema"
  from ${workSchema}.hit join ${workSchema}.needle on needle.id = hit.needle group by place order by place`

/** The hits of the search, without common words, and the number of these words. */
async function readHits(session: Session, plan: Plan): Promise<Pick<Proof, 'common' | 'hits'>> {
  const kept = plan.tables.filter(table => isRuled(table) && !table.dropRows)
  // A masked number can equal an original by chance.
  const deleted = await session.query(deleteCommonHits, [
    findPlacesThatKeep(kept, ['all', 'chance']),
    findPlacesThatKeep(plan.tables, ['chance']),
  ])
  const found = await queryRows<Omit<Hit, 'from' | 'isJson'> & { from: number[] }>(session, remainingHits)
  const withJson = columnNames(plan.tables, ({ family, rule }) => family === 'json' || rule?.kind === 'json')
  const sources = findSources(plan)
  const hits = found.map(hit => ({
    ...hit,
    isJson: withJson.includes(hit.place),
    from: hit.from.flatMap(number => sources[number]?.name ?? []),
  }))
  return { common: new Set(deleted.rows.map(({ needle }) => needle)).size, hits }
}

/** Values and places that are never searched, so originals may remain there. */
const neverSearched = [
  'values that hold no text, like numbers and times',
  'originals that are part of a longer word, or encoded',
  'names of tables, columns, roles and jobs',
  `text after the first ${longest} characters of a value`,
  'comments and definitions that PostgreSQL and extensions bring',
  'ordinary words in comments, functions and definitions',
  'deleted row versions in the data files',
  'earlier snapshots, the write-ahead log and the server log',
]

/** Searches every place for the samples of `takeSamples`. The proof contains no value. @throws MaskingError */
export async function proveMasking(open: OpenSession, plan: Plan, options: MaskingOptions): Promise<Proof> {
  const notSearched = [...neverSearched]
  const views = plan.derived.filter(({ isAggregate }) => !isAggregate)
  // `checkStatistics` has checked the statistics.
  const rebuilt = [...views.map(({ name }) => `materialized view ${name}`), 'statistics', 'indexes']
  const proof: Proof = { searched: [], notSearched, rebuilt, common: 0, hits: [] }
  for (const table of plan.tables) {
    if (table.kind === 'foreign table') notSearched.push(`${tableName(table)}: a foreign table`)
    if (table.elsewhere.length > 0)
      notSearched.push(`${table.elsewhere.join(', ')}: foreign parts of ${tableName(table)}`)
  }
  // The largest tables come first, so that no session works alone at the end.
  const tables = plan.tables.toSorted((first, second) => second.rows - first.rows)
  const tasks = [...tables.flatMap(table => haystackOf(table)), ...otherHaystacks(plan)]
  await runInSession(open, 'the originals', session =>
    session.query(`create index on ${workSchema}.needle (source); analyze ${workSchema}.needle`),
  )
  await withProgress(open, 'searching', tables, options, () =>
    runInParallel(open, options.sessions, tasks, (session, haystack) => searchIn(session, haystack, proof)),
  )
  const { common, hits } = await open(session => readHits(session, plan))
  return { ...proof, common, hits }
}

/** Whether masking leaves the values of a column, or parts of its JSON, as they are. A key of an object always stays. */
const isKept = ({ rule }: PlannedColumn) => rule?.kind === 'keep' || rule?.paths !== undefined

/** The text of a kept column, or the kept parts and the keys of JSON. Masking the other parts takes much longer than NULL. */
function textAfter(column: PlannedColumn): string {
  const { rule } = column
  if (rule?.paths === undefined) return textOf(column)
  const paths = rule.paths.map(path => (path.kind === 'keep' ? path : { ...path, kind: 'null' }))
  return `(${maskedValue(column, { ...rule, paths })})::text`
}

/**
 * Finds originals in places that masking does not change: kept columns and parts of JSON, comments, functions,
 * definitions. Changes nothing. Call it before masking.
 * @param rows reads some rows of a table, and only columns are searched; by default all rows and places
 * @throws MaskingError
 */
export async function findKeptOriginals(session: Session, plan: Plan, rows?: ReadRows): Promise<Hit[]> {
  const guarded: Session = {
    ...session,
    /** A refusal must not end the transaction. */
    async attempt(...statement) {
      await session.query('savepoint search')
      const answer = await session.attempt(...statement)
      if (answer instanceof StatementError) await session.query('rollback to savepoint search')
      return answer
    },
  }
  const kept = plan.tables
    .filter(({ dropRows }) => !dropRows)
    .map(table => ({ ...table, columns: table.columns.filter(isKept) }))
  const proof: Proof = { searched: [], notSearched: [], rebuilt: [], common: 0, hits: [] }
  await session.query('begin')
  try {
    await createWorkSchema(session)
    await takeSamples(use => use(session), plan, 1, rows)
    for (const haystack of [
      ...kept.flatMap(table => haystackOf(table, textAfter, rows)),
      ...(rows === undefined ? otherHaystacks(plan) : []),
    ])
      await searchIn(guarded, haystack, proof)
    return (await readHits(session, plan)).hits
  } finally {
    await session.attempt('rollback')
  }
}
