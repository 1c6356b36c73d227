import { describe, expect, test } from 'vitest'
import { planQuery, readStatement } from '#contents/rehearsal/proxy/statements'

describe('how a message is run', () => {
  test.each<[sql: string, status: string, plan: string]>([
    ['ALTER TABLE a ADD b int', 'I', 'measured in a transaction'],
    ['ALTER TABLE a ADD b int', 'T', 'measured'],
    ['ALTER TABLE a ADD b int', 'E', 'as it is'],
    ['/* why */ alter table a add b int; -- done', 'I', 'measured in a transaction'],
    ['(SELECT 1)', 'I', 'measured in a transaction'],
    ['SET x = 1', 'I', 'steers'],
    ['VACUUM a', 'I', 'alone'],
    ['LOCK a', 'I', 'alone'],
    ['CALL p()', 'I', 'alone'],
    ['DO $$ BEGIN COMMIT; END $$', 'I', 'alone'],
    ['DO $$ BEGIN PERFORM 1; END $$', 'I', 'measured in a transaction'],
    ['', 'I', 'as it is'],
    ['-- nothing', 'I', 'as it is'],
    ["SELECT 'open", 'I', 'measured in a transaction'],
    ["ALTER TABLE a ADD b text DEFAULT ';'; SELECT $x$;$x$", 'I', 'measured measured in a transaction'],
    ['VACUUM a; SELECT 1', 'T', 'alone measured'],
    ['SET x = 1; SET y = 1', 'I', 'as it is'],
    ['SET x = 1; DROP TABLE a', 'I', 'steers measured in a transaction'],
    ['BEGIN; DROP TABLE a; COMMIT', 'I', 'steers measured steers'],
    ['BEGIN; DROP TABLE a; COMMIT; BEGIN; DROP TABLE b', 'I', 'steers measured steers steers measured'],
    // In the server, what stands before is in the transaction that begins behind it.
    ['DROP TABLE a; BEGIN; DROP TABLE b; COMMIT', 'I', 'as it is'],
    ['DROP TABLE a; COMMIT; DROP TABLE b', 'I', 'as it is'],
    ['DROP TABLE a; COMMIT', 'T', 'measured steers'],
    ['DROP TABLE a; COMMIT; DROP TABLE b', 'T', 'as it is'],
    ['DROP TABLE a; COMMIT AND CHAIN; DROP TABLE b', 'T', 'measured steers measured'],
    ['DROP TABLE a; SAVEPOINT s; ROLLBACK TO s', 'T', 'measured steers steers'],
    ['DROP TABLE a; SAVEPOINT s', 'I', 'as it is'],
  ])('%j while %s: %s', (sql, status, expected) => {
    const plan = planQuery(Buffer.from(sql), status)
    const kinds = plan?.parts.map(({ kind }) => kind).join(' ')
    expect(plan ? `${kinds}${plan.isWrapped ? ' in a transaction' : ''}` : 'as it is').toBe(expected)
  })

  test('each part is the bytes of its statement, behind so many characters', () => {
    const plan = planQuery(Buffer.from("SELECT '😀é'; /* ü */ SELECT 2;\n"), 'I')
    expect(plan?.parts.map(({ bytes, before }) => [bytes.toString(), before])).toEqual([
      ["SELECT '😀é'", 0],
      ['SELECT 2', 21],
    ])
  })
})

test.each<[sql: string, expected: object]>([
  ['START TRANSACTION', { kind: 'steers', control: 'begins' }],
  ['end', { kind: 'steers', control: 'ends' }],
  ["PREPARE TRANSACTION 'x'", { kind: 'steers', control: 'ends' }],
  ['PREPARE x AS SELECT 1', { kind: 'steers', control: undefined }],
  ['rollback work to s', { kind: 'steers', control: 'within' }],
  ['COPY a FROM STDIN', { kind: 'measured', copies: true }],
  ['DISCARD ALL', { kind: 'steers', forgets: true }],
  ['SELECT 1; SELECT 2', { kind: 'alone', copies: true, forgets: true }],
])('a statement of the extended protocol: %s', (sql, expected) => {
  expect(readStatement(Buffer.from(sql))).toMatchObject(expected)
})
