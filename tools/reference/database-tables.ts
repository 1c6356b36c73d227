/** Renders the tables of masking rules and of effects of migrations. */
import { keysOf } from '#base/table'
import { elements } from '#contents/masking/plan/catalog'
import { kinds, type RuleKind, rowOf } from '#contents/masking/plan/rules'
import { effects } from '#contents/rehearsal/measure/effects'
import { renderTable } from './documents.ts'

function renderRule(kind: RuleKind): string {
  const { argument } = rowOf(kind)
  return argument ? `\`{ ${kind}: ${argument.examples[0]} }\`` : `\`${kind}\``
}

/** The types that a rule is for. */
function typesOf(kind: RuleKind): string {
  const { value } = rowOf(kind)
  if ('any' in value) return 'all'
  return keysOf(elements)
    .filter(element => element in value)
    .map(element => elements[element])
    .join(', ')
}

/** The rules for whole tables, which mask-file.ts reads. */
const hypertable = '`newer_than: 90 days`, beside the columns of a hypertable'
const ofTables = [
  ['`drop_rows`, of a table', 'all', 'the table is emptied'],
  [hypertable, 'all', 'chunks with only older rows are dropped'],
]

/** Rules with the same description share a row. */
export function renderMaskingRules(): string {
  const alike = Map.groupBy(kinds, kind => `${typesOf(kind)} | ${rowOf(kind).about}`)
  const rows = [...alike].map(([description, some]) => [some.map(renderRule).join(', '), description])
  return renderTable(['rule', 'for', 'new value'], [...rows, ...ofTables])
}

export const renderEffects = (): string =>
  renderTable(
    ['change', 'a loss'],
    Object.values(effects).map(({ change, loss }) => [change, loss]),
  )
