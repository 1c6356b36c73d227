/** Matches the objects of two schemas by id and name. */
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
