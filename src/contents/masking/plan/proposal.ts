/** Proposes a file of rules from the names and shapes of columns. */
import { type Catalog, type Column, type Table, tableName } from './catalog.ts'
import { findTool } from './known-tables.ts'
import { needsRules } from './planned.ts'
import { findMisfit, ruleForKey, ruleForName } from './rules.ts'

/** With fewer different values than this, each in several rows, a text is mostly a kind or a state. */
const fewValues = 20
const rowsOfEach = 5

function guess({ rows }: Table, column: Column): string {
  const { name, family, distinct, notNull } = column
  if (family === 'json') return notNull ? "{ fixed: '{}' }" : 'null'
  if (family === 'bytes') return notNull ? "{ fixed: '' }" : 'null'
  if (family === 'ip' || family === 'ips') return 'ip'
  if (family === 'geometry' || family === 'geography') return 'location'
  if (family !== 'text' && family !== 'texts') return notNull ? 'keep' : 'null'
  const byName = ruleForName(name)
  if (byName !== undefined && findMisfit(column, { kind: byName }) !== undefined) return 'hash'
  const isKind = distinct !== null && distinct > 0 && distinct < Math.min(fewValues, rows / rowsOfEach)
  return byName ?? (isKind ? 'keep' : 'text')
}

interface Proposed {
  column: Column
  rule: string
  /** Why the rule may not be what one would expect. */
  remark: string
  /** The column must not be masked. */
  isKept: boolean
}

const idOf = (table: string, column: string) => `${table} ${column}`

function proposeEach({ tables, uniques }: Catalog): Map<string, Proposed> {
  const proposed = new Map<string, Proposed>()
  for (const table of tables.filter(needsRules))
    for (const column of table.columns.filter(({ holdsText, isGenerated }) => holdsText && !isGenerated)) {
      const isUnique = uniques.some(
        unique => unique.table === table.id && unique.columns.includes(column.name),
      )
      const isExcluding = uniques.some(
        unique => unique.isExclusion && unique.table === table.id && unique.columns.includes(column.name),
      )
      const fixed = column.decidesPart || isExcluding || table.elsewhere.length > 0 || !table.isOurs
      const tool = findTool(table, column.name)
      const isKept = fixed || tool !== undefined
      const rule = isKept ? 'keep' : isUnique ? ruleForKey(column) : guess(table, column)
      const unique = isUnique ? 'must stay unique' : ''
      const remark = fixed ? 'cannot be changed' : tool === undefined ? unique : `${tool} needs it`
      proposed.set(idOf(table.id, column.name), { column, rule, remark, isKept })
    }
  return proposed
}

/** Both ends of a foreign key get the rule of the end that it leads to, if both can have it. */
function joinEnds({ foreignKeys }: Catalog, proposed: Map<string, Proposed>): void {
  // Keys may lead on to others: as many rounds as there are keys reach all.
  for (const _ of foreignKeys)
    for (const key of foreignKeys)
      key.columns.forEach((name, index) => {
        const from = proposed.get(idOf(key.table, name))
        const to = proposed.get(idOf(key.target, key.targetColumns[index] ?? ''))
        if (from === undefined || to === undefined) return
        const rules = [from, to].map(({ column }) => ruleForKey(column))
        const isPossible = !rules.includes('keep') && from.column.ignoresCase === to.column.ignoresCase
        const isKept = !isPossible || from.isKept || to.isKept
        const rule = isKept || to.rule === 'keep' ? 'keep' : to.rule === 'email' ? 'email' : 'hash'
        Object.assign(from, { rule, remark: from.remark || `refers to another table (${key.name})` })
        to.rule = rule
      })
}

/** A name as a key of YAML. */
const asKey = (name: string) => (/^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name))

function renderColumn({ column, rule, remark }: Proposed): string {
  const { name, type, distinct, width } = column
  const isKnown = distinct !== null && width !== null
  const shape = isKnown ? `, ${Math.round(distinct)} distinct, ${width} bytes` : ''
  return `  ${asKey(name)}: ${rule} # ${type}${shape}${remark && `; ${remark}`}`
}

function renderTable(table: Table, proposed: Map<string, Proposed>): string[] {
  const key = asKey(tableName(table))
  if (table.kind === 'large objects')
    return table.rows === 0 ? [] : [`${key}: drop_rows # about ${table.rows} large objects`]
  const columns = table.columns.flatMap(({ name }) => proposed.get(idOf(table.id, name)) ?? [])
  if (columns.length === 0) return []
  const kept = table.columns.filter(({ holdsText, isGenerated }) => !holdsText && !isGenerated)
  return [
    `${key}:`,
    ...columns.map(renderColumn),
    ...(kept.length > 0
      ? [`  # kept without a rule: ${kept.map(({ name }) => asKey(name)).join(', ')}`]
      : []),
  ]
}

/**
 * A file with a rule for each column that needs one, to start from: guessed by the names of the columns and by what the
 * statistics say of their shape, never by values. It has no conflict, but is to be read before it is used.
 */
export function proposeRules(catalog: Catalog): string {
  const proposed = proposeEach(catalog)
  joinEnds(catalog, proposed)
  return `${[
    '# Guessed by names and statistics: look at every line.',
    ...catalog.tables.filter(needsRules).flatMap(table => renderTable(table, proposed)),
  ].join('\n')}\n`
}
