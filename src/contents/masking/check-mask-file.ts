/** Compares a file of rules with a database and its rows, and reports all problems at once. */
import { orRefusal, type Session, StatementError } from '#postgres/session'
import type { SqlFile } from '../sql/sql-error.ts'
import { tryRules } from './mask/try-rules.ts'
import { hasTrialRights, prepareSession } from './mask/work.ts'
import { columnName, readCatalog, readCatalogForDryRun } from './plan/catalog.ts'
import { type MaskFile, MaskFileError, type Problem, parseMaskFile } from './plan/mask-file.ts'
import { findProblems } from './plan/match-rules.ts'
import { findMasked, maskedColumns, type Plan } from './plan/plan.ts'
import { findKeptOriginals } from './prove/prove.ts'
import { renderHit } from './report.ts'

const lineOf = ({ place }: Problem) => place?.line ?? 0

/** Adds the proposed rule to each column without a rule, unless the role may not read the definitions. */
async function proposeMissing(session: Session, problems: Problem[]): Promise<Problem[]> {
  if (problems.every(({ unruled }) => unruled === undefined)) return problems
  const { proposeColumns } = await import('./propose/proposal.ts')
  const proposed = await orRefusal(proposeColumns(session))
  if (proposed instanceof StatementError) return problems
  return problems.map(problem => {
    const rule = proposed.get(problem.unruled ?? '')
    return rule === undefined ? problem : { ...problem, message: `${problem.message}: ${rule}` }
  })
}

function adviseOn(file: string, problems: Problem[]): string {
  if (problems.length === 0) return `correct ${file}, or the rows in production`
  return problems.some(({ unruled }) => unruled !== undefined)
    ? `correct ${file}. Run dry_run: true with database_url and without mask_file to print a complete file`
    : `correct ${file}`
}

/** @param refused the problems that only a trial on rows finds */
function assertNoProblem({ file }: MaskFile, problems: Problem[], refused: Problem[] = []): void {
  const all = [...problems, ...refused].toSorted((first, second) => lineOf(first) - lineOf(second))
  if (all.length > 0) throw new MaskFileError(file, all, adviseOn(file.name, problems))
}

/** Plans the masking of a database by a file of rules. Changes nothing. @throws MaskFileError */
export async function planMasking(session: Session, file: MaskFile): Promise<Plan> {
  const { plan, problems } = findProblems(file, await readCatalog(session))
  assertNoProblem(file, problems)
  return plan
}

/** As `planMasking`, and tries the rules on some rows per table. @throws MaskFileError naming all problems */
export async function planAndTry(session: Session, file: MaskFile, rows: number): Promise<Plan> {
  const { plan, problems } = findProblems(file, await readCatalog(session))
  const excluded = new Set(problems.flatMap(({ table = [] }) => table))
  const refused = await tryRules(session, plan, excluded, rows)
  assertNoProblem(file, await proposeMissing(session, problems), refused)
  return plan
}

/** Finds originals that are also in kept columns or definitions. A search after masking would find them much later. */
async function tryKept(session: Session, plan: Plan, excluded: ReadonlySet<string>): Promise<Problem[]> {
  // The rows that `newer_than` drops are no copies.
  const tables = plan.tables.filter(({ id, newerThan }) => !excluded.has(id) && newerThan === null)
  const placesOfRules = new Map(
    tables.flatMap(table => table.columns.map(column => [columnName(table, column), column.place])),
  )
  const hits = await findKeptOriginals(session, { ...plan, tables })
  return hits.map(hit => ({
    place: placesOfRules.get(hit.place),
    message: `originals would remain in ${renderHit(hit)}${hit.isSchema ? ' (change it in production, or use keep)' : ''}`,
  }))
}

/** The numbers of masked columns and tables, and of tables whose rows were not tried. */
export interface RulesCheck {
  columns: number
  tables: number
  untried: number
}

/** Checks a file on all rows, if the role has the rights. Changes nothing. @throws MaskFileError naming all problems */
export async function checkMaskFile(session: Session, text: SqlFile): Promise<RulesCheck> {
  const file = parseMaskFile(text)
  await prepareSession(session)
  const mayTry = await hasTrialRights(session)
  const { plan, problems } = findProblems(file, await readCatalogForDryRun(session))
  const excluded = new Set([
    ...problems.flatMap(({ table = [] }) => table),
    // Reading all of their rows requires a lock that would block other sessions.
    ...plan.policies.map(({ table }) => table),
  ])
  const refused = mayTry ? await tryRules(session, { ...plan, policies: [] }, excluded) : []
  // The search reads the same rows, so it needs the same rights.
  if (mayTry && refused.length === 0) refused.push(...(await tryKept(session, plan, excluded)))
  assertNoProblem(file, await proposeMissing(session, problems), refused)
  const masked = findMasked(plan)
  const untried = masked.filter(({ id }) => !mayTry || excluded.has(id))
  const columns = masked.flatMap(maskedColumns)
  return { columns: columns.length, tables: masked.length, untried: untried.length }
}
