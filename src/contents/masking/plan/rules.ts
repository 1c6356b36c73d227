/** Answers the questions of the parser, the conflict check and the proposal about masking rules. */
import { keysOf } from '#base/table'
import type { Column, Element, Family } from './catalog.ts'
import { quoteName } from './expressions.ts'
import { hashLength, type Make, type Rule, type RuleKind, type RuleRow, rows } from './rule-table.ts'

export type { Rule, RuleKind } from './rule-table.ts'

/** The column that a rule is for. */
type Masked = Pick<Column, 'name' | 'type' | 'family' | 'ignoresCase' | 'length'>

/** A row without the exact types of its own. */
const rowOf = (kind: RuleKind): RuleRow => rows[kind]

const kinds = keysOf(rows)

/** The rules that are a single word, and those that have an argument. */
export const words = kinds.filter(kind => rowOf(kind).argument === undefined)
export const withArgument = kinds.filter(kind => rowOf(kind).argument !== undefined)

/** Why a rule that has an argument does not do without: `fixed needs a text: write { fixed: text }`. */
export function askForArgument(kind: RuleKind): string {
  const { argument = '' } = rowOf(kind)
  return `${kind} needs ${/^[aeiou]/.test(argument) ? 'an' : 'a'} ${argument}: write { ${kind}: ${argument} }`
}

/** `email, phone or { fixed: … }` */
function renderKinds(among: readonly RuleKind[]): string {
  const rendered = among.map(kind => (withArgument.includes(kind) ? `{ ${kind}: … }` : kind))
  return `${rendered.slice(0, -1).join(', ')} or ${rendered.at(-1)}`
}

export const expected = renderKinds([...words, ...withArgument])

/** How messages name the values that a rule is for. */
const plurals: Record<Element, string> = {
  text: 'texts',
  json: 'JSON',
  bytes: 'bytes',
  ip: 'IP addresses',
  number: 'numbers',
  date: 'dates',
  point: 'points',
  geometry: 'geometries',
  geography: 'geographies',
}

/** The type of the single values of a column. */
const elementOf = (family: Family) => (family === 'texts' ? 'text' : family === 'ips' ? 'ip' : family)

/** How a rule computes the values of a family; undefined where it does not suit them. */
function makerOf(kind: RuleKind, family: Family): Make | undefined {
  const { value } = rowOf(kind)
  if ('any' in value) return value.any
  const element = elementOf(family)
  return element === 'other' ? undefined : value[element]
}

/** The rules that suit a value of JSON by itself. */
export const jsonRules = kinds.filter(
  kind => ['keep', 'null', 'fixed'].includes(kind) || 'text' in rowOf(kind).value,
)

/** The new value of a text by each rule that has one, as SQL. */
export const textRules = (value: string) =>
  kinds.flatMap(kind => {
    const make = makerOf(kind, 'text')
    return make === undefined || 'any' in rowOf(kind).value
      ? []
      : [[kind, make(value, { argument: '', paths: [], type: 'text', dates: [] })] as const]
  })

/** The new value of a column of the table `target`, as SQL; of `shuffle` the old one, which another row gets. */
export function maskedValue(column: Masked, rule: Rule, dates: readonly string[] = []): string {
  const { type, family, ignoresCase } = column
  const own = `target.${quoteName(column.name)}`
  const { argument = '', paths = [] } = rule
  const given = { argument, paths, type, dates: dates.map(name => `target.${quoteName(name)}`) }
  const make = makerOf(rule.kind, family)
  if (make === undefined) throw new Error(`${rule.kind} is not for ${type}`)
  if ('any' in rowOf(rule.kind).value) return make(own, given)
  if (family === 'texts' || family === 'ips')
    return `case when ${own} is not null then array(select ${make('element', given)} from unnest(${own}::text[]) as part(element)) end::${type}`
  const text = ignoresCase ? `lower(${own}::text)` : `${own}::text`
  return `(${make(family === 'text' ? text : own, given)})::${type}`
}

export const keepsNull = ({ kind }: Rule): boolean => rowOf(kind).keepsNull

/** What a rule leaves of the originals in its column. A part of JSON may be kept. */
export const leavesOf = ({ kind }: Rule): RuleRow['leaves'] => rowOf(kind).leaves

/** The new values that a rule itself names. */
export function valuesOf(rule: Rule): readonly string[] {
  const leaves = leavesOf(rule)
  return typeof leaves === 'object' ? leaves.values(rule.argument ?? '') : []
}

export const meetsOthers = ({ kind }: Rule): boolean => rowOf(kind).meetsOthers

/** Why the type or the length of a column does not suit a rule; undefined if they do. */
export function findMisfit(
  { family, type, length }: Masked,
  { kind, argument = '' }: Rule,
): string | undefined {
  const { value, neededRoom } = rowOf(kind)
  if (makerOf(kind, family) === undefined) {
    const suited = keysOf(plurals).filter(element => element in value)
    const others = [...words, ...withArgument].filter(other => makerOf(other, family) !== undefined)
    return `is ${type}, and ${kind} is for ${suited.map(element => plurals[element]).join(', ')}: use ${renderKinds(others)}`
  }
  const needed = neededRoom?.(argument)
  if (needed === undefined || length === null || length >= needed) return undefined
  return withArgument.includes(kind)
    ? `has room for ${length} characters, and the ${kind} text is longer`
    : `has room for ${length} characters, and ${kind} needs ${needed}`
}

/** Whether different values of the column stay different, and equal ones equal. */
export function keepsDistinct(kind: RuleKind, length: number | null): boolean {
  const { keepsDistinct } = rowOf(kind)
  return typeof keepsDistinct === 'boolean'
    ? keepsDistinct
    : (length ?? hashLength) >= keepsDistinct.leastRoom
}

/** The characters that are left of a value that is cut to the length of its column: those of both ends of a key must agree. */
export const lengthOf = (kind: RuleKind, length: number | null): number =>
  typeof rowOf(kind).keepsDistinct === 'boolean' ? 0 : Math.min(length ?? hashLength, hashLength)

/** Whether the rule gives equal values of equal ones at both ends of a key: `sql` by the same expression alone. */
export const keepsKeys = (kind: RuleKind): boolean => rowOf(kind).keepsDistinct !== false
