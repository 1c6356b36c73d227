import { isRecord } from '#base/unknown-values'
/** An object of a database, as the catalog describes it. All of it is text, so that it can be kept and compared. */
export interface SchemaObject {
  /** What it is, in the words of the diff: `table`, `column`. */
  kind: string
  /** The same in a fork: made of the object id, of a column with its number. */
  id: string
  /** The id of what it is part of: of a column the table, of a table the schema. */
  of?: string
  /** Its own name, without that of what it is part of. */
  name: string
  /** What can be said of it, in the order in which it is told: `type`, `not null`, `default`. A mere fact is an empty text. */
  has: Record<string, string>
}

/** A schema that an extension brought, which is there to name what others put into it. */
export const schemaOfExtension = 'schema of an extension'

/** The schema of a database at one moment: never a value of a row, a password, or where a sequence stands. */
export interface Schema {
  /** With owners, roles and grants, which are compared only where both schemas have them. */
  grants: boolean
  objects: SchemaObject[]
}

/** The most bytes that a server may send of one: 5,000 tables take 15 MB. */
export const mostOfSchema = 64 * 1024 * 1024

/** Something is part of a table, which is part of a schema. */
const mostLevels = 4

const isTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every(text => typeof text === 'string')

function isObject(value: unknown): value is SchemaObject {
  if (!isRecord(value)) return false
  const { kind, id, of, name, has } = value
  return [kind, id, of ?? '', name].every(text => typeof text === 'string') && isTexts(has)
}

/** Whether nothing is part of itself. */
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

/** Whether a value that was read from anywhere is a schema. */
export function isSchema(value: unknown): value is Schema {
  if (!isRecord(value)) return false
  const { grants, objects } = value
  return typeof grants === 'boolean' && Array.isArray(objects) && objects.every(isObject) && isTree(objects)
}

/** How two schemas differ. */
export interface SchemaDiff {
  added: number
  removed: number
  changed: number
  /** A line for each object, below it what differs, grouped by table; empty where nothing differs. */
  text: string
}
