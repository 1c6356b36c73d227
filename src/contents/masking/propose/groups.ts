/** Gives columns that share values the same rule: both ends of foreign keys, and columns of one name. */
import type { Catalog } from '../plan/catalog.ts'
import type { Confidence, Decision } from './decision.ts'
import type { Examined } from './evidence.ts'
import { distinctFor, fitRule } from './fit-rule.ts'
import { columnKey } from './measure.ts'
import { isNamed } from './names.ts'

export interface Proposed extends Examined {
  decision: Decision
}

const order: readonly Confidence[] = ['certain', 'likely', 'uncertain']

const isMasked = ({ decision }: Proposed) => decision.rule !== 'keep'
const isBound = ({ evidence }: Proposed) => evidence.fixed !== undefined || evidence.tool !== undefined

/** The most certain decision; among equal ones, a decision that masks. */
const strongest = (group: readonly Proposed[]) =>
  group.toSorted(
    (one, other) =>
      Number(isBound(other)) - Number(isBound(one)) ||
      order.indexOf(one.decision.confidence) - order.indexOf(other.decision.confidence) ||
      Number(isMasked(other)) - Number(isMasked(one)),
  )[0]

function connected({ foreignKeys }: Catalog, byKey: ReadonlyMap<string, Proposed>): Proposed[][] {
  const groups = new Map<Proposed, Set<Proposed>>()
  for (const key of foreignKeys)
    key.columns.forEach((name, index) => {
      const from = byKey.get(columnKey(key.table, name))
      const to = byKey.get(columnKey(key.target, key.targetColumns[index] ?? ''))
      if (from === undefined || to === undefined) return
      const both = new Set([...(groups.get(from) ?? [from]), ...(groups.get(to) ?? [to])])
      for (const one of both) groups.set(one, both)
    })
  return [...new Set(groups.values())].map(group => [...group])
}

function joinKeys(group: readonly Proposed[]): void {
  const leader = strongest(group)
  if (leader === undefined) return
  const { rule, confidence, reason } = leader.decision
  const wanted = distinctFor(rule)
  const isPossible = group.every(
    ({ column, evidence }) =>
      column.ignoresCase === leader.column.ignoresCase &&
      fitRule(column, { isUnique: true, hasCheck: false, isListed: false }, wanted) === wanted &&
      evidence.fixed === undefined,
  )
  const decision: Decision =
    isPossible || rule === 'keep'
      ? { rule: wanted, confidence, reason }
      : { rule: 'keep', confidence: 'uncertain', reason: `${reason}; a foreign key needs equal values` }
  for (const one of group)
    one.decision =
      one === leader
        ? decision
        : { ...decision, reason: `shares values with ${leader.table.name}.${leader.column.name}` }
}

/** Names whose meaning depends on the table. */
const tells = ['displayName', 'fullName', 'fileName', 'company', 'identifier', 'keyOrCode', 'technical']

/** Columns with the same name of several words share a decision. With a name of one word, only masked columns share it. */
function joinNames(named: readonly Proposed[]): void {
  const group = named.filter(one => !isBound(one) && !one.evidence.isKey)
  const name = group[0]?.evidence.name ?? ''
  const joined =
    name.includes('_') && !tells.some(topic => isNamed(name, topic)) ? group : group.filter(isMasked)
  const leader = strongest(joined)
  if (leader === undefined || leader.decision.rule === 'text' || leader.decision.confidence === 'uncertain')
    return
  for (const one of joined)
    if (one.decision.rule !== leader.decision.rule && isMasked(leader) !== isMasked(one))
      one.decision = { ...leader.decision, reason: `as ${leader.table.name}.${leader.column.name}` }
  const masked = joined.filter(isMasked)
  const kinds = new Set(
    masked.map(({ column, evidence, decision }) => fitRule(column, evidence, decision.rule)),
  )
  const distinct = [...kinds].find(kind => kind === 'token' || kind === 'ip6')
  if (kinds.size > 1 && distinct !== undefined && !kinds.has('text'))
    for (const one of masked) one.decision = { ...one.decision, rule: distinct }
}

export function joinGroups(catalog: Catalog, proposed: readonly Proposed[]): void {
  const alike = proposed.filter(({ column }) => column.family === 'text' || column.family === 'ip')
  const byName = Map.groupBy(alike, ({ column, evidence }) => `${column.family} ${evidence.name}`)
  for (const group of byName.values()) joinNames(group)
  const byKey = new Map(proposed.map(one => [columnKey(one.table.id, one.column.name), one]))
  for (const group of connected(catalog, byKey)) joinKeys(group)
}
