/** Collects the evidence for each column from the catalog, the definitions and the measurement. */

import { keysOf } from '#base/table'
import type { Catalog, Column, Table } from '../plan/catalog.ts'
import { needsRules } from '../plan/planned.ts'
import type { Use } from './definitions.ts'
import type { Evidence } from './facts.ts'
import { findTool } from './known-tables.ts'
import { columnKey, type Measured } from './measure.ts'
import { isNamed, isPersonId, isTable, normalize, type Topic } from './names.ts'
import { columnWords } from './words.ts'

export interface Examined {
  table: Table
  column: Column
  evidence: Evidence
  hasCheck: boolean
}

export interface Read {
  catalog: Catalog
  uses: readonly (Use & { table: string; name: string })[]
  measured: ReadonlyMap<string, Measured>
}

const topicsBeside: readonly Topic[] = keysOf(columnWords)

function findFixed(table: Table, column: Column, isExcluding: boolean): string | undefined {
  if (column.decidesPart) return 'decides in which partition a row is'
  if (isExcluding) return 'part of an exclusion constraint'
  if (table.elsewhere.length > 0) return 'has rows on another server'
  if (!table.hasOwnerRights) return `belongs to ${table.owner}`
  return column.isAlwaysIdentity ? 'an identity' : undefined
}

export function examine({ catalog, uses, measured }: Read): Examined[] {
  const useOf = new Map(uses.map(use => [columnKey(use.table, use.name), use]))
  const unique = new Set<string>()
  const excluding = new Set<string>()
  for (const { table, columns, isExclusion } of catalog.uniques)
    for (const column of columns) (isExclusion ? excluding : unique).add(columnKey(table, column))
  const keys = new Set<string>()
  for (const key of catalog.foreignKeys) {
    for (const column of key.columns) keys.add(columnKey(key.table, column))
    for (const column of key.targetColumns) keys.add(columnKey(key.target, column))
  }
  const people = new Set(
    catalog.tables.filter(({ name }) => isTable(normalize(name), 'people')).map(({ id }) => id),
  )
  // Who created a row does not make it personal.
  const personal = new Set(
    catalog.foreignKeys
      .filter(
        ({ target, columns }) =>
          people.has(target) && !columns.some(name => isNamed(normalize(name), 'audit')),
      )
      .map(({ table }) => table),
  )
  return catalog.tables.filter(needsRules).flatMap(table => {
    const names = table.columns.map(({ name }) => normalize(name))
    const isPersonal =
      people.has(table.id) ||
      personal.has(table.id) ||
      names.some(name => isPersonId(name) && !isNamed(name, 'audit'))
    return table.columns
      .filter(({ isGenerated }) => !isGenerated)
      .map((column): Examined => {
        const key = columnKey(table.id, column.name)
        const use = useOf.get(key)
        const own = normalize(column.name)
        return {
          table,
          column,
          hasCheck: use?.hasCheck === true && !use.isListed,
          evidence: {
            name: own,
            table: normalize(table.name),
            type: column.type,
            family: column.family,
            holdsText: column.holdsText,
            fixed: findFixed(table, column, excluding.has(key)),
            tool: findTool(table, column.name),
            isListed: use?.isListed === true,
            hasDefaultText: use?.hasDefaultText === true,
            isTiny: (column.length ?? 4) <= 3,
            isKey: keys.has(key),
            isUnique: unique.has(key),
            isPersonal,
            beside: new Set(
              topicsBeside.filter(topic => names.some(name => name !== own && isNamed(name, topic))),
            ),
            measured: measured.get(key),
          },
        }
      })
  })
}
