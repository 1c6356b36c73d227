/** Masks a database by a file of rules: checks the rules, changes the rows, and searches for originals. */
import type { OpenSession, Session } from '#postgres/session'
import type { SqlFile } from '../sql/sql-error.ts'
import { dropOldChunks } from './mask/drop-chunks.ts'
import { maskRows } from './mask/mask.ts'
import type { Watch } from './mask/progress.ts'
import { dropWorkSchema, during, makeWorkSchema } from './mask/work.ts'
import { readCatalog, tableName } from './plan/catalog.ts'
import { type MaskFile, MaskFileError, parseMaskFile } from './plan/mask-file.ts'
import { findProblems, forRules } from './plan/plan.ts'
import { isRuled, type Plan } from './plan/planned.ts'
import { proveMasking } from './prove/prove.ts'
import { takeSamples } from './prove/sample.ts'
import { type MaskingReport, reportRules } from './report.ts'
import { asInProduction, checkFile, tryFile } from './try-file.ts'

export { checkFile, parseMaskFile }

export interface MaskRequest extends Watch {
  file: SqlFile
  /** The number of tables that are masked or searched at once. Default: 4. */
  sessions?: number
}

/**
 * Compares a file of rules with a database. Changes nothing.
 *
 * @throws MaskFileError
 */
export async function checkRules(session: Session, file: MaskFile): Promise<Plan> {
  const { plan, problems } = findProblems(file, await readCatalog(session))
  if (problems.length > 0) throw new MaskFileError(file.file, problems, forRules)
  return plan
}

/** A hash of the tables and columns. It changes if one is added, renamed or gets another type. */
async function hashCatalog(session: Session, { tables }: Plan): Promise<string> {
  const ruled = tables
    .filter(isRuled)
    .map(table => [tableName(table), table.columns.map(({ name, type }) => [name, type])])
  const { rows } = await session.query("select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash", [
    JSON.stringify(ruled),
  ])
  return String(rows[0]?.hash)
}

/** The rows of each table that a trial masks. Masking of all rows follows directly. */
const mostTried = 1000

/**
 * Masks a copy of a database by a file of rules, and searches it for originals. The report contains the originals
 * found; `checkProven` evaluates it. After a failure the copy is unusable.
 *
 * @throws MaskFileError before any change; MaskingError if the database refuses a statement
 */
export async function maskByFile(
  openSession: OpenSession,
  { file: text, sessions = 4, ...watch }: MaskRequest,
): Promise<MaskingReport> {
  const open: OpenSession = use =>
    openSession(async session => {
      await session.query(asInProduction)
      return await use(session)
    })
  const file = parseMaskFile(text)
  const { plan, catalog, shortened } = await open(async session => {
    const plan = await tryFile(session, file, mostTried)
    for (const { lift } of plan.policies) await during('a policy that hides rows', () => session.query(lift))
    await makeWorkSchema(session)
    const shortened = await dropOldChunks(session, plan)
    // Samples depend on the number of rows that are left.
    const left = shortened.length > 0 ? await checkRules(session, file) : plan
    return {
      plan: { ...left, policies: plan.policies },
      catalog: await hashCatalog(session, plan),
      shortened,
    }
  })
  const samples = await takeSamples(open, plan, sessions)
  const rows = await maskRows(open, plan, { sessions, ...watch })
  const after = await open(async session => {
    // If the role may not reset pg_stat_statements, the search includes the texts of earlier statements.
    if (plan.statements !== null)
      await session.attempt(`select ${plan.statements}.pg_stat_statements_reset()`)
    // Compressing creates new tables, so the catalog is read again.
    return await checkRules(session, file)
  })
  const proof = await proveMasking(open, after, { sessions, ...watch })
  await open(async session => {
    await dropWorkSchema(session)
    for (const { restore } of plan.policies) await during('restoring a policy', () => session.query(restore))
  })
  return { ...reportRules(plan), shortened, catalog, rows, samples, proof }
}
