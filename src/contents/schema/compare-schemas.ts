/** Compares two schemas, and describes the differences by table. */
import { describeChange, describeWhole, renderFullName } from './describe-object.ts'
import { createTree, type Match, matchObjects, type Tree } from './match-objects.ts'
import { baseName, ignoreRenames } from './renames.ts'
import { type Schema, type SchemaDiff, type SchemaObject, schemaOfExtension } from './schema.ts'

/** The order of kinds in the description, for objects that stand alone and for parts. Other kinds come last. */
const kindOrder = [
  'role, extension, schema, type, domain, attribute, function, procedure, aggregate, sequence',
  'table, foreign table, hypertable, dimension, column, constraint, index, trigger, rule, policy',
  'statistics, view, materialized view, continuous aggregate, job',
].flatMap(kinds => kinds.split(', '))

/** Kinds of objects that only describe rights. */
const rightsKinds = new Set(['role', 'default privileges'])

function withoutRights({ objects }: Schema): Schema {
  return {
    grants: false,
    objects: objects
      .filter(({ kind }) => !rightsKinds.has(kind))
      .map(({ has: { owner: _, grants: __, ...has }, ...object }) => ({ ...object, has })),
  }
}

/** The properties that name the parents of a table. */
const parentProperties = ['inherits', 'partition of']

interface Difference {
  sign: '+' | '-' | '~'
  lines: string[]
  /** A part of an added table, such as a column. It does not count as a difference of its own. */
  isPartOfAdded: boolean
}

function rankOf({ kind }: SchemaObject): number {
  const index = kindOrder.indexOf(kind)
  return index < 0 ? kindOrder.length : index
}

/** The number of a column; 0 for other objects. */
const numberOf = ({ id }: SchemaObject) => Number(id.split('.')[1] ?? 0) || 0

/** The table, view or type under which an object is listed. */
function groupOf(tree: Tree, object: SchemaObject): SchemaObject {
  const parent = tree.parentOf(object)
  return parent === undefined || parent.kind.startsWith('schema') ? object : groupOf(tree, parent)
}

/** A text by which differences are sorted. */
function sortKeyOf(object: SchemaObject, tree: Tree): string {
  const group = groupOf(tree, object)
  const own = group === object ? [] : [rankOf(object), numberOf(object), object.name]
  const parts = [rankOf(group), renderFullName(tree, group), ...own]
  return parts.map(part => (typeof part === 'number' ? String(part).padStart(5, '0') : part)).join('\0')
}

/** Orders texts by their UTF-16 units, so that the order depends on no locale. */
function compareTexts(first: string, second: string): number {
  if (first < second) return -1
  return first > second ? 1 : 0
}

/** The differences in the order of the description. */
function findDifferences(earlier: Schema, later: Schema): Difference[] {
  const [treeBefore, treeAfter] = [createTree(earlier), createTree(later)]
  const matches = matchObjects(earlier, later)
  const parentsOf = ({ before, after }: Match) => [
    before && treeBefore.parentOf(before),
    after && treeAfter.parentOf(after),
  ]
  /** The objects of both schemas in the matches that fulfill a condition. */
  function findObjects(fulfills: (match: Match) => boolean): Set<SchemaObject> {
    const objects = matches.filter(fulfills).flatMap(({ before, after }) => [before, after])
    return new Set(objects.filter(object => object !== undefined))
  }
  /** Objects that only one of the schemas contains. */
  const unmatched = findObjects(({ before, after }) => before === undefined || after === undefined)
  /** Tables that got or lost a parent. Their inherited columns are listed only with the parent. */
  const attachedOrDetached = findObjects(
    ({ before, after }) =>
      before !== undefined &&
      after !== undefined &&
      parentProperties.some(key => key in before.has !== key in after.has),
  )
  const isSame = ignoreRenames(
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
    const changes: string[] = []
    // The name of a function contains its types. A renamed type alone does not rename the function.
    const isRenamed =
      before.name !== after.name &&
      (baseName(before.name) !== baseName(after.name) || !isSame(before.name, after.name))
    if (isRenamed) changes.push(`renamed to ${after.name}`)
    const isMoved = old && now && old.id !== now.id && old.name !== now.name
    if (isMoved && now.kind.startsWith('schema')) changes.push(`moved to schema ${now.name}`)
    return changes
  }

  function describeUnmatched(sign: '+' | '-', object: SchemaObject, tree: Tree): Difference[] {
    const parent = tree.parentOf(object)
    if (object.kind === 'column' && parent && attachedOrDetached.has(parent)) return []
    const isPart = parent !== undefined && unmatched.has(parent) && !parent.kind.startsWith('schema')
    // Parts that are dropped with their table are not listed.
    if (isPart && sign === '-') return []
    const { line, below } = describeWhole(sign, object)
    const name = isPart ? object.name : renderFullName(tree, object)
    const head = `${sign} ${isPart ? '  ' : ''}${[object.kind, name, line].filter(Boolean).join(' ')}`
    return [{ sign, lines: [head, ...below], isPartOfAdded: isPart }]
  }

  function describePair(before: SchemaObject, after: SchemaObject): Difference[] {
    const change = describeChange(before, after, isSame)
    const changes = describeName(before, after)
    if (change !== undefined) changes.push(change.line)
    if (changes.length === 0) return []
    const head = `~ ${before.kind} ${renderFullName(treeBefore, before)}: ${changes.join('; ')}`
    return [{ sign: '~', lines: [head, ...(change?.below ?? [])], isPartOfAdded: false }]
  }

  const sortable = matches.flatMap(({ before, after }) => {
    const object = after ?? before
    if (object === undefined || object.kind === schemaOfExtension) return []
    const tree = after ? treeAfter : treeBefore
    const differences =
      before && after ? describePair(before, after) : describeUnmatched(after ? '+' : '-', object, tree)
    return differences.map(difference => ({ difference, key: sortKeyOf(object, tree) }))
  })
  return sortable
    .sort((first, second) => compareTexts(first.key, second.key))
    .map(({ difference }) => difference)
}

/** Compares the schemas of a database, or of a fork and its parent. Rights are compared if both contain them. */
export function compareSchemas(before: Schema, after: Schema): SchemaDiff {
  const withRights = before.grants && after.grants
  const differences = withRights
    ? findDifferences(before, after)
    : findDifferences(withoutRights(before), withoutRights(after))
  const count = (sign: Difference['sign']) =>
    differences.filter(difference => difference.sign === sign && !difference.isPartOfAdded).length
  return {
    added: count('+'),
    removed: count('-'),
    changed: count('~'),
    text: differences.flatMap(({ lines }) => lines).join('\n'),
  }
}
