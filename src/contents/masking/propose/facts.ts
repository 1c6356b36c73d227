/** The facts about a column that the rows of the decision combine. */
import type { Family } from '../plan/catalog.ts'
import type { Measured, Pattern } from './measure.ts'
import { isNamed, isTable, type TableTopic, type Topic } from './names.ts'

export interface Evidence {
  name: string
  table: string
  type: string
  family: Family
  holdsText: boolean
  /** The reason why the database refuses other values; undefined if it accepts them. */
  fixed: string | undefined
  /** The tool that needs the values unchanged. */
  tool: string | undefined
  /** Its type or a constraint lists its values, or a definition compares it with literals. */
  isListed: boolean
  /** New rows get a text that the schema names. */
  hasDefaultText: boolean
  /** Its type allows at most three characters. */
  isTiny: boolean
  isKey: boolean
  isUnique: boolean
  /** A row is a person, or belongs to one. */
  isPersonal: boolean
  beside: ReadonlySet<Topic>
  /** Undefined if the table is empty or unreadable. */
  measured: Measured | undefined
}

/** A column has a pattern if at least this share of its values matches. */
const most = 0.6

/** The column is a choice if it has at most this many values, each in several rows. */
const few = { values: 20, rowsOfEach: 4 }

/** People may have written values of at least this average length. */
const longest = 30

const shareOf = ({ measured }: Evidence, ...patterns: Pattern[]) =>
  patterns.reduce((sum, pattern) => sum + (measured?.shares[pattern] ?? 0), 0)

const named = ({ name }: Evidence, ...any: Topic[]) => any.some(topic => isNamed(name, topic))

const isRepeated = ({ measured }: Evidence) =>
  measured !== undefined &&
  measured.count >= 2 * few.rowsOfEach &&
  measured.distinct <= Math.min(few.values, measured.count / few.rowsOfEach)

const combined = {
  fixed: ({ fixed }) => fixed !== undefined,
  tool: ({ tool }) => tool !== undefined,
  listed: ({ isListed }) => isListed,
  default: ({ hasDefaultText }) => hasDefaultText,
  key: ({ isKey }) => isKey,
  unique: ({ isUnique }) => isUnique,
  personal: ({ isPersonal }) => isPersonal,
  numeric: ({ holdsText }) => !holdsText,
  measured: ({ measured }) => measured !== undefined,
  repeated: isRepeated,
  tiny: ({ isTiny }) => isTiny,
  /** A key beside its value. */
  entry: ({ name, beside }) =>
    /(?:^|_)key$|^(?:name|property|attribute|setting|option)$/.test(name) && beside.has('value'),
  short: ({ measured }) => (measured?.length ?? 0) < longest,
  /** Long, different, and without words. */
  random: evidence => shareOf(evidence, 'secret', 'jwt') >= most && !isRepeated(evidence),
  prose: evidence => shareOf(evidence, 'sentence', 'person') >= most,
  /** Neither an email address nor an IP address. */
  ordinary: evidence => shareOf(evidence, 'word', 'sentence', 'url', 'number') >= most,
  secret: evidence =>
    named(evidence, 'secretId') || (named(evidence, 'secret') && !named(evidence, 'notSecret', 'property')),
  vocabulary: evidence => isTable(evidence.table, 'vocabulary') && !isTable(evidence.table, 'people'),
  address: ({ beside }) => beside.has('street') || beside.has('zip') || beside.has('place'),
  account: ({ beside }) => beside.has('ownEmail') || beside.has('userAgent'),
  tsvector: ({ type }) => /\btsvector$/.test(type),
  ltree: ({ type }) => /\bltree(?:\[\])?$/.test(type),
} satisfies Record<string, (evidence: Evidence) => boolean>

/** A fact by name: of the type, the name, the values or the table, or a combined one. */
export type Fact =
  | `type:${Family}`
  | `named:${Topic}`
  | `looks:${Pattern}`
  | `table:${TableTopic}`
  | keyof typeof combined

type Term = Fact | `!${Fact}`

/** True if every term is true, and at least one of each list. */
export type Condition = readonly (Term | readonly Term[])[]

function isTrue(fact: string, evidence: Evidence): boolean {
  if (fact.startsWith('!')) return !isTrue(fact.slice(1), evidence)
  const [kind = '', name = ''] = fact.split(':')
  if (kind === 'type') return evidence.family === name
  if (kind === 'looks')
    return Object.entries(evidence.measured?.shares ?? {}).some(
      ([pattern, share]) => pattern === name && share >= most,
    )
  if (kind === 'table') return isTable(evidence.table, name)
  if (kind === 'named') return isNamed(evidence.name, name)
  const facts: Record<string, (evidence: Evidence) => boolean> = combined
  return facts[kind]?.(evidence) === true
}

export const holds = (condition: Condition, evidence: Evidence): boolean =>
  condition.every(part =>
    typeof part === 'string' ? isTrue(part, evidence) : part.some(term => isTrue(term, evidence)),
  )
