/** The table of masking rules: how each rule computes a value, and the properties that other modules use. */
import type { Element } from './catalog.ts'
import { digits, hex, name, quoteText } from './expressions.ts'
import { type JsonPath, maskedJson } from './json.ts'
import {
  degreesOfNumber,
  degreesOfText,
  ip,
  ip6,
  ipOfType,
  movedDate,
  place,
  shape,
  token,
  tokenOfBytes,
} from './shapes.ts'

/** The hexadecimal digits of a hash. Fewer would not keep different values apart. */
export const hashLength = 32
const leastHash = 16

const domain = '@masked.invalid'
const emailDigits = 20

/** The input of a new value beside the old one. `dates` are the columns of the row with the rule `date`. */
interface Given {
  type: string
  dates: readonly string[]
}

interface GivenArgument extends Given {
  argument: string
  paths: readonly JsonPath[]
}

/** SQL for the new value, given SQL for the old one. */
export type Make<Input = GivenArgument> = (own: string, given: Input) => string

/** The new value for all types or for some. Arrays are masked per element. Null stays null. */
type Values<Input> = { any: Make<Input> } | Partial<Record<Element, Make<Input>>>

/** The name of the argument: `text` in `{ fixed: text }`. A rule without an argument is a single word. */
type Computed =
  | { argument?: undefined; value: Values<Given> }
  | { argument: string; value: Values<GivenArgument> }

interface Properties {
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
  meetsOthers: boolean
}

export type RuleRow = Computed & Properties

const characters = (value: string) =>
  `left(repeat(${hex(value)}, length(${value}) / 64 + 1), length(${value}))`

export const rows = {
  email: {
    value: { text: value => `left(${hex(value)}, ${emailDigits}) || '${domain}'` },
    keepsDistinct: true,
    neededRoom: () => emailDigits + domain.length,
    keepsNull: true,
    leaves: 'nothing',
    meetsOthers: false,
  },
  phone: {
    // No country has the code 999.
    value: {
      text: value =>
        `'+999' || lpad((('x' || left(${hex(value)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,
    },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  name: {
    value: { text: value => `case when ${value} is not null then ${name(value)} end` },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  hash: {
    value: { text: value => `left(${hex(value)}, ${hashLength})` },
    keepsDistinct: { leastRoom: leastHash },
    keepsNull: true,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  digits: {
    value: { text: value => `case when ${value} is not null then ${digits(value)} end` },
    leaves: 'chance',
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    meetsOthers: false,
  },
  keep: {
    value: { any: own => own },
    keepsDistinct: true,
    leaves: 'all',
    keepsNull: true,
    neededRoom: null,
    meetsOthers: false,
  },
  text: {
    value: { text: value => characters(value) },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  token: {
    value: { text: token, bytes: tokenOfBytes },
    keepsNull: true,
    keepsDistinct: true,
    neededRoom: null,
    leaves: 'chance',
    meetsOthers: true,
  },
  ip: {
    value: { text: ip, ip: (own, { type }) => ipOfType(ip(`${own}::text`), type) },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  ip6: {
    value: { text: ip6, ip: (own, { type }) => ipOfType(ip6(`${own}::text`), type) },
    keepsDistinct: true,
    neededRoom: () => 43,
    keepsNull: true,
    leaves: 'nothing',
    meetsOthers: false,
  },
  location: {
    value: {
      text: value => degreesOfText(value, characters(value)),
      number: (own, { type }) => degreesOfNumber(own, type),
      point: place,
      geometry: (own, { type }) => shape(own, type),
      geography: (own, { type }) => shape(own, type),
    },
    leaves: 'chance',
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    meetsOthers: false,
  },
  date: {
    value: { date: (own, { dates }) => movedDate(own, dates) },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  null: {
    value: { any: () => 'null' },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  // `update.ts` joins the row that provides the value.
  shuffle: {
    value: { any: own => own },
    leaves: 'all',
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    meetsOthers: false,
  },
  fixed: {
    value: { any: (_, { argument, type }) => `${quoteText(argument)}::${type}` },
    argument: 'text',
    keepsNull: false,
    keepsDistinct: false,
    neededRoom: text => [...text].length,
    leaves: { values: text => [text] },
    meetsOthers: false,
  },
  json: {
    value: { json: (own, { type, paths }) => maskedJson(own, type, paths) },
    argument: 'mapping',
    leaves: 'chance',
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    meetsOthers: false,
  },
  sql: {
    // The line break ends a comment at the end of the expression.
    value: { any: (_, { argument }) => `(${argument}\n)` },
    argument: 'expression',
    keepsNull: false,
    // The author of the expression is responsible for it.
    keepsDistinct: true,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: true,
  },
} as const satisfies Record<string, RuleRow>

export type RuleKind = keyof typeof rows

export interface Rule {
  kind: RuleKind
  argument?: string | undefined
  paths?: readonly JsonPath[] | undefined
}
