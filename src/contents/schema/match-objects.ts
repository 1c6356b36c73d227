/** Matches the objects of two schemas by id and name, and recognizes texts that differ only by renamed objects. */
import type { Schema, SchemaObject } from './schema.ts'

export interface Match {
  before?: SchemaObject
  after?: SchemaObject
}

export function createTree({ objects }: Schema) {
  const byId = new Map(objects.map(object => [object.id, object]))
  const parentOf = ({ of }: SchemaObject) => (of === undefined ? undefined : byId.get(of))
  function depthOf(object: SchemaObject): number {
    const parent = parentOf(object)
    return parent === undefined ? 0 : 1 + depthOf(parent)
  }
  return { parentOf, depthOf }
}

export type Tree = ReturnType<typeof createTree>

const identity = ({ kind, id }: SchemaObject) => `${kind} ${id}`

/**
 * Matches the objects of two schemas of one database. Ids come first, because they survive a rename. Names match
 * objects that were dropped and recreated.
 */
export function matchObjects(before: Schema, after: Schema): Match[] {
  const later = new Map(after.objects.map(object => [identity(object), object]))
  const matches: Match[] = []
  /** By the id of an object in the earlier schema: its id in the later one. */
  const idAfter = new Map<string, string>()
  const pair = (one: SchemaObject, other: SchemaObject) => {
    matches.push({ before: one, after: other })
    idAfter.set(one.id, other.id)
    later.delete(identity(other))
  }
  const gone = before.objects.filter(object => {
    const same = later.get(identity(object))
    if (same) pair(object, same)
    return same === undefined
  })
  const named = ({ kind, name }: SchemaObject, of: string | undefined) => JSON.stringify([kind, of, name])
  const byName = new Map([...later.values()].map(object => [named(object, object.of), object]))
  const tree = createTree(before)
  // Parents are matched before their parts.
  for (const object of gone.sort((one, other) => tree.depthOf(one) - tree.depthOf(other))) {
    const same = byName.get(named(object, object.of && (idAfter.get(object.of) ?? object.of)))
    if (same) pair(object, same)
    else matches.push({ before: object })
  }
  return [...matches, ...[...later.values()].map(object => ({ after: object }))]
}

/** Quoted names, literals, words, spaces; every other character alone. */
const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+|\s+|./gsu

const tokensOf = (text: string) => text.match(token) ?? []

export const baseName = (name: string) => /^(?:"(?:[^"]|"")*"|[^(])*/.exec(name)?.[0].trimEnd() ?? name

/** @param pairs the names of objects before and after, and of the schemas to which objects moved */
export function createRenames(pairs: [before: string, after: string][]) {
  const renamed = new Set(pairs.flatMap(pair => (pair[0] === pair[1] ? [] : JSON.stringify(pair))))
  return {
    isSame(before: string | undefined, after: string | undefined): boolean {
      if (before === after) return true
      if (before === undefined || after === undefined || renamed.size === 0) return false
      const [old, now] = [tokensOf(before), tokensOf(after)]
      return (
        old.length === now.length &&
        old.every((one, index) => one === now[index] || renamed.has(JSON.stringify([one, now[index]])))
      )
    },
  }
}

export type Renames = ReturnType<typeof createRenames>
