/** Rehearses migrations with and without losses of data, and expects exactly the losses. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Outputs, runAsSuperuser, runSql } from '../../support/fork.ts'
import { addDatabase, dropDatabase, shareServer } from '../../support/shared-server.ts'
import { conversions, losses, objectLosses, objects, tables } from './support/losses.ts'
import { rehearseSql } from './support/rehearsed.ts'

let service: Outputs
let databases = 0

/** Larger than the budget of fingerprints, so that sizes come from the statistics. */
const grow = `update pg_class set relpages = 20000 where relkind = 'r' and relnamespace::regnamespace::text like 'case%'`

beforeAll(async () => {
  service = await shareServer()
})
const create = () => addDatabase(service, `losses_${++databases}`)
const drop = (outputs: Outputs) => dropDatabase(service, outputs)

/** The rehearsal of SQL in a database with these objects. */
async function rehearseIn(objects: string, sql: string, superuserObjects = '') {
  const outputs = await create()
  onTestFinished(() => drop(outputs))
  await runSql(outputs, objects)
  await runAsSuperuser(outputs, superuserObjects)
  return (await rehearseSql(outputs, sql)).rehearsal
}

interface Options {
  isLarge?: boolean
  /** The server has no counters of earlier changes, as after a crash. */
  isReset?: boolean
}

/** Statements are attributed by names, so no table name may be part of another one. */
const rename = (sql: string, index: number) => sql.replace(/\b(?:things|events)\w*/g, `$&_${index}_`)

/**
 * The reported effects of each migration, with `harmless` before those without loss. Each migration has its own schema and
 * tables, so that one rehearsal measures all.
 */
async function findLosses(
  migrations: string[],
  { isLarge = false, isReset = false }: Options = {},
): Promise<string[][]> {
  const outputs = await create()
  const filled = migrations.map((sql, index) => {
    const mentioned = Object.entries(tables).filter(([name]) => new RegExp(`\\b${name}`).test(sql))
    const filling = rename(mentioned.map(([, table]) => table).join('\n'), index)
    return `create schema case_${index}; set search_path = case_${index}; ${filling}`
  })
  await runSql(outputs, `${filled.join('\n')} analyze`)
  if (isReset) await runAsSuperuser(outputs, 'select pg_stat_reset()')
  if (isLarge) await runAsSuperuser(outputs, grow)
  const all = migrations.map((sql, index) => `set search_path = case_${index}; ${rename(sql, index)}`)
  const { rehearsal } = await rehearseSql(outputs, all.join(';\n'), { transaction: false })
  await drop(outputs)
  expect(rehearsal.problem).toBeUndefined()
  expect(rehearsal.verdict).not.toBe('not measured')
  return migrations.map((_, index) =>
    rehearsal.effects
      .filter(({ message }) => message.includes(`case_${index}.`))
      .map(({ message, destructive }) => `${destructive ? '' : 'harmless: '}${message}`)
      .map(message => message.replace(`case_${index}.`, '').replace(`_${index}_`, '')),
  )
}

/** The report on the same loss without a fingerprint: `about 300 rows`. An estimate does not prove that nothing is lost. */
const estimate = (text: string) => text.replace('harmless: ', '').replace(/, (\d)/, ', about $1')

describe.each([
  ['with a fingerprint', false],
  ['without one', true],
])('a table %s', (_, isLarge) => {
  const sizeOf = isLarge ? '(about|an unknown)' : '300 values'
  const converted = conversions.map(([action, small, large]) => {
    const loss = new RegExp(`^column things\\.${action.split(' ')[0]} converted .*, ${sizeOf}`)
    const expected = (isLarge ? large : small) ? [expect.stringMatching(loss)] : []
    return [`alter table things alter ${action}`, expected] as const
  })
  const lost = losses.map(
    ([name, sql, small, large = small.map(estimate)]) => [sql, isLarge ? large : small, name] as const,
  )
  const cases = [...converted, ...lost]
  const found: string[][] = []
  beforeAll(async () => {
    const migrations = cases.map(([sql]) => sql)
    // Reading fingerprints stops after 5 seconds. On a busy machine, half of the tables take a fifth of that.
    for (const some of [migrations.slice(0, 40), migrations.slice(40)])
      found.push(...(await findLosses(some, { isLarge })))
  })

  it.each(cases.map(([sql, expected, name = sql], index) => [name, expected, index] as const))(
    '%s',
    (_name, expected, index) => {
      expect(found[index]).toEqual(expected)
    },
  )
})

it('counts without fingerprints and without earlier counters', async () => {
  const cases: [string, string[]][] = [
    ['delete from things where id <= 9', ['9 rows deleted from things']],
    ['begin; delete from things; rollback', []],
    ["begin; update things set name = 'a'; rollback; begin; delete from things; rollback", []],
  ]
  const found = await findLosses(
    cases.map(([sql]) => sql),
    { isLarge: true, isReset: true },
  )
  expect(found).toEqual(cases.map(([, expected]) => expected))
})

it.each(objectLosses)('counts large objects: %s', async (sql, message) => {
  const { effects } = await rehearseIn(objects, sql)
  expect(effects).toMatchObject([{ message, destructive: true }])
})

it('reads a table with the most possible columns', async () => {
  const columns = Array.from({ length: 1590 }, (_, index) => `c${index} int`).join()
  const wide = `create table wide (${columns}); insert into wide (c1589) values (1), (2)`
  const { effects } = await rehearseIn(wide, 'drop table wide')
  expect(effects).toMatchObject([{ message: 'table wide dropped, 2 rows' }])
})

it('names lost objects as SQL identifiers', async () => {
  const table = 'create table "A ""b""" ("c.d" int, e int); insert into "A ""b""" values (1, 2)'
  const { effects } = await rehearseIn(table, 'alter table "A ""b""" drop column "c.d"')
  expect(effects).toMatchObject([{ message: 'column "A ""b"""."c.d" dropped, 1 value' }])
})

it('finds a change between texts that are equal in their collation', async () => {
  const texts = `create collation lax (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table texts (a text collate lax); insert into texts values ('one'), ('Two')`
  const sql = 'alter table texts alter a type text collate lax using upper(a)'
  const { effects } = await rehearseIn(texts, sql)
  expect(effects).toMatchObject([{ message: 'column texts.a converted by USING, 2 values' }])
})

it('reports a dropped foreign table as a loss, since its server may hold the only copy', async () => {
  const foreign = `create foreign data wrapper none; create server tier foreign data wrapper none;
    create foreign table old (id int) server tier; alter foreign table old owner to ${service.user}`
  const { effects } = await rehearseIn('', 'drop foreign table old', foreign)
  expect(effects).toMatchObject([
    { message: 'table old dropped, an unknown number of rows', destructive: true },
  ])
})
