/** Looks up properties of masking rules for the parser, the conflict check and the proposal. */
import { keysOf } from '#base/table'
import { type Column, elements, type Family } from './catalog.ts'
import { quoteName } from './expressions.ts'
import { hashLength, type Make, type Rule, type RuleKind, rowOf, rows } from './rule-table.ts'

export { type Rule, type RuleKind, rowOf } from './rule-table.ts'

type Masked = Pick<Column, 'name' | 'type' | 'family' | 'ignoresCase' | 'length'>

export const kinds = keysOf(rows)

export const words = kinds.filter(kind => rowOf(kind).argument === undefined)
export const withArgument = kinds.filter(kind => !words.includes(kind))

/** An error message for a missing argument: `fixed needs a text: write { fixed: text }`. */
export function askForArgument(kind: RuleKind): string {
  const { name = '' } = rowOf(kind).argument ?? {}
  return `${kind} needs ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}: write { ${kind}: ${name} }`
}

function renderKinds(among: readonly RuleKind[]): string {
  const rendered = among.map(kind => (words.includes(kind) ? kind : `{ ${kind}: … }`))
  return `${rendered.slice(0, -1).join(', ')} or ${rendered.at(-1)}`
}

export const expected = renderKinds(kinds)

const elementOf = (family: Family) => (family === 'texts' ? 'text' : family === 'ips' ? 'ip' : family)

/** Undefined if the rule does not support the type. */
function makerOf(kind: RuleKind, family: Family): Make | undefined {
  const { value } = rowOf(kind)
  if ('any' in value) return value.any
  const element = elementOf(family)
  return element === 'other' ? undefined : value[element]
}

const isForAny = (kind: RuleKind) => 'any' in rowOf(kind).value

const forText = kinds.flatMap(kind => {
  const make = makerOf(kind, 'text')
  return make === undefined || isForAny(kind) ? [] : [{ kind, make }]
})

export const jsonRules = kinds.filter(
  kind => ['keep', 'null', 'fixed'].includes(kind) || forText.some(rule => rule.kind === kind),
)

/** The new value of a text within JSON, as SQL, by each rule for texts. */
export const textRules = (own: string) =>
  forText.map(({ kind, make }) => ({
    kind,
    sql: make(own, { argument: '', paths: [], type: 'text', dates: [] }),
  }))

/** The new value of a column of the table `target`, as SQL. `shuffle` returns the old value, which goes to another row. */
export function maskedValue(column: Masked, rule: Rule, dates: readonly string[] = []): string {
  const { type, family, ignoresCase } = column
  const own = `target.${quoteName(column.name)}`
  const { argument = '', paths = [] } = rule
  const given = { argument, paths, type, dates: dates.map(name => `target.${quoteName(name)}`) }
  const make = makerOf(rule.kind, family)
  if (make === undefined) throw new Error(`${rule.kind} is not for ${type}`)
  if (isForAny(rule.kind)) return make(own, given)
  if (family === 'texts' || family === 'ips')
    return `case when ${own} is not null then array(select ${make('element', given)} from unnest(${own}::text[]) as part(element)) end::${type}`
  const text = ignoresCase ? `lower(${own}::text)` : `${own}::text`
  return `(${make(family === 'text' ? text : own, given)})::${type}`
}

/** The reason why a rule does not fit the type or length of a column; undefined if it fits. */
export function findMisfit(
  { family, type, length }: Masked,
  { kind, argument = '' }: Rule,
): string | undefined {
  const { value, neededRoom } = rowOf(kind)
  if (makerOf(kind, family) === undefined) {
    const suited = keysOf(elements).filter(element => element in value)
    const others = kinds.filter(other => makerOf(other, family) !== undefined)
    return `is ${type}, and ${kind} is for ${suited.map(element => elements[element]).join(', ')}: use ${renderKinds(others)}`
  }
  const needed = neededRoom?.(argument)
  if (needed === undefined || length === null || length >= needed) return undefined
  return words.includes(kind)
    ? `has room for ${length} characters, and ${kind} needs ${needed}`
    : `has room for ${length} characters, and the ${kind} text is longer`
}

export function keepsDistinct(kind: RuleKind, length: number | null): boolean {
  const { keepsDistinct } = rowOf(kind)
  return typeof keepsDistinct === 'boolean'
    ? keepsDistinct
    : (length ?? hashLength) >= keepsDistinct.leastRoom
}

/** The characters left after cutting a value to the length of its column. Both ends of a foreign key need the same number. */
export const lengthOf = (kind: RuleKind, length: number | null): number =>
  typeof rowOf(kind).keepsDistinct === 'boolean' ? 0 : Math.min(length ?? hashLength, hashLength)

/** The rule maps equal values at both ends of a foreign key to equal ones. `sql` does only with the same expression. */
export const keepsKeys = (kind: RuleKind): boolean => rowOf(kind).keepsDistinct !== false
