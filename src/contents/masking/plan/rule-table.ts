/** The table of masking rules: how each computes a new value, and the properties that other parts derive from. */
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

/** Hexadecimal digits of a hash, and the fewest that keep different values apart. */
export const hashLength = 32
const leastHash = 16

const domain = '@masked.invalid'
const emailDigits = 20

/** What a new value depends on beside the old one. `dates` are the columns of the row with the rule `date`. */
interface Given {
  argument: string
  paths: readonly JsonPath[]
  type: string
  dates: readonly string[]
}

/** The new value as SQL, from the old one. */
export type Make = (own: string, given: Given) => string

export interface RuleRow {
  /** The new value for columns of any type, or of some: of an array from each element. Null stays null. */
  value: { any: Make } | Partial<Record<Element, Make>>
  /** The word for the argument of the rule: `{ fixed: text }`. A rule without one is a single word. */
  argument?: string
  /** Null stays null, so that rows without a value need no update. */
  keepsNull: boolean
  /**
   * Different values stay different, and equal ones equal: what unique columns and both ends of a foreign key need. `cut`:
   * only with this many characters of room.
   */
  keepsDistinct: boolean | { leastRoom: number }
  /** The characters that a new value takes; null where it has the length of the old one, or is cut. */
  neededRoom: ((argument: string) => number) | null
  /** Originals that may stand in the column afterwards: all of them by design, some by chance, or values that the rule names. */
  leaves: 'nothing' | 'all' | 'chance' | { values: (argument: string) => readonly string[] }
  /** A new value may be the old one of another row, which a unique index refuses while rows change one by one. */
  meetsOthers: boolean
}

const characters = (value: string) =>
  `left(repeat(${hex(value)}, length(${value}) / 64 + 1), length(${value}))`

/** The rules, in the order in which messages list them. */
export const rows = {
  email: {
    value: { text: value => `left(${hex(value)}, ${emailDigits}) || '${domain}'` },
    keepsNull: true,
    keepsDistinct: true,
    neededRoom: () => emailDigits + domain.length,
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
    keepsNull: true,
    keepsDistinct: { leastRoom: leastHash },
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: false,
  },
  digits: {
    value: { text: value => `case when ${value} is not null then ${digits(value)} end` },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'chance',
    meetsOthers: false,
  },
  keep: {
    value: { any: own => own },
    keepsNull: true,
    keepsDistinct: true,
    neededRoom: null,
    leaves: 'all',
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
    keepsNull: true,
    keepsDistinct: true,
    neededRoom: () => 43,
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
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'chance',
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
  // The value of another row, which `update.ts` joins.
  shuffle: {
    value: { any: own => own },
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'all',
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
    keepsNull: true,
    keepsDistinct: false,
    neededRoom: null,
    leaves: 'chance',
    meetsOthers: false,
  },
  sql: {
    // A comment at the end of the expression must not swallow what follows.
    value: { any: (_, { argument }) => `(${argument}\n)` },
    argument: 'expression',
    keepsNull: false,
    // The author of the expression answers for that.
    keepsDistinct: true,
    neededRoom: null,
    leaves: 'nothing',
    meetsOthers: true,
  },
} as const satisfies Record<string, RuleRow>

export type RuleKind = keyof typeof rows

/** What becomes of the values of a column: the name of a row, its argument where it has one, and the paths of `json`. */
export interface Rule {
  kind: RuleKind
  argument?: string | undefined
  paths?: readonly JsonPath[] | undefined
}
