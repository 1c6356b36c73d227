/** The type of a schema that was read from a database, and its validation. */
import { isRecord } from '#base/unknown-values'
/** An object of a database, as the catalog describes it. All properties are text, so that they can be stored and compared. */
export interface SchemaObject {
  /** The kind as the diff names it: `table`, `column`. */
  kind: string
  /** Equal in a fork. It consists of the object id, and for a column also its number. */
  id: string
  /** The id of the parent: the table of a column, the schema of a table. */
  of?: string
  /** Without the name of the parent. */
  name: string
  /**
   * The properties in the order of the description: `type`, `not null`, `default`. A property without a value is an empty text.
   */
  has: Record<string, string>
}

/** A schema that belongs to an extension, listed only to name the users' objects in it. */
export const schemaOfExtension = 'schema of an extension'

/** The schema of a database at one moment. It contains no rows, passwords or positions of sequences. */
export interface Schema {
  /** Includes owners, roles and grants, which are compared only if both schemas contain them. */
  grants: boolean
  objects: SchemaObject[]
}

/** The largest schema that a server may send, in bytes: 5,000 tables take 15 MB. */
export const mostOfSchema = 64 * 1024 * 1024

/** An object is part of a table, which is part of a schema. */
const mostLevels = 4

const isTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every(text => typeof text === 'string')

function isObject(value: unknown): value is SchemaObject {
  if (!isRecord(value)) return false
  const { kind, id, of, name, has } = value
  return [kind, id, of ?? '', name].every(text => typeof text === 'string') && isTexts(has)
}

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

export function isSchema(value: unknown): value is Schema {
  if (!isRecord(value)) return false
  const { grants, objects } = value
  return typeof grants === 'boolean' && Array.isArray(objects) && objects.every(isObject) && isTree(objects)
}

export interface SchemaDiff {
  added: number
  removed: number
  changed: number
  /** A line for each object, followed by its differences, grouped by table; empty without differences. */
  text: string
}
