/** Compares two schemas, and describes the differences by table. */
import { describeChange, describeWhole, nameIn } from './describe-object.ts'
import { createTree, type Match, matchObjects, type Tree } from './match-objects.ts'
import { baseName, createRenames } from './renames.ts'
import { type Schema, type SchemaDiff, type SchemaObject, schemaOfExtension } from './schema.ts'

/** The order of kinds in the description, for objects that stand alone and for parts. Other kinds come last. */
const order = [
  'role, extension, schema, type, domain, attribute, function, procedure, aggregate, sequence',
  'table, foreign table, hypertable, dimension, column, constraint, index, trigger, rule, policy',
  'statistics, view, materialized view, continuous aggregate, job',
].flatMap(kinds => kinds.split(', '))

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

interface Difference {
  sign: '+' | '-' | '~'
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

/** A text by which differences are sorted. */
function placeOf(object: SchemaObject, tree: Tree): string {
  const group = groupOf(tree, object)
  const own = group === object ? [] : [rank(object), numberOf(object), object.name]
  const parts = [rank(group), nameIn(tree, group), ...own]
  return parts.map(part => (typeof part === 'number' ? String(part).padStart(5, '0') : part)).join('\0')
}

/** The differences in the order of the description. */
function findDifferences(earlier: Schema, later: Schema): Difference[] {
  const [treeBefore, treeAfter] = [createTree(earlier), createTree(later)]
  const matches = matchObjects(earlier, later)
  const parentsOf = ({ before, after }: Match) => [
    before && treeBefore.parentOf(before),
    after && treeAfter.parentOf(after),
  ]
  const objectsOf = (isWanted: (match: Match) => boolean) =>
    new Set(matches.filter(isWanted).flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))
  /** Objects that only one of the schemas contains. */
  const single = objectsOf(({ before, after }) => !before || !after)
  /** Tables with another parent than before. Their inherited columns are listed with that parent, before or after. */
  const rejoined = objectsOf(
    ({ before, after }) =>
      before !== undefined &&
      after !== undefined &&
      parentNames.some(key => key in before.has !== key in after.has),
  )
  const renames = createRenames(
    matches.flatMap(match => {
      const { before, after } = match
      const [old, now] = parentsOf(match)
      const names: [string, string][] = before && after ? [[baseName(before.name), baseName(after.name)]] : []
      if (old?.kind === 'schema' && now?.kind === 'schema') names.push([old.name, now.name])
      return names
    }),
  )

  function describeName(before: SchemaObject, after: SchemaObject): string[] {
    const [old, now] = parentsOf({ before, after })
    const isMoved = old && now && old.id !== now.id && old.name !== now.name
    const isRenamed =
      before.name !== after.name &&
      (baseName(before.name) !== baseName(after.name) || !renames.isSame(before.name, after.name))
    return [
      ...(isRenamed ? [`renamed to ${after.name}`] : []),
      ...(isMoved && now.kind.startsWith('schema') ? [`moved to schema ${now.name}`] : []),
    ]
  }

  function describeSingle(sign: '+' | '-', object: SchemaObject, tree: Tree): Difference[] {
    const parent = tree.parentOf(object)
    if (object.kind === 'column' && parent && rejoined.has(parent)) return []
    const isPart = parent !== undefined && single.has(parent) && !parent.kind.startsWith('schema')
    // Parts that are dropped with their table are not listed.
    if (isPart && sign === '-') return []
    const { line, below } = describeWhole(sign, object)
    const name = isPart ? object.name : nameIn(tree, object)
    const head = `${sign} ${isPart ? '  ' : ''}${[object.kind, name, line].filter(Boolean).join(' ')}`
    return [{ sign, lines: [head, ...below], isPartOfAdded: isPart }]
  }

  function describePair(before: SchemaObject, after: SchemaObject): Difference[] {
    const change = describeChange(before, after, renames)
    const what = [...describeName(before, after), ...(change ? [change.line] : [])]
    if (what.length === 0) return []
    const head = `~ ${before.kind} ${nameIn(treeBefore, before)}: ${what.join('; ')}`
    return [{ sign: '~', lines: [head, ...(change?.below ?? [])], isPartOfAdded: false }]
  }

  const placed = matches.flatMap(({ before, after }) => {
    const object = after ?? before
    if (object === undefined || object.kind === schemaOfExtension) return []
    const tree = after ? treeAfter : treeBefore
    const differences =
      before && after ? describePair(before, after) : describeSingle(after ? '+' : '-', object, tree)
    return differences.map(difference => ({ difference, place: placeOf(object, tree) }))
  })
  return placed
    .sort((one, other) => (one.place < other.place ? -1 : Number(one.place > other.place)))
    .map(({ difference }) => difference)
}

/**
 * Compares two schemas of the same database, or of a fork and its parent. Ids identify the objects. Rights are compared
 * only if both schemas contain them.
 */
export function compareSchemas(before: Schema, after: Schema): SchemaDiff {
  const withRights = before.grants && after.grants
  const differences = withRights
    ? findDifferences(before, after)
    : findDifferences(withoutRights(before), withoutRights(after))
  const count = (sign: Difference['sign']) =>
    differences.filter(one => one.sign === sign && !one.isPartOfAdded).length
  return {
    added: count('+'),
    removed: count('-'),
    changed: count('~'),
    text: differences.flatMap(({ lines }) => lines).join('\n'),
  }
}
