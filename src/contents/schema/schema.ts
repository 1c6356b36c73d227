/** The schema of a database, as it is read, stored and compared. */
import * as z from 'zod/mini'
import { storedObject } from '#base/stored'

/** An object of a database, as the catalog describes it. All properties are text, so that they can be stored and compared. */
const objectSchema = storedObject({
  /** The kind as the diff names it: `table`, `column`. */
  kind: z.string(),
  /** The same in a fork and its parent: a letter for the catalog, the object id, and for a column its number. */
  id: z.string(),
  /** The id of the parent object: the table of a column, the schema of a table. */
  of: z.optional(z.string()),
  /** Without the name of the parent. */
  name: z.string(),
  /** The properties in the order of the description: `type`, `default`. One without a value is an empty text. */
  has: z.record(z.string(), z.string()),
})

export type SchemaObject = z.infer<typeof objectSchema>

/** An object is part of a table, which is part of a schema. */
const mostLevels = 4

function isTree(objects: SchemaObject[]): boolean {
  const parents = new Map(objects.map(({ id, of }) => [id, of]))
  return objects.every(({ of }) => {
    let above = of
    for (let level = 0; above !== undefined; level++) {
      if (level > mostLevels) return false
      above = parents.get(above)
    }
    return true
  })
}

/** The schema of a database at one moment. It contains no rows, passwords or positions of sequences. */
export const schemaSchema = storedObject({
  /** Includes owners, roles and grants, which are compared only if both schemas contain them. */
  grants: z.boolean(),
  objects: z.array(objectSchema).check(z.refine(isTree)),
})

export type Schema = z.infer<typeof schemaSchema>

/** A schema that belongs to an extension, listed only to name the users' objects in it. */
export const schemaOfExtension = 'schema of an extension'

/** The largest schema that a server may send, in bytes: 5,000 tables take 15 MB. */
export const mostSchemaBytes = 64 * 1024 * 1024

export interface SchemaDiff {
  added: number
  removed: number
  changed: number
  /** A line for each object, followed by its differences, grouped by table; empty without differences. */
  text: string
}
