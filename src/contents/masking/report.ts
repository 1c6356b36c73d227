/** The report of a masking: the rules applied, the places searched, and the originals found. */
import { cap, counted, renderBytes, renderCount } from '#base/bytes'
import { ListError } from '#base/errors'
import { type Block, details, line, list } from '#base/report'
import type { Shortened } from './mask/drop-chunks.ts'
import { columnName, tableName } from './plan/catalog.ts'
import { columnNames, isRuled, maskedColumns, type Plan, takesRules } from './plan/plan.ts'
import type { Hit, Proof } from './prove/prove.ts'
import type { Sample } from './prove/sample.ts'

interface NamedList {
  title: string
  names: string[]
}

/** Plain data without values of the database, which can be stored and shown. */
export interface MaskingReport {
  /** The number of masked columns and changed rows. */
  columns: number
  rows: number
  /** The columns and tables by their treatment. */
  treatment: NamedList[]
  shortened: Shortened[]
  /** The hash of the tables and columns that the rules were compared with. */
  catalog: string
  samples: Sample[]
  proof: Proof
}

/** The masked columns and the searched places, without values of the database. */
export interface Masking {
  /** One line. */
  summary: string
  /** Why the search proves nothing. */
  warning?: string | undefined
  report: Block[]
}

export const renderHit = ({ place, times, originals, from }: Hit) =>
  `${place}: ${counted(originals, 'original')} of ${from.join(', ')}, in ${counted(times, 'value')}`

const sumOf = (samples: Sample[], count: 'taken' | 'tooShort' | 'notUnique') =>
  samples.reduce((sum, sample) => sum + sample[count], 0)

function renderShortened({ table, newerThan, before, after, tiered }: Shortened): string {
  const renderSize = ({ rows, bytes }: Shortened['before']) =>
    `about ${renderCount(rows)} rows, ${renderBytes(bytes)}`
  const stay = `. Tiered chunks stay, because drop_chunks cannot drop them on a fork: ${tiered.join(', ')}`
  return `${table}: newer_than ${newerThan}. Before: ${renderSize(before)}. After: ${renderSize(after)}${tiered.length > 0 ? stay : ''}`
}

export function renderProof({ samples, proof }: MaskingReport): string {
  const found = proof.hits.reduce((sum, { originals }) => sum + originals, 0)
  const unsampledCount = samples.filter(({ taken }) => taken === 0).length
  const columns = counted(samples.length - unsampledCount, 'column')
  const unsampled =
    unsampledCount === 0 ? '' : `; ${counted(unsampledCount, 'more column')} had no original to search for`
  const searched = `${found === 0 ? 'none' : found} of ${sumOf(samples, 'taken')} originals of ${columns} found in ${proof.searched.length} places${unsampled}`
  const omitted = [
    `${sumOf(samples, 'tooShort')} shorter than 8 characters`,
    `${sumOf(samples, 'notUnique')} not unique`,
    `${proof.common} common in kept columns`,
  ]
  return `${searched}; originals not counted: ${omitted.join(', ')}`
}

/** The columns and tables by their treatment, and the number of masked columns. */
export function treatmentOf(
  plan: Plan,
  shortened: Shortened[],
): Pick<MaskingReport, 'columns' | 'treatment'> {
  const ruled = plan.tables.filter(isRuled)
  const tables = ruled.filter(({ dropRows }) => !dropRows)
  const unruled = plan.tables.filter(table => takesRules(table) && !isRuled(table))
  const masked = tables.flatMap(table =>
    maskedColumns(table).map(column => `${columnName(table, column)}: ${column.rule.kind}`),
  )
  const treatment = [
    { title: 'Masked by rule', names: masked },
    { title: 'Rows dropped', names: ruled.filter(({ dropRows }) => dropRows).map(tableName) },
    { title: 'Old chunks dropped', names: shortened.map(renderShortened) },
    { title: 'Kept by rule', names: columnNames(tables, ({ rule }) => rule?.kind === 'keep') },
    // Their type contains no text.
    { title: 'Kept by type', names: columnNames(tables, ({ rule, isGenerated }) => !rule && !isGenerated) },
    { title: 'Kept, as a table of an extension', names: columnNames(unruled, ({ holdsText }) => holdsText) },
    { title: 'Computed from other columns', names: columnNames(tables, ({ isGenerated }) => isGenerated) },
  ]
  return { columns: masked.length, treatment }
}

