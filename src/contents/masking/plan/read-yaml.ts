/** Reads YAML as texts with their places: no text becomes a number, a date or a flag. */
import { isMap, isScalar, type ParsedNode, parseAllDocuments } from 'yaml'
import type { Place } from '#contents/sql/sql-error'

/** A value with the place where it begins. */
export type Node = ScalarNode | MappingNode | OtherNode

interface ScalarNode {
  kind: 'scalar'
  place: Place
  text: string
  /** Written without quotes: only such a `null` is one. */
  isPlain: boolean
}

export interface MappingNode {
  kind: 'mapping'
  place: Place
  entries: { key: ScalarNode; value: Node }[]
}

/** A value that a file of rules has no use for: a list, an alias, a tag. */
interface OtherNode {
  kind: 'other'
  place: Place
}

/** The text is not YAML, or has a part that no file of rules needs. */
export class YamlError extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

const start: Place = { line: 1, column: 1 }

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

/** Converts a node. A value that is left out has the place of its key. */
function convert(node: ParsedNode | null, text: string, keyPlace: Place): Node {
  if (node === null) return { kind: 'scalar', place: keyPlace, text: '', isPlain: true }
  const [from, to] = node.range
  const place = from < to ? placeOf(text, from) : keyPlace
  if (node.tag !== undefined) return { kind: 'other', place }
  if (isScalar(node)) return { kind: 'scalar', place, text: `${node.value}`, isPlain: node.type === 'PLAIN' }
  if (!isMap(node)) return { kind: 'other', place }
  const entries: MappingNode['entries'] = []
  for (const pair of node.items) {
    const key = convert(pair.key, text, place)
    if (key.kind !== 'scalar') throw new YamlError('a key must be a name', key.place)
    if (entries.some(entry => entry.key.text === key.text))
      throw new YamlError(`${key.text} stands here a second time`, key.place)
    entries.push({ key, value: convert(pair.value, text, key.place) })
  }
  return { kind: 'mapping', place, entries }
}

/** Every value is a text. The bundle leaves out the parts of the package that other options need. */
export const textOptions = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

/**
 * Reads one document. Aliases are not resolved.
 *
 * @throws YamlError
 */
export function readYaml(text: string): Node {
  const documents = parseAllDocuments(text, textOptions)
  if ('empty' in documents) throw new YamlError('the file has no rules', start)
  const [document, ...others] = documents
  const [error] = documents.flatMap(({ errors }) => errors)
  if (error) throw new YamlError(error.message, placeOf(text, error.pos[0]))
  if (document === undefined || others.length > 0) throw new YamlError('there must be one document', start)
  return convert(document.contents, text, start)
}
