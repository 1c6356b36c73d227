/** Describes an object of a schema, or its changes, as lines of text. */
import { diff } from 'node:util'
import type { Tree } from './match-objects.ts'
import type { IsSame } from './renames.ts'
import type { SchemaObject } from './schema.ts'

/** Properties that are written without a label: `integer`, not `type integer`. */
const unlabeled = new Set(['type', 'definition'])

/** The property with the name of a NOT NULL constraint. Only a changed name is shown. */
const notNullName = 'not null is called'

/** Longer texts, and texts of several lines, follow below the line of the object. */
const longestInLine = 120

const needsBlock = (text: string) => text.length > longestInLine || text.trim().includes('\n')

const isJoinedByDot = (kind: string) => ['column', 'attribute', 'dimension'].includes(kind)

/** The full name of an object: `orders.total`, `by_day on orders`, `sales.orders`. The schema `public` is omitted. */
export function renderFullName(tree: Tree, object: SchemaObject): string {
  const parent = tree.parentOf(object)
  const { kind, name } = object
  if (parent === undefined || (parent.kind === 'schema' && parent.name === 'public')) return name
  const within = renderFullName(tree, parent)
  if (name === '') return within
  if (parent.kind.startsWith('schema') || isJoinedByDot(kind)) return `${within}.${name}`
  return `${name} on ${within}`
}

const withLabel = (key: string, value: string) =>
  [unlabeled.has(key) ? '' : key, value.trim()].filter(Boolean).join(' ')

const linesOf = (text: string) => (text.includes('\n') ? text : text.replaceAll(', ', ',\n')).trim()

const renderBlock = (sign: string, text: string) =>
  linesOf(text)
    .split('\n')
    .map(line => `${sign}     ${line}`)

/** Comparing longer texts line by line would take too long. */
const mostComparisons = 1_000_000

interface Change {
  sign: '-' | '+'
  line: string
}

/** The lines to remove and to add, in order. Common lines are omitted. */
export function diffLines(before: string, after: string): Change[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const removed = (line: string): Change => ({ sign: '-', line })
  const added = (line: string): Change => ({ sign: '+', line })
  if (old.length * now.length > mostComparisons) return [...old.map(removed), ...now.map(added)]
  // Node.js marks a common line with 0, and a line of the first text with 1.
  return diff(old, now).flatMap(([mark, line]) => {
    if (mark === 0) return []
    return mark === 1 ? removed(line) : added(line)
  })
}

/** Describes an added or removed object. The long texts of a removed one are omitted. */
export function describeWhole(sign: '+' | '-', { has }: SchemaObject): { line: string; below: string[] } {
  const entries = Object.entries(has).filter(([key]) => key !== notNullName)
  const inLine = entries
    .filter(([, value]) => !needsBlock(value))
    .map(([key, value]) => withLabel(key, value))
  const blocks = sign === '+' ? entries.filter(([, value]) => needsBlock(value)) : []
  const below = blocks.flatMap(([key, value]) => [
    ...(unlabeled.has(key) ? [] : [`${sign}     ${key}:`]),
    ...renderBlock(sign, value),
  ])
  return { line: inLine.join(' '), below }
}

/** Describes the differences of an object that both schemas contain; undefined without differences. */
export function describeChange(
  before: SchemaObject,
  after: SchemaObject,
  isSame: IsSame,
): { line: string; below: string[] } | undefined {
  const keys = [...new Set([...Object.keys(before.has), ...Object.keys(after.has)])]
  const changes = keys.flatMap(key => {
    const [old, now] = [before.has[key], after.has[key]]
    if (isSame(old, now)) return []
    if (key === notNullName && (old === undefined || now === undefined)) return []
    return [{ key, old, now }]
  })
  if (changes.length === 0) return undefined
  const isLong = ({ old = '', now = '' }: { old?: string | undefined; now?: string | undefined }) =>
    needsBlock(old) || needsBlock(now)
  const line = changes
    .map(change => {
      const { key, old, now } = change
      if (isLong(change)) return key
      if (old === undefined) return `now ${withLabel(key, now ?? '')}`
      if (now === undefined) return `no longer ${withLabel(key, old)}`
      return `${withLabel(key, old || 'as usual')} → ${now.trim() || 'as usual'}`
    })
    .join('; ')
  const below = changes.filter(isLong).flatMap(({ old, now }) => {
    if (old === undefined) return renderBlock('+', now ?? '')
    if (now === undefined) return renderBlock('-', old)
    return diffLines(linesOf(old), linesOf(now)).map(({ sign, line }) => `${sign}     ${line}`)
  })
  return { line, below }
}
