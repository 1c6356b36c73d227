/** Proposes a file of rules for a database, with the reason and the confidence of each line. */
import { type Catalog, type Table, tableName } from '../plan/catalog.ts'
import { needsRules } from '../plan/planned.ts'
import type { RuleKind } from '../plan/rules.ts'
import { decide } from './decision.ts'
import { examine, type Read } from './evidence.ts'
import { fitRule } from './fit-rule.ts'
import { joinGroups, type Proposed } from './groups.ts'

const withArgument: Partial<Record<RuleKind, string>> = {
  fixed: "{ fixed: '' }",
  json: '{ json: { "**.type": keep, "**.email": email, "*": text } }',
}

function choose(one: Proposed): void {
  const { decision, evidence } = one
  const rule = fitRule({ ...one, isUnique: evidence.isUnique }, decision.rule)
  if (rule === decision.rule) return
  one.decision =
    rule === 'keep'
      ? { rule, confidence: 'uncertain', reason: `${decision.reason}, but no rule suits the column` }
      : { ...decision, rule }
}

const asKey = (name: string) => (/^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name))

function renderColumn({ column, decision, evidence }: Proposed): string {
  const { rule, confidence, reason } = decision
  const unique = evidence.isUnique && rule !== 'keep' ? ', unique' : ''
  return `  ${asKey(column.name)}: ${withArgument[rule] ?? rule} # ${confidence}: ${reason} (${column.type}${unique})`
}

const isUncertain = ({ decision }: Proposed) => decision.confidence === 'uncertain'
const uncertainFirst = <Item>(items: readonly Item[], is: (item: Item) => boolean) =>
  items.toSorted((one, other) => Number(is(other)) - Number(is(one)))

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

export function proposeEach(read: Read): Proposed[] {
  const proposed = examine(read).map(one => ({ ...one, decision: decide(one.evidence) }))
  joinGroups(read.catalog, proposed)
  for (const one of proposed) choose(one)
  return proposed
}

/**
 * Writes a complete file of rules without conflicts, based on names, definitions and counts. It contains no values of
 * the database. Uncertain lines come first.
 */
export function proposeRules(read: Read & { catalog: Catalog }): string {
  const byTable = Map.groupBy(proposeEach(read), ({ table }) => table)
  const tables = read.catalog.tables
    .filter(needsRules)
    .map(table => ({ table, columns: byTable.get(table) ?? [] }))
    .map(one => ({
      ...one,
      isUncertain: one.columns.some(column => column.column.holdsText && isUncertain(column)),
    }))
  const lines = uncertainFirst(tables, one => one.isUncertain).flatMap(renderTable)
  const marked = lines.filter(line => line.includes(' # uncertain: ')).length
  return `${[`# Proposed from names, definitions and counts of values. Check each line. Lines marked uncertain: ${marked}.`, ...lines].join('\n')}\n`
}
