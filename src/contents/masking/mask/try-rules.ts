/** Masks rows into temporary tables, to find errors of constraints, types and expressions before any row changes. */
import { type Answer, type Session, StatementError } from '#postgres/session'
import { quoteName } from '#postgres/sql'
import { quotedName, rowsOf, tableName } from '../plan/catalog.ts'
import type { Problem } from '../plan/mask-file.ts'
import { findMasked, maskedColumns, type Plan, type PlannedTable } from '../plan/plan.ts'
import { maskedValue, type Rule } from '../plan/rules.ts'
import { renderKept } from './drop-chunks.ts'
import { findTouchedKeys } from './obstacles.ts'
import { datesOf } from './update.ts'
import { createWorkSchema, describeRefusal, during } from './work.ts'

/** Runs statements and rolls them back. Returns the last answer, or the server's error. */
async function attemptAll(session: Session, statements: string[]): Promise<Answer | string> {
  await session.query('savepoint trial')
  const answer = await session.attempt(statements.join(';\n'))
  await session.query('rollback to savepoint trial')
  return answer instanceof StatementError ? describeRefusal(answer) : answer
}

/** Statements that mask rows by all rules, or by the rule for `only`, without constraints that old rows violate. */
function renderTrial(
  plan: Plan,
  table: PlannedTable,
  rows: number | undefined,
  only: string | undefined,
): string[] {
  const own = table.columns.filter(({ isGenerated }) => !isGenerated)
  const names = own.map(({ name }) => quoteName(name)).join()
  const values = own.map(column => {
    const isTried = only === undefined || only === column.name
    const rule: Rule = isTried && column.rule ? column.rule : { kind: 'keep' }
    return maskedValue(column, rule, datesOf(own))
  })
  return [
    `create temp table tried (like ${quotedName(table)}
       including constraints including defaults including generated including indexes) on commit drop`,
    ...plan.notValid
      .filter(constraint => constraint.table === table.id)
      .map(({ name }) => `alter table pg_temp.tried drop constraint if exists ${quoteName(name)}`),
    `insert into pg_temp.tried (${names}) select ${values.join()} from ${rowsOf(table)} as target where ${renderKept(plan, table)}
       ${rows === undefined ? '' : `limit ${rows}`}`,
  ]
}

/** Tries all rules of a table together. After an error, tries each rule alone to find the wrong ones. */
async function tryTable(session: Session, plan: Plan, table: PlannedTable, rows?: number) {
  const attempt = (only?: string) => attemptAll(session, renderTrial(plan, table, rows, only))
  const together = await attempt()
  if (typeof together !== 'string') return []
  const problems: Problem[] = []
  for (const { name, place } of maskedColumns(table)) {
    const alone = await attempt(name)
    if (typeof alone === 'string')
      problems.push({ place, message: `the rule for ${tableName(table)}.${name} fails: ${alone}` })
  }
  return problems.length > 0
    ? problems
    : [{ place: table.place, message: `the rules for ${tableName(table)} fail together: ${together}` }]
}

function describeUnmatched(rows: number): string | undefined {
  if (rows === 0) return undefined
  return `${rows} ${rows === 1 ? 'row has' : 'rows have'} no match there`
}

/** Finds rows that a foreign key would refuse. Equal rules keep references, so only `sql` and `null` are computed. */
async function tryKeys(session: Session, plan: Plan, excluded: ReadonlySet<string>): Promise<Problem[]> {
  const tables = new Map(plan.tables.map(table => [table.id, table]))
  const problems: Problem[] = []
  for (const key of findTouchedKeys(plan)) {
    const [table, target] = [tables.get(key.table), tables.get(key.target)]
    if (!table || !target || / NOT (?:VALID|ENFORCED)$/.test(key.definition)) continue
    if ([table, target].some(({ id, dropRows }) => dropRows || excluded.has(id))) continue
    const valuesOf = (of: PlannedTable, names: string[]) =>
      names.flatMap((name, at) => {
        const column = of.columns.find(column => column.name === name)
        if (column === undefined) return []
        const isComputed = column.rule?.kind === 'sql' || column.rule?.kind === 'null'
        const value = maskedValue(column, (isComputed && column.rule) || { kind: 'keep' })
        return [`(${value})::${column.type} as key_${at}`]
      })
    const all = (condition: (at: number) => string, operator: ' and ' | ' or ') =>
      key.columns.map((_, at) => condition(at)).join(operator)
    // MATCH SIMPLE, the default, allows a null in any column, MATCH FULL only nulls in all of them.
    const checkedIf = key.definition.includes(' MATCH FULL') ? ' or ' : ' and '
    const answer = await attemptAll(session, [
      `select count(*)::int as rows from (select ${valuesOf(table, key.columns).join()}
        from ${table.isPlain ? 'only ' : ''}${key.relation} as target where ${renderKept(plan, table)}) as child
      where (${all(at => `child.key_${at} is not null`, checkedIf)})
        and not exists (select from (select ${valuesOf(target, key.targetColumns).join()} from ${rowsOf(target)} as target) as parent
          where ${all(at => `parent.key_${at} ${key.operators[at]} child.key_${at}`, ' and ')})`,
    ])
    const reason = typeof answer === 'string' ? answer : describeUnmatched(Number(answer.rows[0]?.rows))
    if (reason !== undefined)
      problems.push({
        place: table.columns.find(({ name }) => name === key.columns[0])?.place ?? table.place,
        message: `${tableName(table)}.${key.columns.join(', ')} refers to ${tableName(target)} (${key.name}): ${reason}`,
      })
  }
  return problems
}

/**
 * Tries the rules of all tables except those with an id in `excluded`, on the given number of rows or on all. The
 * transaction is rolled back. The messages of the problems contain no values.
 */
export async function tryRules(
  session: Session,
  plan: Plan,
  excluded: ReadonlySet<string>,
  rows?: number,
): Promise<Problem[]> {
  await session.query('begin')
  try {
    for (const { lift } of plan.policies) await during('a policy that hides rows', () => session.query(lift))
    await createWorkSchema(session)
    const problems: Problem[] = []
    for (const table of findMasked(plan))
      if (!excluded.has(table.id)) problems.push(...(await tryTable(session, plan, table, rows)))
    return [...problems, ...(await tryKeys(session, plan, excluded))]
  } finally {
    await session.attempt('rollback')
  }
}
