/** The report of a masking: the rules applied, the places searched, and the originals found. */
import { cap, counted, renderBytes, renderCount } from '#base/bytes'
import { ActionError } from '#base/errors'
import { type Block, details, line, list } from '#base/report'
import type { Shortened } from './mask/drop-chunks.ts'
import { maskedColumns } from './mask/update.ts'
import { tableName } from './plan/catalog.ts'
import { isRuled, type Plan, type PlannedColumn, takesRules } from './plan/planned.ts'
import { placeOf } from './prove/haystacks.ts'
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

export class OriginalsFoundError extends ActionError {}

const renderHit = ({ place, times, originals, from }: Hit) =>
  `${place}: ${counted(originals, 'original')} of ${from.join(', ')}, in ${counted(times, 'value')}`

const sumOf = (samples: Sample[], count: 'taken' | 'tooShort' | 'notUnique') =>
  samples.reduce((sum, sample) => sum + sample[count], 0)

function renderShortened({ table, newerThan, before, after, tiered }: Shortened): string {
  const [from, to] = [before, after].map(
    ({ rows, bytes }) => `about ${renderCount(rows)} rows, ${renderBytes(bytes)}`,
  )
  const stay = `. Tiered chunks stay, because drop_chunks cannot drop them on a fork: ${tiered.join(', ')}`
  return `${table}: newer_than ${newerThan}. Before: ${from}. After: ${to}${tiered.length > 0 ? stay : ''}`
}

export function renderProof({ samples, proof }: MaskingReport): string {
  const found = proof.hits.reduce((sum, { originals }) => sum + originals, 0)
  const without = samples.filter(({ taken }) => taken === 0).length
  const columns = samples.length - without
  const unsampled = without === 0 ? '' : `; ${without} more had no original to search for`
  return `${found === 0 ? 'none' : found} of ${sumOf(samples, 'taken')} originals of ${counted(columns, 'column')} found in ${proof.searched.length} places${unsampled}; originals not searched: ${sumOf(samples, 'tooShort')} shorter than 8 characters, ${sumOf(samples, 'notUnique')} not unique, ${proof.common} common in kept columns`
}

/** The columns and tables by their treatment, and the number of masked columns. */
export function treatmentOf(
  plan: Plan,
  shortened: Shortened[],
): Pick<MaskingReport, 'columns' | 'treatment'> {
  const ruled = plan.tables.filter(isRuled)
  const tables = ruled.filter(({ dropRows }) => !dropRows)
  const unruled = plan.tables.filter(table => takesRules(table) && !isRuled(table))
  const find = (fits: (column: PlannedColumn) => boolean, among = tables) =>
    among.flatMap(table => table.columns.filter(fits).map(column => placeOf(table, column)))
  const masked = tables.flatMap(table =>
    maskedColumns(table).map(column => `${placeOf(table, column)}: ${column.rule.kind}`),
  )
  const treatment = [
    { title: 'Masked by rule', names: masked },
    { title: 'Rows dropped', names: ruled.filter(({ dropRows }) => dropRows).map(tableName) },
    { title: 'Old chunks dropped', names: shortened.map(renderShortened) },
    { title: 'Kept by rule', names: find(({ rule }) => rule?.kind === 'keep') },
    // Their type contains no text.
    { title: 'Kept by type', names: find(({ rule, isGenerated }) => !rule && !isGenerated) },
    { title: 'Kept, as a table of an extension', names: find(({ holdsText }) => holdsText, unruled) },
    { title: 'Computed from other columns', names: find(({ isGenerated }) => isGenerated) },
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

/** Why a search without originals proves nothing, since an empty database passes it too; undefined if it proves something. */
function describeEmptiness({ samples, rows, columns, treatment }: MaskingReport): string | undefined {
  const hasRules = columns > 0 || treatment.every(({ names }) => names.length === 0)
  if (!hasRules || sumOf(samples, 'taken') > 0) return undefined
  if (rows === 0) return 'nothing was there to mask'
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
const isKeptBeside = ({ place }: Hit) => /^_timescaledb_/.test(place)

const renderHits = (hits: Hit[]): string =>
  cap(
    hits.toSorted((one, other) => Number(isKeptBeside(one)) - Number(isKeptBeside(other))).map(renderHit),
  ).join('; ')

function adviseOn(hits: Hit[]): string {
  const written = hits.filter(({ isSchema }) => isSchema)
  const columns = cap([...new Set(written.flatMap(({ from }) => from))]).join(', ')
  const forData = 'give these columns a rule that masks them, or drop_rows for their table'
  const forSchema = `change functions, comments and definitions in the parent; or use keep for ${columns}, if the values are terms of the application, not personal data`
  return [
    ...(hits.length > written.length ? [forData] : []),
    ...(written.length > 0 ? [forSchema] : []),
    'do not use the copy',
  ].join('; ')
}

/** @throws OriginalsFoundError naming the places of originals, without values */
export function checkProven({ proof: { hits } }: MaskingReport): void {
  if (hits.length === 0) return
  throw new OriginalsFoundError(`originals were found after masking: ${renderHits(hits)}`, adviseOn(hits))
}
