/** Typed helpers for tables: objects with one row for each name. */

/** A name such as `max_wal` in camel case: `maxWal`. */
export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

export const toCamel = <Name extends string>(name: Name) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>

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
