/** Reads YAML as text with positions. No value becomes a number, a date or a flag. */
import { isMap, isScalar, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml'
import type { Place } from '#contents/sql/sql-error'

interface Key {
  place: Place
  text: string
  /** Unquoted. */
  isPlain?: boolean | undefined
}

/** A text, a mapping, or neither: a list, an alias or a tag, which no file of rules uses. */
export interface Node extends Partial<Key> {
  place: Place
  entries?: Entry[]
}

export interface Entry {
  key: Key
  value: Node
}

/** The text is not YAML, or contains a feature that files of rules do not use. */
export class YamlError extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

const start: Place = { line: 1, column: 1 }

type FindPlace = (offset: number) => Place

/** Converts a node of the parser. An omitted value gets the position of its key. */
function convert(node: ParsedNode | null, placeOf: FindPlace, keyPlace: Place): Node {
  if (node === null) return { place: keyPlace, text: '', isPlain: true }
  const [from, to] = node.range
  const place = from < to ? placeOf(from) : keyPlace
  if (node.tag !== undefined) return { place }
  if (isScalar(node)) return { place, text: `${node.value}`, isPlain: node.type === 'PLAIN' }
  if (!isMap(node)) return { place }
  const entries = new Map<string, Entry>()
  for (const pair of node.items) {
    const { text, place: at, isPlain } = convert(pair.key, placeOf, place)
    if (text === undefined) throw new YamlError('a key must be a name', at)
    if (entries.has(text)) throw new YamlError(`${text} is a duplicate`, at)
    entries.set(text, { key: { text, place: at, isPlain }, value: convert(pair.value, placeOf, at) })
  }
  return { place, entries: [...entries.values()] }
}

/** Every value is text. The bundle omits the parts of the package that other options need. */
export const textOptions = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

/** Reads a single document without resolving aliases. @throws YamlError */
export function readYaml(text: string): Node {
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(text, { ...textOptions, lineCounter })
  const placeOf: FindPlace = offset => {
    const { line, col } = lineCounter.linePos(offset)
    return { line, column: [...text.slice(offset - col + 1, offset)].length + 1 }
  }
  if ('empty' in documents) throw new YamlError('the file has no rules', start)
  const [document, ...others] = documents
  const [error] = documents.flatMap(({ errors }) => errors)
  if (error) throw new YamlError(error.message, placeOf(error.pos[0]))
  if (document === undefined || others.length > 0) throw new YamlError('there must be one document', start)
  return convert(document.contents, placeOf, start)
}
