/** Tests the splitter against PostgreSQL's own parser. */
import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { parseScripts } from '#contents/sql/scripts'
import { placeOf, splitStatements } from '#contents/sql/split-statements'
import { SqlError } from '#contents/sql/sql-error'
import { thoroughness } from '../../support/thoroughness.ts'

beforeAll(loadModule)

const split = (text: string) => splitStatements({ name: 'schema.sql', text })

/** The parser requires some text. A semicolon alone is no statement. */
const parse = (sql: string) => parseSync(`${sql}\n;`).stmts ?? []

/** The statements that the server's parser finds, with their positions in bytes; undefined if it refuses the text. */
function parseAsServer(text: string): { from: number; until: number }[] | undefined {
  try {
    const bytes = Buffer.byteLength(text)
    return parse(text).map(({ stmt_location: from = 0, stmt_len: length }) => ({
      from,
      // The last statement has no length without a semicolon.
      until: length ? from + length : bytes,
    }))
  } catch {
    return undefined
  }
}

/** Parts of SQL that begin, end or hide a statement. */
const pieces = [
  ...String.raw`' '' " "" \ \' $ $$ $a$ $1 $é$ E' e' U&' U&" N' x' b' 0 1 a E e _ U& é 😀`.split(' '),
  ...'-- /* */ / * - + ( ) ; ; , = . : [ ]'.split(' '),
  ...['\n', '\r\n', '\r', '\t', ' ', '\v', '\u00a0', '\ufeff'],
]

/** Statements and parts of statements that the server accepts, with random strings and comments. */
const text = fc
  .array(fc.constantFrom(...pieces, 'begin', 'atomic', 'end', 'case'), { maxLength: 6 })
  .map(all => all.join(''))
