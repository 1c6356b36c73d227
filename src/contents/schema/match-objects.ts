/** Matches the objects of two schemas by id and name. */
import type { Schema, SchemaObject } from './schema.ts'

export interface Match {
  before?: SchemaObject
  after?: SchemaObject
}

export class Tree {
  readonly #byId: Map<string, SchemaObject>

  constructor({ objects }: Schema) {
    this.#byId = new Map(objects.map(object => [object.id, object]))
  }

  parentOf({ of }: SchemaObject): SchemaObject | undefined {
    return of === undefined ? undefined : this.#byId.get(of)
  }

  depthOf(object: SchemaObject): number {
    const parent = this.parentOf(object)
    return parent === undefined ? 0 : 1 + this.depthOf(parent)
  }
}

const identity = ({ kind, id }: SchemaObject) => `${kind} ${id}`

function byDepth(objects: SchemaObject[], tree: Tree): Map<number, SchemaObject[]> {
  return Map.groupBy(objects, object => tree.depthOf(object))
}

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
  // Parents are matched before their parts.
  const [goneByDepth, newByDepth] = [
    byDepth(gone, new Tree(before)),
    byDepth([...later.values()], new Tree(after)),
  ]
  for (const depth of [...goneByDepth.keys()].sort()) {
    const named = ({ kind, name }: SchemaObject, of: string | undefined) => JSON.stringify([kind, of, name])
    const byName = new Map(newByDepth.get(depth)?.map(object => [named(object, object.of), object]))
    for (const object of goneByDepth.get(depth) ?? []) {
      const same = byName.get(named(object, object.of && (idAfter.get(object.of) ?? object.of)))
      if (same) pair(object, same)
      else matches.push({ before: object })
    }
  }
  return [...matches, ...[...later.values()].map(object => ({ after: object }))]
}
