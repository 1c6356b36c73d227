/** Tables: objects with a row for each name. The compiler knows these names, but `Object.keys` forgets them. */

/** The names of the rows, in their order. */
export const keysOf = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[]

/** The table with more properties in each row. */
export function extendRows<Table extends Record<string, object>, More>(
  table: Table,
  more: (row: Table[keyof Table]) => More,
) {
  const extend = (name: keyof Table) => ({ ...table[name], ...more(table[name]) })
  const rows = Object.keys(table).map(name => [name, extend(name)])
  return Object.fromEntries(rows) as { [Name in keyof Table]: Table[Name] & More }
}
