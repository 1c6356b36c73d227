/** Proposes a file of rules for a database, with the reason and the confidence of each line. Only a dry run or a failed check loads it. */
import type { Session } from '#postgres/session'
import { type Catalog, readCatalogForDryRun, type Table, tableName } from '../plan/catalog.ts'
import { needsRules } from '../plan/plan.ts'
import { decideActors } from './actors.ts'
import { decide } from './decision.ts'
import { readUses } from './definitions.ts'
import { examine, type Read } from './evidence.ts'
import { fitRule, isUncertain, joinGroups, type Proposed } from './groups.ts'
import { startSearch } from './holders.ts'
import { measurePaths, renderPaths } from './json-paths.ts'
import { measure, readSalt } from './measure.ts'
import { maskRemaining } from './remaining.ts'
import { joinValues } from './shared-values.ts'

function renderRule({ decision: { rule }, paths }: Proposed): string {
  if (rule === 'json') return renderPaths(paths)
  return rule === 'fixed' ? "{ fixed: '' }" : rule
}

function choose(one: Proposed): void {
  const { column, decision, evidence } = one
  const rule = fitRule(column, evidence, decision.rule)
  if (rule === decision.rule) return
  one.decision =
    rule === 'keep'
      ? { rule, confidence: 'uncertain', reason: `${decision.reason}, but no rule suits the column` }
      : { ...decision, rule }
}

const asKey = (name: string) => (/^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name))

function renderColumn(one: Proposed): string {
  const { column, decision, evidence } = one
  const { rule, confidence, reason } = decision
  const unique = evidence.isUnique && rule !== 'keep' ? ', unique' : ''
  return `  ${asKey(column.name)}: ${renderRule(one)} # ${confidence}: ${reason} (${column.type}${unique})`
}

const uncertainFirst = <Item>(items: readonly Item[], is: (item: Item) => boolean) =>
  items.toSorted((first, second) => Number(is(second)) - Number(is(first)))

function renderTable({ table, columns }: { table: Table; columns: Proposed[] }): string[] {
  const key = asKey(tableName(table))
  if (table.kind === 'large objects')
    return table.rows === 0 ? [] : [`${key}: drop_rows # uncertain: about ${table.rows} large objects`]
  const ruled = columns.filter(({ column, decision }) => column.holdsText || decision.rule !== 'keep')
  const kept = columns.filter(one => !ruled.includes(one))
  if (ruled.length === 0) return []
  return [
    `${key}:`,
    ...uncertainFirst(ruled, isUncertain).map(renderColumn),
    ...(kept.length > 0
      ? [`  # kept without a rule: ${kept.map(({ column }) => asKey(column.name)).join(', ')}`]
      : []),
  ]
}

function decideAll(read: Read): Proposed[] {
  const proposed = examine(read).map(one => ({ ...one, decision: decide(one.evidence) }))
  joinGroups(read.catalog, proposed)
  joinValues(proposed)
  for (const one of proposed) choose(one)
  return proposed
}

function renderFile({ tables: all }: Catalog, proposed: Proposed[]): string {
  const byTable = Map.groupBy(proposed, ({ table }) => table)
  const tables = all.filter(needsRules).map(table => ({ table, columns: byTable.get(table) ?? [] }))
  const isTableUncertain = ({ columns }: { columns: Proposed[] }) =>
    columns.some(one => one.column.holdsText && isUncertain(one))
  const lines = uncertainFirst(tables, isTableUncertain).flatMap(renderTable)
  const marked = lines.filter(line => line.includes(' # uncertain: ')).length
  const header = `# Proposed from names, definitions and counts of values. Check each line. Lines marked uncertain: ${marked}.`
  return `${[header, ...lines].join('\n')}\n`
}

async function proposeRules(session: Session): Promise<{ catalog: Catalog; proposed: Proposed[] }> {
  // Functions must find their tables by the search path of production.
  await session.query('reset search_path')
  const catalog = await readCatalogForDryRun(session)
  const salt = await readSalt(session)
  const uses = await readUses(session)
  const proposed = decideAll({ catalog, uses, measured: await measure(session, catalog, salt) })
  const search = await startSearch(session, salt)
  await decideActors(search, catalog, proposed)
  for (const one of proposed) choose(one)
  await measurePaths(search, catalog, proposed)
  await maskRemaining(session, {
    catalog,
    proposed,
    render: () => renderFile(catalog, proposed),
    measurePaths: columns => measurePaths(search, catalog, proposed, columns),
  })
  return { catalog, proposed }
}

/**
 * Writes a complete file of rules without conflicts, based on names, definitions and counts. Changes nothing. No
 * value leaves the database, only counts and salted hashes. Uncertain lines come first.
 */
export async function proposeFile(session: Session): Promise<string> {
  const { catalog, proposed } = await proposeRules(session)
  return renderFile(catalog, proposed)
}

/** Proposes a rule for each column, by `schema.table.column`: the rule, its confidence and its reason. */
export async function proposeColumns(session: Session): Promise<Map<string, string>> {
  const { proposed } = await proposeRules(session)
  return new Map(
    proposed
      .filter(({ table }) => table.kind === 'table')
      .map(one => [
        `${tableName(one.table)}.${one.column.name}`,
        `${renderRule(one)} is proposed (${one.decision.confidence}: ${one.decision.reason})`,
      ]),
  )
}
