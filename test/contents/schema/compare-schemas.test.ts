/** Tests the diff of two schemas by the cases of text files. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { compareSchemas } from '#contents/schema/compare-schemas'
import type { Schema } from '#contents/schema/schema'
import { connectAsSuperuser, type Outputs, runAsSuperuser } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { createDatabase, diffOf, inTransaction, schemaOf } from './support/databases.ts'

const read = (name: string) => readFileSync(new URL(`support/${name}.sql`, import.meta.url), 'utf8')

/** The cases of a file: a title, statements, and after `-->` the diff. */
function casesOf(name: string) {
  return read(name)
    .trim()
    .split('\n\n')
    .map(block => {
      const [title = '', ...lines] = block.split('\n')
      const isTold = (line: string) => line.startsWith('--> ')
      return {
        title: title.replace('-- ', ''),
        sql: lines.filter(line => !isTold(line)).join('\n'),
        text: lines
          .filter(isTold)
          .map(line => line.slice(4))
          .join('\n'),
      }
    })
}

/** The versions of extensions depend on the server. */
const withoutVersions = (text: string) => text.replace(/version [\d.]+/g, 'version')

let base: Outputs
let superuser: pg.Client
let before: Schema
let withGrants: Schema

beforeAll(async () => {
  base = await createDatabase(await shareServer())
  await runAsSuperuser(base, read('base'))
  superuser = await connectAsSuperuser(base)
  before = await schemaOf(base)
  withGrants = await schemaOf(base, { grants: true })
}, 60_000)
afterAll(() => superuser.end())

describe('the diff contains each change', () => {
  test.for(casesOf('changes'))('$title', async ({ sql, text }) => {
    expect(withoutVersions((await diffOf(superuser, before, sql)).text)).toBe(withoutVersions(text))
  })
  test.for(casesOf('changes-of-rights'))('with rights: $title', async ({ sql, text }) => {
    expect((await diffOf(superuser, withGrants, sql)).text).toBe(text)
  })
})

describe('the diff is empty after', () => {
  test.for([
    [
      'changes of rows, statistics and the position of a sequence',
      "insert into customers values (1, 'a'); select nextval('numbers'); refresh materialized view sums; analyze",
    ],
    ['adding and dropping a column', 'alter table orders add gone int; alter table orders drop gone'],
    ['recreating a column', 'alter table parts drop label; alter table parts add label text'],
    [
      'recreating a table and a view',
      `drop foreign table old_orders; create foreign table old_orders (id bigint) server archive options (name 'orders');
      drop view cheap_orders; create view cheap_orders as select id, price from orders where price < 10`,
    ],
    ['a rename and back', 'alter table orders rename to o; alter table o rename to orders'],
    ['unrequested changes of rights', 'grant select on orders to reader; alter table parts owner to reader'],
    [
      'changes of the counter that PostgreSQL stores in the options of a column',
      `update pg_attribute set attoptions = array['pg_attver=' || attrelid] where attoptions is null and attnum > 0
         and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I'))`,
    ],
    [
      'writing a note',
      "select lo_from_bytea(77, 'note'); comment on large object 77 is 'managed-database-action: preview'",
    ],
  ])('%s', async ([, sql = '']) => {
    expect(await diffOf(superuser, before, sql)).toEqual({ added: 0, removed: 0, changed: 0, text: '' })
  })
})

it('contains no password and no row of a table', async () => {
  const schema = await inTransaction(superuser, async read => {
    await superuser.query("insert into customers values (1, 'row-1')")
    return read({ grants: true })
  })
  const text = JSON.stringify(schema)
  expect(text).toContain('old_orders')
  expect(text).not.toMatch(/secret-\d|row-1/)
})

it('contains a comment on an object of PostgreSQL', async () => {
  const { text } = await diffOf(superuser, before, "comment on schema public is 'ours'")
  expect(text).toMatch(/^~ schema public: comment .*'ours'$/)
})

it('counts a table with its columns as one object', async () => {
  const { added, removed, changed } = await diffOf(
    superuser,
    before,
    'create table one (a int, b int); drop materialized view sums; alter table orders add c int; alter table parts rename to pieces',
  )
  expect({ added, removed, changed }).toEqual({ added: 2, removed: 1, changed: 1 })
})

it('compares rights only if both schemas contain them', () => {
  expect(compareSchemas(before, withGrants).text).toBe('')
})
