/** Matches the objects of two schemas by id and name. */
import type { Schema, SchemaObject } from './schema.ts'

/** An object in both schemas, or in one of them. */
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

const identityOf = ({ kind, id }: SchemaObject) => `${kind} ${id}`

/** Matches by id, which survives a rename; then by name, for objects that were dropped and recreated. */
export function matchObjects(before: Schema, after: Schema): Match[] {
  /** The objects of the later schema that are not matched yet. */
  const unmatchedLater = new Map(after.objects.map(object => [identityOf(object), object]))
  const matches: Match[] = []
  /** The id of an object in the later schema, by its id in the earlier one. */
  const idAfter = new Map<string, string>()
  const addMatch = (old: SchemaObject, now: SchemaObject) => {
    matches.push({ before: old, after: now })
    idAfter.set(old.id, now.id)
    unmatchedLater.delete(identityOf(now))
  }
  const unmatchedEarlier: SchemaObject[] = []
  for (const object of before.objects) {
    const same = unmatchedLater.get(identityOf(object))
    if (same) addMatch(object, same)
    else unmatchedEarlier.push(object)
  }
  const nameKey = ({ kind, name }: SchemaObject, of: string | undefined) => JSON.stringify([kind, of, name])
  const byName = new Map([...unmatchedLater.values()].map(object => [nameKey(object, object.of), object]))
  const tree = createTree(before)
  // Parents are matched before their parts.
  unmatchedEarlier.sort((first, second) => tree.depthOf(first) - tree.depthOf(second))
  for (const object of unmatchedEarlier) {
    const parentAfter = object.of && (idAfter.get(object.of) ?? object.of)
    const same = byName.get(nameKey(object, parentAfter))
    if (same) addMatch(object, same)
    else matches.push({ before: object })
  }
  return [...matches, ...[...unmatchedLater.values()].map(object => ({ after: object }))]
}
