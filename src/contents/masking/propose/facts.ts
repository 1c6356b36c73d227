/** The facts about a column that the rows of the decision combine. */
import type { Family } from '../plan/catalog.ts'
import type { Measured, Pattern } from './measure.ts'
import { isNamed, isTable, type TableTopic, type Topic } from './names.ts'

/** What is known of a column, without its values. */
export interface Evidence {
  /** The normalized names. */
  name: string
  table: string
  type: string
  family: Family
  holdsText: boolean
  /** Why the database refuses other values; undefined if it takes them. */
  fixed: string | undefined
  /** The tool that needs the values of the column as they are. */
  tool: string | undefined
  /** Its type or a constraint lists its values, or a definition compares them with literals. */
  isListed: boolean
  /** New rows get a text that the schema names. */
  hasDefaultText: boolean
  /** Part of a foreign key, on either end. */
  isKey: boolean
  isUnique: boolean
  /** A row is, or belongs to, a person. */
  isPersonal: boolean
  /** Topics of the other columns of the table. */
  beside: ReadonlySet<Topic>
  /** Undefined where the table is empty or may not be read. */
  measured: Measured | undefined
}

/** From this share of its values on, a column has a pattern. */
const most = 0.6

/** Values are a choice of few where each stands in several rows. */
const few = { values: 20, rowsOfEach: 4 }

/** From this average length on, values may be written by a person. */
const longest = 30

const shareOf = ({ measured }: Evidence, ...patterns: Pattern[]) =>
  patterns.reduce((sum, pattern) => sum + (measured?.shares[pattern] ?? 0), 0)

const named = ({ name }: Evidence, ...any: Topic[]) => any.some(topic => isNamed(name, topic))

const isRepeated = ({ measured }: Evidence) =>
  measured !== undefined &&
  measured.count >= 2 * few.rowsOfEach &&
  measured.distinct <= Math.min(few.values, measured.count / few.rowsOfEach)

/** Facts that combine others. */
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
  short: ({ measured }) => (measured?.length ?? 0) < longest,
  /** Long, different, and without words. */
  random: evidence => shareOf(evidence, 'secret', 'jwt') >= most && !isRepeated(evidence),
  prose: evidence => shareOf(evidence, 'sentence', 'person') >= most,
  /** Whatever an e-mail address or an IP address is not. */
  ordinary: evidence => shareOf(evidence, 'word', 'sentence', 'url', 'number') >= most,
  secret: evidence =>
    named(evidence, 'secretId') || (named(evidence, 'secret') && !named(evidence, 'notSecret', 'property')),
  vocabulary: evidence => isTable(evidence.table, 'vocabulary') && !isTable(evidence.table, 'people'),
  address: ({ beside }) => beside.has('street') || beside.has('zip') || beside.has('place'),
  account: ({ beside }) => beside.has('ownEmail') || beside.has('userAgent'),
  tsvector: ({ type }) => /\btsvector$/.test(type),
  ltree: ({ type }) => /\bltree(?:\[\])?$/.test(type),
} satisfies Record<string, (evidence: Evidence) => boolean>

/** A fact by name: of its type, its name, its values, its table, or one of those above. */
export type Fact =
  | `type:${Family}`
  | `named:${Topic}`
  | `looks:${Pattern}`
  | `table:${TableTopic}`
  | keyof typeof combined

type Term = Fact | `!${Fact}`

/** Holds where each term holds, and of a list at least one. */
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

/** Whether a condition holds for a column. */
export const holds = (condition: Condition, evidence: Evidence): boolean =>
  condition.every(part =>
    typeof part === 'string' ? isTrue(part, evidence) : part.some(term => isTrue(term, evidence)),
  )
