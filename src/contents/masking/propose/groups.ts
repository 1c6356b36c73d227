/** Finds the best rule that a column allows, and one rule for columns that share values: ends of keys, equal names. */
import type { Catalog, Column } from '../plan/catalog.ts'
import { findMisfit, keepsDistinct, type RuleKind } from '../plan/rules.ts'
import type { Topic } from './dictionary.ts'
import type { Examined } from './evidence.ts'
import type { Evidence } from './facts.ts'
import { columnKey } from './measure.ts'
import { isNamed } from './names.ts'
import type { Confidence, Decision } from './rows.ts'

/** Rules for values of another format, which constraints may refuse. Others keep it, or use values of another row. */
const changesForm: readonly RuleKind[] = ['name', 'phone', 'digits', 'text', 'null', 'fixed']

/** The replacement of a rule for unique columns. */
export function distinctFor(wanted: RuleKind): RuleKind {
  if (wanted === 'keep' || wanted === 'email' || wanted === 'url') return wanted
  return wanted === 'ip' ? 'ip6' : 'token'
}

const isSpatial = ({ family }: Column) => family === 'geometry' || family === 'geography'

/** Returns the first rule that the column allows: the preferred one, its unique replacement, `null`, `keep`. */
export function fitRule(
  column: Column,
  { isUnique, hasCheck, isListed }: Pick<Evidence, 'isUnique' | 'hasCheck' | 'isListed'>,
  wanted: RuleKind,
): RuleKind {
  const suits = (kind: RuleKind) =>
    findMisfit(column, { kind }) === undefined &&
    (!isUnique || (keepsDistinct(kind, column.length) && kind !== 'null')) &&
    (!hasCheck || isListed || !changesForm.includes(kind)) &&
    !(kind === 'null' && column.notNull)
  const order: RuleKind[] =
    wanted === 'null'
      ? ['null', isSpatial(column) ? 'location' : 'fixed', 'token']
      : [wanted, distinctFor(wanted), 'token', 'null']
  return order.find(suits) ?? 'keep'
}

export interface PathRule {
  path: string
  rule: RuleKind
}

export interface Proposed extends Examined {
  decision: Decision
  /** The paths of JSON whose values occur in other columns; undefined if no value was read. */
  paths?: readonly PathRule[]
}

const confidences: readonly Confidence[] = ['certain', 'likely', 'uncertain']

export const isMasked = ({ decision }: Proposed) => decision.rule !== 'keep'
export const isUncertain = ({ decision }: Proposed) => decision.confidence === 'uncertain'
export const isBound = ({ evidence }: Proposed) => evidence.fixed !== undefined || evidence.tool !== undefined

/** The most certain decision; among equal ones, that of a column to which others refer, and a decision that masks. */
const findStrongest = (group: readonly Proposed[], referred: ReadonlySet<Proposed> = new Set()) =>
  group.toSorted(
    (first, second) =>
      Number(isBound(second)) - Number(isBound(first)) ||
      confidences.indexOf(first.decision.confidence) - confidences.indexOf(second.decision.confidence) ||
      Number(referred.has(second)) - Number(referred.has(first)) ||
      Number(isMasked(second)) - Number(isMasked(first)),
  )[0]

function findConnected({ foreignKeys }: Catalog, byKey: ReadonlyMap<string, Proposed>) {
  const groups = new Map<Proposed, Set<Proposed>>()
  const referred = new Set<Proposed>()
  for (const key of foreignKeys)
    key.columns.forEach((name, index) => {
      const from = byKey.get(columnKey(key.table, name))
      const to = byKey.get(columnKey(key.target, key.targetColumns[index] ?? ''))
      if (from === undefined || to === undefined) return
      referred.add(to)
      const both = new Set([...(groups.get(from) ?? [from]), ...(groups.get(to) ?? [to])])
      for (const one of both) groups.set(one, both)
    })
  return { groups: [...new Set(groups.values())].map(group => [...group]), referred }
}

function joinKeys(group: readonly Proposed[], referred: ReadonlySet<Proposed>): void {
  const leader = findStrongest(group, referred)
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
const ambiguousTopics: readonly Topic[] = [
  'bareName',
  'displayName',
  'fullName',
  'fileName',
  'company',
  'identifier',
  'keyOrCode',
  'technical',
]

/** An id with the same name in at least this many tables, unique in one of them, is a key without foreign keys. */
const fewestOfKey = 4

function keepUndeclaredKeys(named: readonly Proposed[]): void {
  const isId = named[0]?.evidence.name.endsWith('id') && named.length >= fewestOfKey
  const isKey = isId && named.some(({ evidence }) => evidence.isUnique)
  for (const one of named)
    if (isKey && !isBound(one) && isMasked(one) && one.decision.confidence === 'uncertain')
      one.decision = { rule: 'keep', confidence: 'uncertain', reason: 'maybe a key of several tables' }
}

/** Columns with the same name of several words share a decision. With a name of one word, only masked columns share it. */
function joinNames(named: readonly Proposed[]): void {
  const group = named.filter(one => !isBound(one) && !one.evidence.isKey)
  const name = group[0]?.evidence.name ?? ''
  const joined =
    name.includes('_') && !ambiguousTopics.some(topic => isNamed(name, topic))
      ? group
      : group.filter(isMasked)
  const leader = findStrongest(joined)
  if (leader === undefined || leader.decision.confidence === 'uncertain') return
  // Other texts and links with the same name may be public.
  if (leader.decision.rule === 'text' || leader.decision.rule === 'url') return
  for (const one of joined)
    if (one.decision.rule !== leader.decision.rule && isMasked(leader) !== isMasked(one))
      one.decision = { ...leader.decision, reason: `as ${leader.table.name}.${leader.column.name}` }
  const masked = joined.filter(one => isMasked(one) && one.decision.rule !== 'json')
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
  for (const group of byName.values()) {
    keepUndeclaredKeys(group)
    joinNames(group)
  }
  const byKey = new Map(proposed.map(one => [columnKey(one.table.id, one.column.name), one]))
  const { groups, referred } = findConnected(catalog, byKey)
  for (const group of groups) joinKeys(group, referred)
}
