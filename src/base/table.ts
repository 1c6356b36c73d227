/** Typed helpers for tables: objects with one row for each name. */

/** The names of the rows, in order. `Object.keys` alone loses their type. */
export const keysOf = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[]

/** Adds properties to each row. */
export function extendRows<Table extends Record<string, object>, More>(
  table: Table,
  more: (row: Table[keyof Table]) => More,
) {
  const extend = (name: keyof Table) => ({ ...table[name], ...more(table[name]) })
  const rows = Object.keys(table).map(name => [name, extend(name)])
  return Object.fromEntries(rows) as { [Name in keyof Table]: Table[Name] & More }
}