/** Lists the columns by treatment and the searched places, each list under a title. */
export const listReport = ({ treatment, proof, samples }: MaskingReport): NamedList[] =>
  [
    ...treatment,
    { title: 'Searched', names: proof.searched },
    { title: 'Recomputed from masked rows', names: proof.rebuilt },
    { title: 'Not searched', names: proof.notSearched },
    {
      title: 'Masked, but without an original to search for',
      names: samples.filter(({ taken }) => taken === 0).map(({ column }) => column),
    },
  ].filter(({ names }) => names.length > 0)

/** Why the search proves nothing: without originals, every database passes it. Undefined if no warning is needed. */
function describeEmptiness({ samples, rows, columns, treatment }: MaskingReport): string | undefined {
  const isWithoutTables = treatment.every(({ names }) => names.length === 0)
  if ((columns === 0 && !isWithoutTables) || sumOf(samples, 'taken') > 0) return undefined
  if (rows === 0) return 'there was nothing to mask'
  // Some rules, such as shuffle, leave no values to search for.
  return samples.length > 0 ? 'no masked value was long and unique enough to search for' : undefined
}

export function describeMasking(report: MaskingReport): Masking {
  const counts = `${counted(report.columns, 'column')}, ${report.rows} rows`
  const summary = `${counts}; ${renderProof(report)}`
  const lists = listReport(report).map(({ title, names }) =>
    details(`${title}: ${names.length}`, list(names)),
  )
  const emptiness = describeEmptiness(report)
  const advice = report.rows === 0 ? ' — check that service_id is the service with the data' : ''
  const warning = emptiness && `${emptiness}, so the search for originals proves nothing${advice}`
  const result = line(
    { strong: warning ? `⚠ The search proves nothing: ${emptiness}.` : '✅ No original was found.' },
    ` Masked: ${counts}.`,
  )
  return { summary, warning, report: [result, line(`Proof: ${renderProof(report)}.`), ...lists] }
}

/** TimescaleDB may store thousands of chunks for a table, so they come after the table. */
const isInternal = ({ place }: Hit) => /^_timescaledb_/.test(place)

const sortHits = (hits: Hit[]): Hit[] =>
  hits.toSorted((first, second) => Number(isInternal(first)) - Number(isInternal(second)))

function adviseOn(hits: Hit[]): string {
  const inSchema = hits.filter(({ isSchema }) => isSchema)
  const columns = cap([...new Set(inSchema.flatMap(({ from }) => from))]).join(', ')
  const inData = hits.filter(({ isSchema }) => !isSchema)
  // A rule such as sql or json may leave a value as it was.
  const own = inData.filter(({ place, from }) => from.includes(place))
  const copies = inData.filter(hit => !own.includes(hit))
  const placesOf = (some: Hit[]) =>
    cap(
      some.map(({ place }) => place),
      3,
    ).join(', ')
  const json = copies.some(({ isJson }) => isJson) ? ' (json: { … } masks the parts that its paths name)' : ''
  const dataAdvice = `give ${placesOf(copies)} a rule that masks${json}, or drop_rows for the table`
  const schemaAdvice = `change functions, comments and definitions in the parent; or use keep for ${columns}, if the values are terms of the application, not personal data`
  const advice = [
    own.length > 0 && `correct the rule of ${placesOf(own)}: it must change every value`,
    copies.length > 0 && dataAdvice,
    inSchema.length > 0 && schemaAdvice,
    'do not use the copy',
  ]
  return advice.filter(Boolean).join('; ')
}

/** @throws ListError naming the places of originals, without values */
export function checkProven({ proof: { hits } }: MaskingReport): void {
  if (hits.length === 0) return
  const sorted = sortHits(hits)
  throw new ListError('originals were found after masking', cap(sorted.map(renderHit)), adviseOn(sorted))
}
