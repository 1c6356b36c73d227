/** Masks a database by a file of rules, searches it for originals, and stores the masking stamp. */
import { hash } from 'node:crypto'
import { renderDuration } from '#base/duration'
import type { OpenSession } from '#postgres/session'
import { type MaskingStamp, writeMaskingStamp } from '../notes/masking-stamp.ts'
import { deleteNotes } from '../notes/notes.ts'
import type { SqlFile } from '../sql/sql-error.ts'
import { checkMaskFile, planAndTry, planMasking } from './check-mask-file.ts'
import { dropOldChunks } from './mask/drop-chunks.ts'
import { maskRows } from './mask/mask.ts'
import type { MaskingOptions, Progress } from './mask/progress.ts'
import { createWorkSchema, dropWorkSchema, during, prepareSessions, runInSession } from './mask/work.ts'
import { assertOthersAreEmpty } from './other-databases.ts'
import { tableName } from './plan/catalog.ts'
import { parseMaskFile } from './plan/mask-file.ts'
import { isRuled, type Plan } from './plan/plan.ts'
import { proveMasking } from './prove/prove.ts'
import { takeSamples } from './prove/sample.ts'
import { checkProven, describeMasking, type Masking, type MaskingReport, treatmentOf } from './report.ts'

// The entries of the part of the bundle that is loaded on demand.
export { checkMaskFile, parseMaskFile }

/** A hash of the tables and columns. It changes if one is added, renamed or gets another type. */
export function hashCatalog({ tables }: Plan): string {
  const ruled = tables
    .filter(isRuled)
    .map(table => [tableName(table), table.columns.map(({ name, type }) => [name, type])])
  return hash('sha256', JSON.stringify(ruled))
}

/** The rows of each table that a trial masks. Few suffice, because masking of all rows follows directly. */
const mostTriedRows = 1000

/**
 * Masks a copy of a database by a file of rules, and searches it for originals. The report contains the originals
 * found; `checkProven` evaluates it. After a failure the copy is unusable.
 * @throws MaskFileError before any change; MaskingError if the database refuses a statement
 */
export async function maskByFile(
  openSession: OpenSession,
  text: SqlFile,
  options: MaskingOptions,
): Promise<MaskingReport> {
  const open = prepareSessions(openSession)
  const file = parseMaskFile(text)
  const { plan, catalog, shortened } = await open(async session => {
    const plan = await planAndTry(session, file, mostTriedRows)
    for (const { lift } of plan.policies) await during('a policy that hides rows', () => session.query(lift))
    await createWorkSchema(session)
    const shortened = await dropOldChunks(session, plan)
    // Samples depend on the number of rows that are left.
    const planNow = shortened.length > 0 ? await planMasking(session, file) : plan
    return { plan: { ...planNow, policies: plan.policies }, catalog: hashCatalog(plan), shortened }
  })
  const samples = await takeSamples(open, plan, options.sessions)
  const rows = await maskRows(open, plan, options)
  const after = await open(async session => {
    // If the role may not reset pg_stat_statements, the search includes the texts of earlier statements.
    if (plan.pgStatStatements !== null)
      await session.attempt(`select ${plan.pgStatStatements}.pg_stat_statements_reset()`)
    // Compressing creates new tables, so the catalog is read again.
    return await planMasking(session, file)
  })
  const proof = await proveMasking(open, after, options)
  await open(async session => {
    await dropWorkSchema(session)
    for (const { restore } of plan.policies) await during('restoring a policy', () => session.query(restore))
  })
  return { ...treatmentOf(plan, shortened), shortened, catalog, rows, samples, proof }
}

function renderProgress({ stage, rows, allRows, left }: Progress): string {
  const share = allRows > 0 ? `, ${Math.floor((100 * rows) / allRows)} % of about ${allRows}` : ''
  const rest = left === undefined ? '' : `, about ${renderDuration(left * 1000)} left`
  return `${stage}: ${rows} rows${share}${rest}`
}

/** Git's hash of a file, with which a reader can find its version on GitHub. */
const hashFile = (text: string) => hash('sha1', `blob ${Buffer.byteLength(text)}\0${text}`)

export interface MaskTask extends Omit<MaskingStamp, 'file' | 'catalog'> {
  rules: SqlFile
  onProgress(line: string): void
}

/** Masks the only database with content. Stamps it if no original is found. @throws ActionError without values */
export async function maskAndStamp(
  open: OpenSession,
  { rules, onProgress, ...origin }: MaskTask,
): Promise<Masking> {
  await assertOthersAreEmpty(open)
  await runInSession(open, 'deleting the notes of the parent', deleteNotes)
  const report = await maskByFile(open, rules, {
    sessions: 4,
    onProgress: progress => onProgress(renderProgress(progress)),
  })
  checkProven(report)
  const { catalog } = report
  await open(session => writeMaskingStamp(session, { ...origin, file: hashFile(rules.text), catalog }))
  return describeMasking(report)
}
