/** Compares two schemas, and describes the differences by table. */
import { describeChange, describeWhole, nameIn } from './describe-object.ts'
import { type Match, matchObjects, Tree } from './match-objects.ts'
import { baseName, Renames } from './renames.ts'
import { type Schema, type SchemaDiff, type SchemaObject, schemaOfExtension } from './schema.ts'

/** The order of kinds in the description, for objects that stand alone and for parts. Other kinds come last. */
const order = [
  ...[
    'role',
    'extension',
    'schema',
    'type',
    'domain',
    'attribute',
    'function',
    'procedure',
    'aggregate',
    'sequence',
  ],
  ...[
    'table',
    'foreign table',
    'hypertable',
    'dimension',
    'column',
    'constraint',
    'index',
    'trigger',
    'rule',
    'policy',
  ],
  ...['statistics', 'view', 'materialized view', 'continuous aggregate', 'job'],
]

/** Rights are compared only if both schemas contain them. */
const rightsOnly = new Set(['role', 'default privileges'])

function withoutRights({ objects }: Schema): Schema {
  return {
    grants: false,
    objects: objects
      .filter(({ kind }) => !rightsOnly.has(kind))
      .map(({ has: { owner: _, grants: __, ...has }, ...object }) => ({ ...object, has })),
  }
}

const parentNames = ['inherits', 'partition of']

interface Told {
  sign: '+' | '-' | '~'
  place: (string | number)[]
  lines: string[]
  isPartOfAdded: boolean
}

const rank = ({ kind }: SchemaObject) => (order.indexOf(kind) + order.length + 1) % (order.length + 1)

const numberOf = ({ id }: SchemaObject) => Number(id.split('.')[1] ?? 0) || 0

/** The table, view or type under which an object is listed. */
function groupOf(tree: Tree, object: SchemaObject): SchemaObject {
  const parent = tree.parentOf(object)
  return parent === undefined || parent.kind.startsWith('schema') ? object : groupOf(tree, parent)
}

function comparePlaces(one: Told, other: Told): number {
  const index = one.place.findIndex((part, at) => part !== other.place[at])
  const [a, b] = [one.place[index] ?? 0, other.place[index] ?? 0]
  return a < b ? -1 : a > b ? 1 : 0
}

class Comparison {
  readonly #before: Tree
  readonly #after: Tree
  readonly #matches: Match[]
  readonly #renames = new Renames()
  /** Objects that only one of the schemas contains. */
  readonly #single: Set<SchemaObject>

  /** Tables with another parent than before. Their inherited columns are listed with that parent, before or after. */
  readonly #rejoined: Set<SchemaObject>

  constructor(before: Schema, after: Schema) {
    this.#before = new Tree(before)
    this.#after = new Tree(after)
    this.#matches = matchObjects(before, after)
    this.#single = new Set(
      this.#matches
        .flatMap(({ before, after }) => (before && after ? [] : [before, after]))
        .filter(object => object !== undefined),
    )
    this.#rejoined = new Set(
      this.#matches.flatMap(({ before, after }) =>
        before && after && parentNames.some(key => key in before.has !== key in after.has)
          ? [before, after]
          : [],
      ),
    )
    this.#renames.addAll(this.#matches)
    for (const match of this.#matches) {
      const [old, now] = this.#parents(match)
      if (old?.kind === 'schema' && now?.kind === 'schema') this.#renames.add(old.name, now.name)
    }
  }

  #parents({ before, after }: Match): [SchemaObject | undefined, SchemaObject | undefined] {
    return [before && this.#before.parentOf(before), after && this.#after.parentOf(after)]
  }

  #describeName(before: SchemaObject, after: SchemaObject): string[] {
    const [old, now] = this.#parents({ before, after })
    const isMoved = old && now && old.id !== now.id && old.name !== now.name
    const isRenamed =
      before.name !== after.name &&
      (baseName(before.name) !== baseName(after.name) || !this.#renames.isSame(before.name, after.name))
    return [
      ...(isRenamed ? [`renamed to ${after.name}`] : []),
      ...(isMoved && now.kind.startsWith('schema') ? [`moved to schema ${now.name}`] : []),
    ]
  }

  #tellSingle(sign: '+' | '-', object: SchemaObject, tree: Tree): Omit<Told, 'place'>[] {
    const parent = tree.parentOf(object)
    if (object.kind === 'column' && parent && this.#rejoined.has(parent)) return []
    const isPart = parent !== undefined && this.#single.has(parent) && !parent.kind.startsWith('schema')
    // Parts that are dropped with their table are not listed.
    if (isPart && sign === '-') return []
    const { line, below } = describeWhole(sign, object)
    const name = isPart ? object.name : nameIn(tree, object)
    const head = `${sign} ${isPart ? '  ' : ''}${[object.kind, name, line].filter(Boolean).join(' ')}`
    return [{ sign, lines: [head, ...below], isPartOfAdded: isPart }]
  }

  #tellPair(before: SchemaObject, after: SchemaObject): Omit<Told, 'place'>[] {
    const named = this.#describeName(before, after)
    const change = describeChange(before, after, this.#renames)
    const what = [...named, ...(change ? [change.line] : [])]
    if (what.length === 0) return []
    const head = `~ ${before.kind} ${nameIn(this.#before, before)}: ${what.join('; ')}`
    return [{ sign: '~', lines: [head, ...(change?.below ?? [])], isPartOfAdded: false }]
  }

  #tell({ before, after }: Match): Omit<Told, 'place'>[] {
    if (before && after) return this.#tellPair(before, after)
    if (after) return this.#tellSingle('+', after, this.#after)
    return before ? this.#tellSingle('-', before, this.#before) : []
  }

  #placeOf(object: SchemaObject, tree: Tree): Told['place'] {
    const group = groupOf(tree, object)
    return [
      ...[rank(group), nameIn(tree, group), group === object ? 0 : 1],
      ...[rank(object), numberOf(object), object.name],
    ]
  }

  get told(): Told[] {
    const all = this.#matches.flatMap(match => {
      const object = match.after ?? match.before
      if (object === undefined || object.kind === schemaOfExtension) return []
      const place = this.#placeOf(object, match.after ? this.#after : this.#before)
      return this.#tell(match).map(told => ({ ...told, place }))
    })
    return all.sort(comparePlaces)
  }
}

/**
 * Compares two schemas of the same database, or of a fork and its parent. Ids identify the objects. Rights are compared
 * only if both schemas contain them.
 */
export function compareSchemas(before: Schema, after: Schema): SchemaDiff {
  const withRights = before.grants && after.grants
  const { told } = withRights
    ? new Comparison(before, after)
    : new Comparison(withoutRights(before), withoutRights(after))
  const count = (sign: Told['sign']) => told.filter(one => one.sign === sign && !one.isPartOfAdded).length
  return {
    ...{ added: count('+'), removed: count('-'), changed: count('~') },
    text: told.flatMap(({ lines }) => lines).join('\n'),
  }
}
