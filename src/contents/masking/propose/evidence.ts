/** Collects the evidence for each column from the catalog, the definitions and the measurement. */
import type { Catalog, Column, Table } from '../plan/catalog.ts'
import { needsRules } from '../plan/plan.ts'
import type { Use } from './definitions.ts'
import { dictionary, split, type Topic } from './dictionary.ts'
import type { Evidence } from './facts.ts'
import { columnKey, type Measured } from './measure.ts'
import { affixRemover, isNamed, isTable, normalize, removeTable, toSingular } from './names.ts'

export interface Examined {
  table: Table
  column: Column
  evidence: Evidence
}

export interface Read {
  catalog: Catalog
  uses: readonly Use[]
  measured: ReadonlyMap<string, Measured>
}

function findFixed(table: Table, column: Column, isExcluding: boolean): string | undefined {
  if (column.decidesPart) return 'decides in which partition a row is'
  if (isExcluding) return 'part of an exclusion constraint'
  if (table.elsewhere.length > 0) return 'has rows on another server'
  if (!table.hasOwnerRights) return `belongs to ${table.owner}`
  return column.isAlwaysIdentity ? 'an identity' : undefined
}

/** The tool that needs the values of a column unchanged; undefined if there is none. */
function findTool({ name, columns }: Pick<Table, 'name' | 'columns'>, column: string) {
  const names = new Set(columns.map(one => one.name))
  const fits = ([table, lines]: [string, string[]]) =>
    table === name && split(lines).includes(column) && split(lines).every(one => names.has(one))
  return Object.entries(dictionary.tools).find(([, tables]) => Object.entries(tables).some(fits))?.[0]
}

const unused = { isListed: false, hasCheck: false, hasDefaultText: false }

const keysIn = (constraints: { table: string; columns: string[] }[]) =>
  new Set(constraints.flatMap(({ table, columns }) => columns.map(name => columnKey(table, name))))

const isId = (column: string) => isNamed(normalize(column), 'identifier')
const isAudit = (column: string) => isNamed(normalize(column), 'audit')

const isUsers = ({ name }: Table) => /^users?$/.test(normalize(name))

/** The name of the table in the singular; for a table of translations, the name of the translated table. */
const removeTranslations = ({ name }: Table) => toSingular(normalize(name).replace(/_translations?$/, ''))

/** The tables whose rows are persons or belong to one. Who created a row makes only a record personal, as a message. */
function findPersonal({ tables, foreignKeys }: Catalog): Set<string> {
  const hasUsers = tables.some(isUsers)
  const isPerson = ({ name, columns }: Table) => {
    const hasColumn = (topic: Topic) => columns.some(column => isNamed(normalize(column.name), topic))
    const isReachable = hasColumn('ownEmail') || hasColumn('ownName')
    const table = normalize(name)
    if (isTable(table, 'belongings')) return true
    const isContact =
      hasColumn('ownName') && (hasColumn('ownEmail') || hasColumn('ownPhone') || hasColumn('birth'))
    const isOther = (['records', 'orders', 'institutions'] as const).some(topic => isTable(table, topic))
    if (isContact && !isOther) return true
    // The accounts of an application with users are its customers, which own nearly every row.
    if (hasUsers && /^accounts?$/.test(table)) return isReachable || hasColumn('personName')
    return isTable(table, 'people') ? isReachable || !hasColumn('page') : isReachable && hasColumn('login')
  }
  const people = new Set(tables.filter(isPerson).map(({ id }) => id))
  const records = new Set(
    tables.filter(({ name }) => isTable(normalize(name), 'records')).map(({ id }) => id),
  )
  const isOwner = (table: string, column: string) => records.has(table) || !isAudit(column)
  const owned = foreignKeys.filter(
    ({ table, target, columns }) => people.has(target) && columns.every(column => isOwner(table, column)),
  )
  const others = new Set(
    tables.filter(({ id }) => !people.has(id)).map(({ name }) => toSingular(normalize(name))),
  )
  const isPersonId = (name: string) => isNamed(name, 'personId') && !others.has(name.replace(/_u?u?id$/, ''))
  const named = tables.filter(({ id, columns }) =>
    columns.some(({ name, type }) => type !== 'boolean' && isPersonId(normalize(name)) && isOwner(id, name)),
  )
  const personal = new Set([...people, ...owned.map(({ table }) => table), ...named.map(({ id }) => id)])
  const translated = new Set(tables.filter(({ id }) => personal.has(id)).map(removeTranslations))
  return new Set(
    tables
      .filter(table => personal.has(table.id) || translated.has(removeTranslations(table)))
      .map(({ id }) => id),
  )
}

/** The tables by their names in the singular, whole and without a prefix. */
function nameEntities(tables: readonly Table[]): Map<string, Table[]> {
  const entities = new Map<string, Table[]>()
  for (const table of tables) {
    const name = toSingular(normalize(table.name))
    for (const key of new Set([name, name.replace(/^[^_]+_/, '')]))
      entities.set(key, [...(entities.get(key) ?? []), table])
  }
  return entities
}

const isPeople = ({ name }: Table) => isTable(normalize(name), 'people')