const blank = fc.oneof(
  fc.constantFrom(' ', '\n', '\r\n', '\t', '  \n'),
  text.map(inner => `--${inner.replace(/[\n\r]/g, '')}\n`),
  text.map(inner => `/*${inner.replaceAll('*/', '').replaceAll('/*', '')} */`),
  text.map(inner => `/* /*${inner.replaceAll('*/', '').replaceAll('/*', '')} */ ; */`),
)
const tag = fc.constantFrom('', 'a', 'a1', '_', 'é', 'begin')
const value = fc.oneof(
  text.map(inner => `'${inner.replaceAll("'", "''")}'`),
  text.map(inner => `E'${inner.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
  fc
    .tuple(text, text)
    .map(([one, two]) => `E'${one.replace(/['\\]/g, '')}'\n'${two.replace(/['\\]/g, '')}\\';'`),
  fc.tuple(tag, text).map(([name, inner]) => `$${name}$${inner.replaceAll('$', '')}$${name}$`),
  text.map(inner => `"${inner.replace(/["\\]|^$/g, 'x')}"`),
  fc.constantFrom(...String.raw`1 a$$b U&'\0061' x'1f' 1.5e3 (1) x.end begin`.split(' ')),
  fc.constant('case when true then 1 else 2 end'),
)
const select = fc
  .tuple(blank, value, blank, fc.constantFrom('', ' as end', ' as begin', ' as "case"'))
  .map(([before, shown, after, name]) => `select${before} ${shown}${name}${after}`)
const simple = fc.oneof(
  select,
  fc.tuple(select, select).map(([one, two]) => `create rule r as on insert to t do also (${one}; ${two})`),
  fc.constantFrom(
    'begin',
    'end',
    'commit',
    'insert into t values (1)',
    'create table begin (atomic int)',
    '',
  ),
)
const body = fc.array(
  fc.oneof(select, fc.constantFrom('insert into t values (1)', 'select * from begin atomic', 'return 1')),
  { maxLength: 3 },
)
const routine = fc
  .tuple(fc.constantFrom('function', 'procedure'), fc.constantFrom('', 'or replace '), blank, body)
  .map(
    ([kind, replaced, between, statements]) =>
      `create ${replaced}${kind} begin(begin atomic) ${kind === 'function' ? 'returns begin ' : ''}begin${between} atomic ${statements.map(one => `${one};`).join(' ')} end`,
  )
const composition = fc
  .array(fc.tuple(blank, fc.oneof({ weight: 3, arbitrary: simple }, { weight: 1, arbitrary: routine })), {
    maxLength: 6,
  })
  .map(parts => parts.map(([before, one]) => before + one).join(';'))

/** Checks that both split a text in the same way; false if the server refuses it. */
function agree(sql: string): boolean {
  const served = parseAsServer(sql)
  // The splitter refuses more, such as a backslash outside of strings.
  if (served === undefined) return false
  const ours = split(sql)
  expect(ours.map(one => sql.slice(one.offset, one.offset + one.text.length))).toEqual(
    ours.map(one => one.text),
  )
  expect(ours).toHaveLength(served.length)
  const bytes = Buffer.from(sql)
  for (const [index, { offset, text: own }] of ours.entries()) {
    const { from, until } = served[index] as (typeof served)[number]
    const start = Buffer.byteLength(sql.slice(0, offset))
    const end = start + Buffer.byteLength(own)
    expect([from <= start, end <= until]).toEqual([true, true])
    // The server's statements may include surrounding whitespace and comments.
    for (const rest of [bytes.subarray(from, start), bytes.subarray(end, until)])
      expect(parse(rest.toString())).toEqual([])
  }
  return true
}

test('splits compositions of difficult pieces as the server does', () => {
  let accepted = 0
  fc.assert(
    fc.property(composition, sql => {
      if (agree(sql)) accepted++
    }),
    { numRuns: 200 * thoroughness },
  )
  expect(accepted).toBeGreaterThan(120 * thoroughness)
})

test('splits any text of these pieces that the server accepts', () => {
  const any = fc.array(fc.oneof(fc.constantFrom(...pieces, 'select ', 'as ', 'end', 'begin'), value), {
    maxLength: 14,
  })
  fc.assert(
    fc.property(any, parts => void agree(`select ${parts.join('')}`)),
    { numRuns: 300 * thoroughness },
  )
})

test.each([
  ['a doubled quote', "select 'a;''b;'; select 2"],
  ['a word that ends with e before a string', "select bpchare'\\'; select ';'"],
  ['a word that begins with e before a string', "select ea'\\'; select ';'"],
  ['a letter beyond ASCII with dollars behind it', 'select é$$, a$$; select $$;$$'],
  ['a comment that ends with a carriage return', '-- a\rselect 1; select 2'],
  ['CRLF', "select E'a'\r\n'\\';'; -- a\r\nselect 2;\r\n"],
  ['a blank beyond ASCII, which is a letter', 'select 1 \u00a0; select 2'],
  ['a body that is empty', 'create function f() returns int begin atomic end; select 2'],
  [
    'a body within a body',
    'create procedure p() begin atomic create procedure q() begin atomic select 1; end; end; select 2',
  ],
  [
    'a column called END in a body',
    'create procedure p() begin atomic select 1 end; select 2 as end; end; select 2',
  ],
  ['nothing between semicolons', ';;select 1;; ;select 2;/* ; */'],
])('reads %s as the server does', (_, sql) => {
  expect(parseAsServer(sql)).toHaveLength(sql.startsWith('create') && !sql.includes('select 2') ? 1 : 2)
  agree(sql)
})

test('leaves an unclosed string or comment to the server, to the end of the text', () => {
  const open = ["'a; b", '"a; b', '$$a; b', '$a$a; $$ b', '/* a; b', '/* /* */ a; b', "E'a\\'; b", '(a; b']
  for (const end of open)
    expect(split(`select 1; select ${end}`).map(({ text }) => text)).toEqual(['select 1', `select ${end}`])
  expect(split('/* a; b').map(({ text }) => text)).toEqual(['/* a; b'])
})

test('counts the line of each statement, and its column in code points', () => {
  const places = split("select 1;\n  select '😀é'; select 3;\r\n\n/* 😀 */ select\n4").map(
    ({ line, column, offset }) => [line, column, offset],
  )
  expect(places).toEqual([
    [1, 1, 0],
    [2, 3, 12],
    [2, 16, 26],
    [4, 9, 47],
  ])
})

test('returns the place of a statement for its offset', () => {
  fc.assert(
    fc.property(composition, sql => {
      for (const { offset, line, column } of split(sql))
        expect(placeOf(sql, offset)).toEqual({ line, column })
    }),
    { numRuns: 200 },
  )
})

test('returns the first words of a statement', () => {
  const words = split('Create/**/or replace function f() as $$a$$; vacuum (full) t; "commit"; $1').map(one =>
    one.words.join(' '),
  )
  expect(words).toEqual(['CREATE OR REPLACE FUNCTION', 'VACUUM', '', ''])
})

test.each([
  ['select 1;\n\\copy t from x', 'schema.sql:2:1: \\copy is a command of psql, not SQL'],
  ['select 1 \\gexec', 'schema.sql:1:10: \\gexec is a command of psql, not SQL'],
  ["\ncopy t (a, b) from stdin;\n1\t'\\N\n\\.\n", 'schema.sql:2:1: COPY FROM STDIN and COPY TO STDOUT'],
  ['copy binary t from /* */ STDIN with (format csv)', 'schema.sql:1:1: COPY FROM STDIN and COPY TO STDOUT'],
  ['copy (select 1) to stdout', 'schema.sql:1:1: COPY FROM STDIN and COPY TO STDOUT'],
])('refuses %j, which needs a client', (sql, message) => {
  expect(() => split(sql)).toThrow(SqlError)
  expect(() => split(sql)).toThrow(message)
})

test.each([
  ...["select E'\\';'", "select '\\'", '-- \\d\nselect 1', "copy t from '/stdin'"],
  ...['copy (select * from stdin) to program $$x$$', 'select "copy" from stdin'],
])('accepts %j, which needs no client', sql => expect(split(sql)).toHaveLength(1))

test('splits a text of many megabytes in seconds', () => {
  const row = "insert into t values (1, 'a''b', E'\\'', $$;$$); -- ;\n"
  expect(split(row.repeat(100_000))).toHaveLength(100_000)
  expect(split(`select ${"E'a'\n".repeat(100_000)}`)).toHaveLength(1)
  expect(split(`select ${'/*'.repeat(100_000)}`)).toHaveLength(1)
})

test('ends the parsing of a long text at the deadline, and if the step is cancelled', async () => {
  const file = { name: 'a.sql', text: 'select 1;'.repeat(200_000) }
  const parse = (deadline: number, signal: AbortSignal) => {
    let checks = 0
    const limits = { deadline, seam: { now: () => ++checks }, signal }
    return parseScripts([file], { transaction: true, limits })
  }
  await expect(parse(3, new AbortController().signal)).rejects.toThrow('before all SQL was parsed')
  const cancelled = new AbortController()
  setImmediate(() => cancelled.abort(new Error('cancelled')))
  await expect(parse(Number.POSITIVE_INFINITY, cancelled.signal)).rejects.toThrow('cancelled')
})

test.each([
  ['begin; select 1; commit', undefined, 'remove BEGIN and COMMIT'],
  ['select 1; rollback', undefined, 'remove ROLLBACK'],
  ['begin', ', or set x', 'remove BEGIN and COMMIT, or set x'],
])('fits the advice for %j to the input', async (text, alternative, next) => {
  const options = { transaction: true, ...(alternative && { alternative }) }
  await expect(parseScripts([{ name: 'seed.sql', text }], options)).rejects.toMatchObject({ next })
})
