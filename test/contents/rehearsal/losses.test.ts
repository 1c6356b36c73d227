/** Rehearses migrations that lose data, or seem to, and finds exactly the losses. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Outputs, run, runAsSuperuser } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { conversions, losses, tables } from './support/losses.ts'
import { rehearseSql } from './support/rehearsed.ts'

let service: Outputs
const database = 'one_loss'

/** Beyond the budget of fingerprints: their sizes are those of the statistics. */
const grow = `update pg_class set relpages = 20000 where relkind = 'r' and relnamespace = 'public'::regnamespace`

beforeAll(async () => {
  service = await shareServer()
  await run(service, 'create database losses')
  await run(service, tables, { database: 'losses' })
})
afterEach(() => run(service, `drop database if exists ${database} with (force)`))

interface Options {
  isLarge?: boolean
  /** The server has no counters of earlier changes, as after a crash. */
  isReset?: boolean
  transaction?: boolean
}

/** What is reported; `harmless` stands before an effect that loses nothing. */
async function findLosses(
  sql: string,
  { isLarge = false, isReset = false, transaction = true }: Options = {},
): Promise<string[]> {
  await run(service, `create database ${database} template losses strategy file_copy`)
  if (!isReset) await run(service, 'analyze', { database })
  if (isLarge) await runAsSuperuser(service, grow, database)
  const { rehearsal } = await rehearseSql({ ...service, database }, sql, { transaction })
  expect(rehearsal.verdict, rehearsal.problem).not.toBe('not measured')
  return rehearsal.effects.map(({ message, destructive }) => `${destructive ? '' : 'harmless: '}${message}`)
}

const convert = (action: string) => `alter table things alter ${action}`

describe.each([
  ['with a fingerprint', false],
  ['without one', true],
])('a conversion of a table %s', (_, isLarge) => {
  it.each(conversions)('%s', async (action, small, large) => {
    const found = await findLosses(convert(action), { isLarge })
    const column = action.split(' ')[0]
    const loss = expect.stringMatching(
      new RegExp(`^column things\\.${column} converted .*, ${isLarge ? '(about|an unknown)' : '300 values'}`),
    )
    expect(found).toEqual((isLarge ? large : small) ? [loss] : [])
  })
})

describe.each([
  ['with fingerprints', false],
  ['without them', true],
])('tables %s', (_, isLarge) => {
  it.each(losses)('%s', async (_name, sql, small, large = small) => {
    const expected = isLarge ? large : small
    expect(await findLosses(sql, { isLarge, transaction: false })).toEqual(expected)
  })
})

it.each([
  ['delete from things where id <= 9', ['9 rows deleted from things']],
  ['begin; delete from things; rollback', []],
  ["begin; update things set name = 'a'; rollback; begin; delete from things; rollback", []],
])('counts without fingerprints and without earlier counters: %s', async (sql, expected) => {
  expect(await findLosses(sql, { isLarge: true, isReset: true, transaction: false })).toEqual(expected)
})

it('reads a table with as many columns as a table can have', async () => {
  const columns = Array.from({ length: 1590 }, (_, index) => `c${index} int`).join()
  await run(service, `create database ${database}`)
  await run(service, `create table wide (${columns}); insert into wide (c1589) values (1), (2)`, { database })
  const { rehearsal } = await rehearseSql({ ...service, database }, 'drop table wide')
  expect(rehearsal.effects).toMatchObject([{ message: 'table wide dropped, 2 rows' }])
})

it('finds a change between texts that their collation takes for equal', async () => {
  await run(service, `create database ${database}`)
  const texts = `create collation lax (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table texts (a text collate lax); insert into texts values ('one'), ('Two')`
  await run(service, texts, { database })
  const sql = 'alter table texts alter a type text collate lax using upper(a)'
  const { rehearsal } = await rehearseSql({ ...service, database }, sql)
  expect(rehearsal.effects).toMatchObject([{ message: 'column texts.a converted by USING, 2 values' }])
})

it('takes the drop of a foreign table for a loss: its server may hold the only copy', async () => {
  await run(service, `create database ${database}`)
  const foreign = `create foreign data wrapper none; create server tier foreign data wrapper none;
    create foreign table old (id int) server tier; alter foreign table old owner to ${service.user}`
  await runAsSuperuser(service, foreign, database)
  const { rehearsal } = await rehearseSql({ ...service, database }, 'drop foreign table old')
  expect(rehearsal.effects).toMatchObject([
    { message: 'table old dropped, an unknown number of rows', destructive: true },
  ])
})
