/** The table of masking rules: how each rule computes a value, and the properties that other modules use. */
import { quoteText } from '#postgres/sql'
import type { Element } from './catalog.ts'
import { digits, hex, inventName } from './expressions.ts'
import { type JsonPath, jsonOf, maskedJson } from './json.ts'
import * as shapes from './shapes.ts'

/** The hexadecimal digits of a hash. Fewer than 16 would not keep different values apart. */
export const hashLength = 32

/** A domain that no one can register (RFC 2606). Validators such as pydantic's refuse `.invalid`. */
const domain = 'masked.example'
/** The hexadecimal digits of a new address, which keep different ones apart. */
const addressDigits = 20

/** The input of a rule beside the original value. */
interface RuleInput {
  type: string
  /** Empty without an argument. */
  argument: string
  /** The rules for parts of JSON. */
  paths: readonly JsonPath[]
  /** The columns of the row with the rule `date`. */
  dates: readonly string[]
}

/** Returns SQL for the new value. `original` is SQL for the value of the column. */
export type MaskValue = (original: string, input: RuleInput) => string

interface RuleRow {
  /** Describes the new value in docs/masking.md. */
  about: string
  /** The new value for all types or for some. Arrays are masked per element. */
  value: { any: MaskValue } | Partial<Record<Element, MaskValue>>
  /** A rule without an argument is a single word. */
  argument?: {
    name: string
    /** In the form of YAML. */
    examples: readonly [string, ...string[]]
    /** The form of valid texts. */
    form: RegExp | 'any text' | 'mapping'
  }
  /** Null stays null, so rows without a value need no update. */
  keepsNull: boolean
  /**
   * Equal values stay equal, and different ones different, as unique columns and foreign keys require. `leastRoom`:
   * only in columns of at least this many characters.
   */
  keepsDistinct: boolean | { leastRoom: number }
  /** The number of characters of a new value; null if it keeps the old length or is cut. */
  neededRoom: ((argument: string) => number) | null
  /** Originals that may remain in the column: all by design, some by chance, or values that the rule names. */
  leaves: 'nothing' | 'all' | 'chance' | { values: (argument: string) => readonly string[] }
  /** A new value can equal the old value of another row. A unique index would refuse it during the update. */
  canCollide: boolean
}

/**
 * The properties of most rules; a row states where it differs. Such a rule may give different values the same new one. Of
 * these, a unique column can only have `null`, so no index refuses a value during the update.
 */
const usual = {
  keepsNull: true,
  keepsDistinct: false,
  canCollide: false,
  neededRoom: null,
  leaves: 'nothing',
} as const

/** As many hexadecimal digits as the value has characters. */
const characters = (value: string) =>
  `left(repeat(${hex(value)}, length(${value}) / 64 + 1), length(${value}))`

const replacedByOther = 'another value, the same for equal values in the whole database'

export const rows = {
  email: {
    about: replacedByOther,
    value: { text: value => `left(${hex(value)}, ${addressDigits}) || '@${domain}'` },
    ...usual,
    keepsDistinct: true,
    neededRoom: () => addressDigits + `@${domain}`.length,
  },
  url: {
    about: `a link to a page of https://${domain}, the same for equal links`,
    value: { text: value => `'https://${domain}/' || left(${hex(value)}, ${addressDigits})` },
    ...usual,
    keepsDistinct: true,
    neededRoom: () => `https://${domain}/`.length + addressDigits,
  },
  phone: {
    about: replacedByOther,
    // No country has the code 999.
    value: {
      text: value =>
        `'+999' || lpad((('x' || left(${hex(value)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,
    },
    ...usual,
  },
  name: {
    about: replacedByOther,
    value: { text: inventName },
    ...usual,
  },
  hash: {
    about: replacedByOther,
    value: { text: value => `left(${hex(value)}, ${hashLength})` },
    ...usual,
    keepsDistinct: { leastRoom: 16 },
  },
  digits: {
    about: 'other letters and digits in place; the rest stays',
    value: { text: digits },
    ...usual,
    leaves: 'chance',
  },
  keep: {
    about: 'the same',
    value: { any: original => original },
    ...usual,
    keepsDistinct: true,
    leaves: 'all',
  },
  text: {
    about: 'other characters, the same length',
    value: { text: characters },
    ...usual,
  },
  token: {
    about:
      'another one of the same length and alphabet; different tokens stay different; a password hash keeps its scheme',
    value: {
      text: shapes.token,
      bytes: shapes.tokenOfBytes,
      uuid: original => shapes.token(`${original}::text`),
    },
    ...usual,
    keepsDistinct: true,
    canCollide: true,
    leaves: 'chance',
  },
  ip: {
    about: 'a reserved address; the prefix length of a network stays',
    value: {
      text: shapes.ip,
      ip: shapes.ipOfType(shapes.ip),
    },
    ...usual,
  },
  ip6: {
    about: 'as `ip`, always IPv6; different addresses stay different',
    value: {
      text: shapes.ip6,
      ip: shapes.ipOfType(shapes.ip6),
    },
    ...usual,
    keepsDistinct: true,
    neededRoom: () => 43,
  },
  location: {
    about: 'other coordinates; equal ones stay equal',
    value: {
      text: value => shapes.degreesOfText(value, characters(value)),
      number: shapes.degreesOfNumber,
      point: shapes.maskPoint,
      geometry: shapes.maskGeometry,
      geography: shapes.maskGeometry,
    },
    ...usual,
    leaves: 'chance',
  },
  date: {
    about: '1 to 365 days earlier, the same shift for all such dates in a row',
    value: { date: shapes.shiftDate },
    ...usual,
  },
  null: {
    about: 'NULL',
    value: { any: () => 'null' },
    ...usual,
  },
  // `update.ts` joins the row that provides the value.
  shuffle: {
    about: 'the value of another row',
    value: { any: original => original },
    ...usual,
    leaves: 'all',
  },
  fixed: {
    about: 'always this text',
    value: { any: (_, { argument, type }) => `${quoteText(argument)}::${type}` },
    argument: { name: 'text', examples: ['Ada', "''"], form: 'any text' },
    ...usual,
    keepsNull: false,
    neededRoom: text => [...text].length,
    leaves: { values: text => [text] },
  },
  json: {
    about: 'each JSON value by its most specific path ([how](#parts-of-json))',
    value: {
      json: (original, { type, paths }) => maskedJson(jsonOf(original, { family: 'json', type }), paths),
      text: (value, { type, paths }) =>
        `coalesce(${maskedJson(jsonOf(value, { family: 'text', type }), paths)}::text, ${characters(value)})`,
    },
    argument: { name: 'mapping', examples: ['{ "*": text }'], form: 'mapping' },
    ...usual,
    leaves: 'chance',
  },
  sql: {
    about: 'the result of the expression',
    // The line break ends a comment at the end of the expression.
    value: { any: (_, { argument }) => `(${argument}\n)` },
    argument: { name: 'expression', examples: ['"upper(\'other\')"', '"NULL"'], form: /\S/ },
    ...usual,
    keepsNull: false,
    // The author of the expression is responsible for it.
    keepsDistinct: true,
    canCollide: true,
  },
} as const satisfies Record<string, RuleRow>

export type RuleKind = keyof typeof rows

export interface Rule {
  kind: RuleKind
  argument?: string | undefined
  paths?: readonly JsonPath[] | undefined
}

export const rowOf = (kind: RuleKind): RuleRow => rows[kind]
