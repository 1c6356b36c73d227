/** The table of masking rules: everything that the parser, the conflict check and the proposal know about a rule. */
import { keysOf } from '#base/table'
import type { Column } from './catalog.ts'
import { digits, hex, name, quoteName, quoteText } from './expressions.ts'

/** Hexadecimal digits of a hash, and the fewest that keep different values apart. */
const hashLength = 32
const leastHash = 16

const domain = '@masked.invalid'
const emailDigits = 20

/** The column that a rule is for. */
type Masked = Pick<Column, 'name' | 'type' | 'family' | 'ignoresCase' | 'length'>

/** How a rule computes the new value, as SQL. */
type Value =
  /** From the text of the old value; of an array from each element. Null stays null. */
  | { of: 'text'; sql: (value: string) => string }
  /** From the column and the argument of the rule alone. */
  | { of: 'column'; sql: (own: string, argument: string, column: Masked) => string }

interface RuleRow {
  value: Value
  /** The word for the argument of the rule: `{ fixed: text }`. A rule without one is a single word. */
  argument?: string
  /** Null stays null, so that rows without a value need no update. */
  keepsNull: boolean
  /**
   * Different values stay different, and equal ones equal: what unique columns and both ends of a foreign key need. `cut`:
   * only with this many characters of room.
   */
  keepsDistinct: boolean | { leastRoom: number }
  /** The characters that a new value takes; undefined where it has the length of the old one, or is cut. */
  neededRoom?: (argument: string) => number
  /** The name of a column for which the proposal takes this rule, unless an earlier row matches. */
  proposedFor?: RegExp
}

/** In the order in which the proposal tries them. */
const rows = {
  email: {
    value: { of: 'text', sql: value => `left(${hex(value)}, ${emailDigits}) || '${domain}'` },
    keepsNull: true,
    keepsDistinct: true,
    neededRoom: () => emailDigits + domain.length,
    proposedFor: /e_?mail/i,
  },
  phone: {
    // No country has the code 999.
    value: {
      of: 'text',
      sql: value =>
        `'+999' || lpad((('x' || left(${hex(value)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,
    },
    keepsNull: true,
    keepsDistinct: false,
    proposedFor: /phone|mobile|fax|^tel$/i,
  },
  name: {
    value: { of: 'text', sql: value => `case when ${value} is not null then ${name(value)} end` },
    keepsNull: true,
    keepsDistinct: false,
    proposedFor: /(?:first|last|full|given|family|sur|middle|maiden|nick|user|display|contact)_?name|^name$/i,
  },
  hash: {
    value: { of: 'text', sql: value => `left(${hex(value)}, ${hashLength})` },
    keepsNull: true,
    keepsDistinct: { leastRoom: leastHash },
    proposedFor: /password|secret|token|api_?key|hash|salt|digest|session|fingerprint/i,
  },
  digits: {
    value: { of: 'text', sql: value => `case when ${value} is not null then ${digits(value)} end` },
    keepsNull: true,
    keepsDistinct: false,
    proposedFor: /iban|bic|ssn|passport|licen[cs]e|card|account|post_?code|zip|vat|tax/i,
  },
  keep: {
    value: { of: 'column', sql: own => own },
    keepsNull: true,
    keepsDistinct: true,
    proposedFor:
      /(?:^|_)(?:status|state|kind|type|category|locale|lang|language|currency|country|unit|time_?zone)$/i,
  },
  text: {
    value: {
      of: 'text',
      sql: value => `left(repeat(${hex(value)}, length(${value}) / 64 + 1), length(${value}))`,
    },
    keepsNull: true,
    keepsDistinct: false,
  },
  null: {
    value: { of: 'column', sql: () => 'null' },
    keepsNull: true,
    keepsDistinct: false,
  },
  // The value of another row, which `update.ts` joins.
  shuffle: {
    value: { of: 'column', sql: own => own },
    keepsNull: true,
    keepsDistinct: false,
  },
  fixed: {
    value: { of: 'column', sql: (_, text, { type }) => `${quoteText(text)}::${type}` },
    argument: 'text',
    keepsNull: false,
    keepsDistinct: false,
    neededRoom: text => [...text].length,
  },
  sql: {
    // A comment at the end of the expression must not swallow what follows.
    value: { of: 'column', sql: (_, expression) => `(${expression}\n)` },
    argument: 'expression',
    keepsNull: false,
    // The author of the expression answers for that.
    keepsDistinct: true,
  },
} as const satisfies Record<string, RuleRow>

export type RuleKind = keyof typeof rows

/** What becomes of the values of a column: the name of a row, and its argument where it has one. */
export interface Rule {
  kind: RuleKind
  argument?: string | undefined
}

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

/** The rules that do not depend on the type of a column. */
const forAllTypes = renderKinds([...words, ...withArgument].filter(kind => rowOf(kind).value.of === 'column'))

/** The new value of a column of the table `target`, as SQL; of `shuffle` the old one, which another row gets. */
export function maskedValue(column: Masked, { kind, argument = '' }: Rule): string {
  const own = `target.${quoteName(column.name)}`
  const { value } = rowOf(kind)
  if (value.of === 'column') return value.sql(own, argument, column)
  if (column.family === 'texts')
    return `case when ${own} is not null then array(select ${value.sql('element')} from unnest(${own}::text[]) as part(element)) end::${column.type}`
  return `(${value.sql(column.ignoresCase ? `lower(${own}::text)` : `${own}::text`)})::${column.type}`
}

export const keepsNull = ({ kind }: Rule): boolean => rowOf(kind).keepsNull

/** Why the type or the length of a column does not suit a rule; undefined if they do. */
export function findMisfit(
  { family, type, length }: Masked,
  { kind, argument = '' }: Rule,
): string | undefined {
  const { value, neededRoom } = rowOf(kind)
  if (value.of === 'text' && family !== 'text' && family !== 'texts')
    return `is ${type}, and ${kind} is for texts: use ${forAllTypes}`
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

/** The characters that a value of this rule has in a column of the given length: those of both ends of a key must agree. */
export const lengthOf = (kind: RuleKind, length: number | null): number =>
  rowOf(kind).neededRoom?.('') ?? Math.min(length ?? hashLength, hashLength)

/** Whether the rule gives equal values of equal ones at both ends of a key: `sql` by the same expression alone. */
export const keepsKeys = (kind: RuleKind): boolean => rowOf(kind).keepsDistinct !== false

/** The rule that suits the name of a column; undefined if none does. */
export const ruleForName = (name: string): RuleKind | undefined =>
  kinds.find(kind => rowOf(kind).proposedFor?.test(name))

/** What a key gets, which must stay different and equal at both ends: `keep` where it is too short for a hash. */
export function ruleForKey({ name, family, length }: Masked): RuleKind {
  if (family !== 'text' || (length !== null && length < hashLength)) return 'keep'
  const byName = ruleForName(name)
  return byName === 'email' &&
    findMisfit({ name, family, length, type: '', ignoresCase: false }, { kind: byName }) === undefined
    ? 'email'
    : 'hash'
}
