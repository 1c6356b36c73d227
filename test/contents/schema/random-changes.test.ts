/** Tests the diff with random changes of a schema. */
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareSchemas } from '#contents/schema/compare-schemas'
import { connectTo } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { inTransaction } from './support/databases.ts'

let owner: pg.Client
beforeAll(async () => {
  owner = await connectTo(await shareServer())
})
afterAll(() => owner.end())

type Column = { type: string; isRequired: boolean; default: number | null; isIndexed: boolean }
type Tables = Record<string, Record<string, Column>>

const column = fc.record<Column>({
  type: fc.constantFrom('integer', 'bigint', 'numeric(10,2)'),
  isRequired: fc.boolean(),
  default: fc.option(fc.integer({ min: 0, max: 3 })),
  isIndexed: fc.boolean(),
})
const tables = fc.dictionary(
  fc.constantFrom('a', 'B"c', "d'e", '$f `g`'),
  fc.dictionary(fc.constantFrom('one', 'Two', 'thr"ee', '/*four'), column, { maxKeys: 3 }),
  { maxKeys: 3 },
)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const indexOf = (table: string, name: string) => quoted(`${table} by ${name}`)

const renderColumn = (name: string, { type, isRequired, default: value }: Column) =>
  [quoted(name), type, isRequired ? 'not null' : '', value === null ? '' : `default ${value}`].join(' ')

const createIndex = (table: string, name: string) =>
  `create index ${indexOf(table, name)} on ${quoted(table)} (${quoted(name)})`

/** Statements that create a table, at once or column by column. */
function create(table: string, columns: Record<string, Column>): string[] {
  return [
    `create table ${quoted(table)} ()`,
    ...Object.entries(columns).map(
      ([name, one]) => `alter table ${quoted(table)} add ${renderColumn(name, one)}`,
    ),
    ...Object.entries(columns).flatMap(([name, one]) => (one.isIndexed ? [createIndex(table, name)] : [])),
  ]
}

/** Statements that change one column or table to the desired state. */
function alter(table: string, name: string, old: Column, now: Column): string[] {
  const at = `alter table ${quoted(table)} alter ${quoted(name)}`
  return [
    ...(old.type === now.type ? [] : [`${at} type ${now.type}`]),
    ...(old.isRequired === now.isRequired ? [] : [`${at} ${now.isRequired ? 'set' : 'drop'} not null`]),
    ...(old.default === now.default
      ? []
      : [`${at} ${now.default === null ? 'drop default' : `set default ${now.default}`}`]),
    ...(old.isIndexed === now.isIndexed
      ? []
      : [now.isIndexed ? createIndex(table, name) : `drop index ${indexOf(table, name)}`]),
  ]
}

function change(old: Tables, now: Tables): string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.flatMap(table => {
    const [before, after] = [old[table], now[table]]
    if (after === undefined) return [`drop table ${quoted(table)}`]
    if (before === undefined) return create(table, after)
    const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return columns.flatMap(name => {
      const [one, other] = [before[name], after[name]]
      if (other === undefined) return [`alter table ${quoted(table)} drop ${quoted(name)}`]
      if (one !== undefined) return alter(table, name, one, other)
      const added = `alter table ${quoted(table)} add ${renderColumn(name, other)}`
      return other.isIndexed ? [added, createIndex(table, name)] : [added]
    })
  })
}

/** Removes the order of creation. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, inner]) => [key, sorted(inner)])
    : value

it('returns an empty diff only for equal schemas, and after reverting the changes', {
  timeout: 120_000 * thoroughness,
}, async () => {
  await fc.assert(
    fc.asyncProperty(tables, tables, async (first, second) => {
      const statements = change(first, second)
      const areEqual = JSON.stringify(sorted(first)) === JSON.stringify(sorted(second))
      expect(statements.length === 0).toBe(areEqual)
      await inTransaction(owner, async read => {
        await owner.query(change({}, first).join(';'))
        const before = await read()
        await owner.query(statements.join(';'))
        expect(compareSchemas(before, await read()).text === '').toBe(areEqual)
        await owner.query(change(second, first).join(';'))
        expect(compareSchemas(before, await read()).text).toBe('')
      })
    }),
    { numRuns: 6 * thoroughness },
  )
})