/** Whether a name begins with that of a table: the id of a row, or another property of a thing. */
function isOfEntity(entities: ReadonlyMap<string, Table[]>, table: Table, name: string, column: Column) {
  const named = entities.get(name.replace(/_[a-z]+$/, '')) ?? []
  const others = named.filter(other => other !== table)
  if (!isId(name)) return !isPeople(table) && !others.every(isPeople)
  const idsOf = ({ columns }: Table) =>
    columns.filter(one => /^(?:id|uuid)$/i.test(one.name) || normalize(one.name) === name)
  const isNumber = ({ family }: Column) => family === 'number'
  const fits = (other: Table) => idsOf(other).some(id => isNumber(id) === isNumber(column))
  const isOwn = named.includes(table) && !isPeople(table) && idsOf(table).every(id => id === column)
  return isOwn || others.some(fits)
}

const mostColumnsOfLookup = 4

/** Small tables whose rows other tables name by a code or a name. */
function findLookups({ tables, foreignKeys }: Catalog): Set<string> {
  const isAny = (column: string, topics: readonly Topic[]) =>
    topics.some(topic => isNamed(normalize(column), topic))
  const small = tables.filter(
    ({ name, columns }) =>
      columns.length <= mostColumnsOfLookup &&
      !isTable(normalize(name), 'people') &&
      !columns.some(column => isAny(column.name, ['ownEmail', 'ownPhone', 'ownName', 'identityNumber'])),
  )
  const isCode = (column: string) => isAny(column, ['keyOrCode', 'bareName', 'value', 'property', 'label'])
  const named = new Set(
    foreignKeys
      .filter(({ targetColumns }) => targetColumns.length === 1 && targetColumns.every(isCode))
      .map(({ target }) => target),
  )
  return new Set(small.map(({ id }) => id).filter(id => named.has(id)))
}

/** At least this many tables have an id of this name. */
const fewestOfRowId = 5

/** The names of unique columns of many tables. A list of terms has no secrets. */
function findRowIds(tables: readonly Table[], unique: ReadonlySet<string>, personal: ReadonlySet<string>) {
  const columns = tables.flatMap(table =>
    table.columns.map(({ name }) => ({ name: normalize(name), table, key: columnKey(table.id, name) })),
  )
  const byName = Map.groupBy(
    columns.filter(({ key }) => unique.has(key)),
    ({ name }) => name,
  )
  const isOfTerms = ({ table: { id, name } }: { table: Table }) =>
    !personal.has(id) && isTable(normalize(name), 'vocabulary')
  const found = [...byName].filter(([, all]) => all.length >= fewestOfRowId && all.some(isOfTerms))
  return new Set(found.map(([name]) => name))
}

export function examine({ catalog, uses, measured }: Read): Examined[] {
  const { tables, uniques, foreignKeys } = catalog
  const useOf = new Map(uses.map(use => [columnKey(use.table, use.name), use]))
  const unique = keysIn(uniques.filter(({ isExclusion }) => !isExclusion))
  const excluding = keysIn(uniques.filter(({ isExclusion }) => isExclusion))
  const targets = foreignKeys.map(({ target, targetColumns }) => ({ table: target, columns: targetColumns }))
  const keys = keysIn([...foreignKeys, ...targets])
  const lookups = findLookups(catalog)
  const idKeys = keysIn(foreignKeys.filter(key => lookups.has(key.target) || key.targetColumns.every(isId)))
  const personal = findPersonal(catalog)
  const owning = foreignKeys.filter(({ target, columns }) => personal.has(target) && !columns.every(isAudit))
  const parts = new Set(owning.map(({ table }) => table))
  const entities = nameEntities(tables)
  const rowIds = findRowIds(tables, unique, personal)
  const users = tables.filter(isUsers)
  const hasTextIds = (users.length > 0 ? users : tables.filter(isPeople)).some(({ columns }) =>
    columns.some(({ name, family }) => name === 'id' && family === 'text'),
  )
  return tables.filter(needsRules).flatMap(table => {
    const removeAffix = affixRemover(
      table.columns.map(({ name }) => normalize(name)),
      normalize(table.name),
    )
    const nameOf = ({ name }: Column) => removeTable(removeAffix(normalize(name)), normalize(table.name))
    const names = table.columns.map(nameOf)
    const examineColumn = (column: Column): Examined => {
      const { type, family, holdsText, length } = column
      const key = columnKey(table.id, column.name)
      const name = nameOf(column)
      const evidence = {
        ...(useOf.get(key) ?? unused),
        table: normalize(table.name),
        name,
        type,
        family,
        holdsText,
        length,
        fixed: findFixed(table, column, excluding.has(key)),
        tool: findTool(table, column.name),
        isKey: keys.has(key),
        isReference: idKeys.has(key),
        isOfEntity: isOfEntity(entities, table, name, column),
        isLookup: lookups.has(table.id),
        hasTextIds,
        isUnique: unique.has(key),
        isRowId: unique.has(key) && rowIds.has(normalize(column.name)),
        isPersonal: personal.has(table.id),
        isPart: parts.has(table.id),
        beside: names.filter(other => other !== name),
        measured: measured.get(key),
      }
      return { table, column, evidence }
    }
    return table.columns.filter(({ isGenerated }) => !isGenerated).map(examineColumn)
  })
}
