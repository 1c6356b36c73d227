/** Looks up properties of masking rules for the parser, the conflict check and the proposal. */
import { keysOf } from '#base/table'
import { quoteName } from '#postgres/sql'
import { type Column, type Element, elements, type Family } from './catalog.ts'
import { withPatterns } from './expressions.ts'
import { hashLength, type MaskValue, type Rule, type RuleKind, rowOf, rows } from './rule-table.ts'

export { type Rule, type RuleKind, rowOf } from './rule-table.ts'

type MaskableColumn = Pick<Column, 'name' | 'type' | 'family' | 'ignoresCase' | 'length'>

export const kinds = keysOf(rows)

/** A rule without an argument is a single word in the file. */
export const kindsWithoutArgument = kinds.filter(kind => rowOf(kind).argument === undefined)
export const kindsWithArgument = kinds.filter(kind => !kindsWithoutArgument.includes(kind))

/** True if a text has the form of the rule's argument. */
export function isArgument(kind: RuleKind, text: string): boolean {
  const form = rowOf(kind).argument?.form
  return form === 'any text' || (form instanceof RegExp && form.test(text))
}

/** An error message for a missing or invalid argument: `fixed needs a text: write { fixed: text }`. */
export function askForArgument(kind: RuleKind): string {
  const { name = '' } = rowOf(kind).argument ?? {}
  return `${kind} needs ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}: write { ${kind}: ${name} }`
}

function renderKinds(among: readonly RuleKind[]): string {
  const rendered = among.map(kind => (kindsWithoutArgument.includes(kind) ? kind : `{ ${kind}: … }`))
  return `${rendered.slice(0, -1).join(', ')} or ${rendered.at(-1)}`
}

/** All rules, for error messages: `email, phone or { sql: … }`. */
export const expectedRules = renderKinds(kinds)

/** The type of a value, or of the elements of an array. */
function elementOf(family: Family): Element | 'other' {
  if (family === 'texts') return 'text'
  return family === 'ips' ? 'ip' : family
}

/** The function with which a rule masks values of a type; undefined if the rule does not support the type. */
function findMaskValue(kind: RuleKind, family: Family): MaskValue | undefined {
  const { value } = rowOf(kind)
  if ('any' in value) return value.any
  const element = elementOf(family)
  return element === 'other' ? undefined : value[element]
}

const supportsAnyType = (kind: RuleKind) => 'any' in rowOf(kind).value

/** The rules that change texts and need no argument. Parts of JSON can have them too. */
const rulesForText = kindsWithoutArgument.flatMap(kind => {
  const maskValue = findMaskValue(kind, 'text')
  return maskValue === undefined || supportsAnyType(kind) ? [] : [{ kind, maskValue }]
})

export const jsonRules = kinds.filter(
  kind => ['keep', 'null', 'fixed'].includes(kind) || rulesForText.some(rule => rule.kind === kind),
)

/** An empty text stays empty, because applications treat it like a missing value. Null stays null. */
const unlessEmpty = (text: string, masked: string) =>
  `case when ${text} <> '' then ${masked} else ${text} end`

/** The new value of a text within JSON, as SQL, by each rule for texts. */
export const textRules = (original: string) =>
  rulesForText.map(({ kind, maskValue }) => ({
    kind,
    sql: unlessEmpty(original, maskValue(original, { argument: '', paths: [], type: 'text', dates: [] })),
  }))

/** The new value of a column of the table `target`, as SQL. `shuffle` returns the old value, which goes to another row. */
export function maskedValue(column: MaskableColumn, rule: Rule, dates: readonly string[] = []): string {
  const { type, family, ignoresCase } = column
  const original = `target.${quoteName(column.name)}`
  const { argument = '', paths = [] } = rule
  const input = { argument, paths, type, dates: dates.map(name => `target.${quoteName(name)}`) }
  const maskValue = findMaskValue(rule.kind, family)
  if (maskValue === undefined) throw new Error(`${rule.kind} is not for ${type}`)
  if (supportsAnyType(rule.kind)) return maskValue(original, input)
  const mask = (value: string) =>
    elementOf(family) === 'text' ? unlessEmpty(value, maskValue(value, input)) : maskValue(value, input)
  if (family === 'texts' || family === 'ips')
    return `case when ${original} is not null then array(select ${mask('element')} from unnest(${original}::text[] ${withPatterns}) as part(element)) end::${type}`
  // Paths of JSON distinguish letter case in every type.
  const isLowered = ignoresCase && rule.paths === undefined
  const text = isLowered ? `lower(${original}::text)` : `${original}::text ${withPatterns}`
  return `(${mask(family === 'text' ? text : original)})::${type}`
}

/** The reason why a rule does not fit the type or length of a column; undefined if it fits. */
export function findMisfit(
  { family, type, length }: MaskableColumn,
  { kind, argument = '' }: Rule,
): string | undefined {
  const { value, neededRoom } = rowOf(kind)
  if (findMaskValue(kind, family) === undefined) {
    const suited = keysOf(elements).filter(element => element in value)
    const suitedKinds = kinds.filter(other => findMaskValue(other, family) !== undefined)
    return `is ${type}, and ${kind} is for ${suited.map(element => elements[element]).join(', ')}: use ${renderKinds(suitedKinds)}`
  }
  const needed = neededRoom?.(argument)
  if (needed === undefined || length === null || length >= needed) return undefined
  return kindsWithoutArgument.includes(kind)
    ? `has room for ${length} characters, and ${kind} needs ${needed}`
    : `has room for ${length} characters, and the ${kind} text is longer`
}

/** True if a rule maps different values to different ones in a column of this length. */
export function keepsDistinct(kind: RuleKind, length: number | null): boolean {
  const property = rowOf(kind).keepsDistinct
  if (typeof property === 'boolean') return property
  return (length ?? hashLength) >= property.leastRoom
}

/** The characters left after cutting a value to the length of its column. Both ends of a foreign key need the same number. */
export const maskedLength = (kind: RuleKind, length: number | null): number =>
  typeof rowOf(kind).keepsDistinct === 'boolean' ? 0 : Math.min(length ?? hashLength, hashLength)

/** The rule maps equal values at both ends of a foreign key to equal ones. `sql` does only with the same expression. */
export const keepsKeys = (kind: RuleKind): boolean => rowOf(kind).keepsDistinct !== false
