/** Reads the table and the number of changed rows from a statement and the server's answer. */
import { essenceOf } from '../result/statement-text.ts'
import type { ChangedRows } from '../result/stored.ts'
import type { Catalog, Relation } from './catalog.ts'

const verbs = {
  INSERT: { counter: 'inserted', target: /\bINSERT INTO (\S+)/i },
  UPDATE: { counter: 'updated', target: /\bUPDATE (?:ONLY )?(\S+)/i },
  DELETE: { counter: 'deleted', target: /\bDELETE FROM (?:ONLY )?(\S+)/i },
  MERGE: { counter: 'updated', target: /\bMERGE INTO (?:ONLY )?(\S+)/i },
  COPY: { counter: 'inserted', target: /^COPY ([^\s(]+)(?: \(.*?\))? FROM\b/i },
} as const

const partsOf = (name: string) => name.split('.').map(part => part.replace(/^"(.*)"$/, '$1'))

/** Tables by their names in statements: the full name, or the last part alone if only one table has it. */
export type TablesByName = Map<string, Relation | undefined>

export function tablesByName({ relations }: Catalog): TablesByName {
  const tables = [...relations.values()].filter(({ kind }) => /^[rp]$/.test(kind))
  const byLast = Map.groupBy(tables, ({ name }) => partsOf(name).at(-1) ?? name)
  const similar = [...byLast].map(([name, all]) => [name, all.length === 1 ? all[0] : undefined] as const)
  return new Map([...similar, ...tables.map(one => [partsOf(one.name).join('.'), one] as const)])
}

/** Undefined if the statement changed no row, or the table did not exist before the migration. */
export function readChange(
  tables: TablesByName,
  sql: string,
  tag = '',
): Omit<ChangedRows, 'held'> | undefined {
  const [, word = '', number = ''] = /^(\w+)(?: 0)? (\d+)$/.exec(tag) ?? []
  const verb = Object.entries(verbs).find(([name]) => name === word)?.[1]
  const count = Number(number)
  if (verb === undefined || count === 0) return undefined
  const [, written = ''] = verb.target.exec(essenceOf(sql).replaceAll(' . ', '.')) ?? []
  const parts = partsOf(written.includes('"') ? written : written.toLowerCase())
  const table =
    tables.get(parts.filter(part => part !== 'public').join('.')) ?? tables.get(parts.at(-1) ?? '')
  return table && { table: table.name, inserted: 0, updated: 0, deleted: 0, [verb.counter]: count }
}
