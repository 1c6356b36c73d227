import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml'
import type { Place } from '../../sql/sql-error.ts'

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

/** What a file of rules has no use for: lists, aliases, tags. */
interface OtherNode {
  kind: 'other'
  place: Place
}

/** The text is no YAML, or has a part that no file of rules needs. */
export class YamlError extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** Deeper than this no file of rules is nested. */
const deepest = 5

/** Reads one node from the events of the parser, which names the places where the values stand in the text. */
class Reader {
  readonly #events: Event[]
  readonly #text: string
  #next = 0
  /** Of the last value, for one that is left out and so stands nowhere. */
  #position = 0

  constructor(text: string, events: Event[]) {
    this.#text = text
    this.#events = events
  }

  #place(position: number): Place {
    if (position >= 0) this.#position = position
    const before = this.#text.slice(0, this.#position).split('\n')
    return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
  }

  #mapping(place: Place): MappingNode {
    const entries: MappingNode['entries'] = []
    while (this.#events[this.#next]?.type !== EVENT_POP) {
      const key = this.read()
      if (key.kind !== 'scalar') throw new YamlError('a key must be a name', key.place)
      if (entries.some(entry => entry.key.text === key.text))
        throw new YamlError(`${key.text} stands here a second time`, key.place)
      entries.push({ key, value: this.read() })
    }
    this.#next++
    return { kind: 'mapping', place, entries }
  }

  /** Of what is of no use, up to its end. */
  #skip(depth: number): void {
    for (let open = depth; open > 0; this.#next++) {
      const type = this.#events[this.#next]?.type
      if (type === EVENT_POP) open--
      else if (type !== EVENT_SCALAR && type !== EVENT_ALIAS) open++
    }
  }

  read(): Node {
    const event = this.#events[this.#next++]
    if (event?.type === EVENT_SCALAR && event.tagStart < 0)
      return {
        kind: 'scalar',
        place: this.#place(event.valueStart),
        text: getScalarValue(this.#text, event),
        isPlain: event.style === SCALAR_STYLE.PLAIN,
      }
    if (event?.type === EVENT_MAPPING && event.tagStart < 0) return this.#mapping(this.#place(event.start))
    const isOpen = event !== undefined && event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS
    if (isOpen) this.#skip(1)
    return { kind: 'other', place: this.#place(-1) }
  }
}

/**
 * Reads YAML as texts with their places: nothing is taken for a number, a date or a flag.
 *
 * @throws YamlError
 */
export function readYaml(text: string): Node {
  try {
    const events = parseEvents(text, { maxDepth: deepest })
    const documents = events.filter(({ type }) => type === EVENT_DOCUMENT)
    if (documents.length === 0) throw new YamlError('the file has no rules', { line: 1, column: 1 })
    if (documents.length > 1) throw new YamlError('there must be one document', { line: 1, column: 1 })
    return new Reader(text, events.slice(1)).read()
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line, column } = error.mark ?? { line: 0, column: 0 }
    throw new YamlError(error.reason, { line: line + 1, column: column + 1 })
  }
}
