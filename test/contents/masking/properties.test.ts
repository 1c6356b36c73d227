/** Masks random databases, and each rule alone: no original remains, and constraints hold. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '#base/table'
import type { Element } from '#contents/masking/plan/catalog'
import { MaskFileError } from '#contents/masking/plan/mask-file'
import { rows } from '#contents/masking/plan/rule-table'
import {
  findMisfit,
  keepsDistinct,
  kindsWithArgument,
  kindsWithoutArgument,
  type Rule,
  type RuleKind,
  rowOf,
} from '#contents/masking/plan/rules'
import type { Proof } from '#contents/masking/prove/prove'
import { quoteText } from '#postgres/sql'
import { type Outputs, runSql } from '../../support/fork.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { createDatabase, dropDatabase, mask, parse, propose } from './support/database.ts'

/** The parts of a random table. A reference names an earlier table by a number. */
const tables = fc.array(
  fc.record({
    keyType: fc.constantFrom('text', 'varchar(40)', 'varchar(12)', 'char(36)', 'int'),
    // The referenced table, and whether each row must refer to it.
    refersTo: fc.option(fc.nat(9)),
    isRequired: fc.boolean(),
    action: fc.constantFrom('', 'ON UPDATE CASCADE', 'ON DELETE SET NULL', 'DEFERRABLE INITIALLY DEFERRED'),
    isPartitioned: fc.boolean(),
    hasTrigger: fc.boolean(),
    // A reference to its own table, and by two columns.
    refersToSelf: fc.boolean(),
    hasPair: fc.boolean(),
    extra: fc.constantFrom(
      'email text UNIQUE',
      'name text NOT NULL CHECK (length(name) > 3)',
      'phone varchar(16)',
      'tags text[]',
      'note text, noted text GENERATED ALWAYS AS (upper(note)) STORED',
      'iban text, UNIQUE (iban, key)',
    ),
    rows: fc.integer({ min: 0, max: 40 }),
  }),
  { minLength: 2, maxLength: 5 },
)

type Random = typeof tables extends fc.Arbitrary<infer Value> ? Value : never

/** Adds a reference to the table itself, and a key of two columns to which a later table refers. */
function extraOf(
  { keyType, refersToSelf, hasPair }: Random[number],
  index: number,
  target: number | undefined,
) {
  const self = refersToSelf
    ? [[`, self ${keyType} REFERENCES t${index}`, 'self', keyOf(keyType, index, 'n')]]
    : []
  const pair = hasPair
    ? [
        [
          ', code text, number int, UNIQUE (code, number)',
          'code, number',
          `'Original code ${index}-' || n, n`,
        ],
      ]
    : []
  const reference =
    target === undefined
      ? []
      : [
          [
            `, to_code text, to_number int, FOREIGN KEY (to_code, to_number) REFERENCES t${target} (code, number)`,
            'to_code, to_number',
            `'Original code ${target}-1', 1`,
          ],
        ]
  const all = [...self, ...pair, ...reference]
  return {
    definitions: all.map(([definition]) => definition).join(''),
    names: all.map(([, names]) => `, ${names}`).join(''),
    values: all.map(([, , values]) => `, ${values}`).join(''),
  }
}

const keyOf = (type: string, table: number, row: number | string) =>
  type === 'int'
    ? `${row}`
    : type === 'varchar(12)'
      ? `'K' || ${table} || '-' || ${row}`
      : `'Original key ' || ${table} || '-' || ${row}`

function statementsOf(random: Random): string {
  const plain = random.map(({ isPartitioned, ...table }) => {
    const isDivided = isPartitioned && table.refersTo === null
    return { ...table, isPartitioned: isDivided, hasPair: table.hasPair && !isDivided }
  })
  return plain
    .map((table, index) => {
      const { keyType, refersTo, isRequired, action, isPartitioned, hasTrigger, extra, rows } = table
      const target = refersTo === null || index === 0 ? undefined : refersTo % index
      const type = target === undefined ? 'text' : plain[target]?.keyType
      const many = target === undefined ? 0 : (plain[target]?.rows ?? 0)
      const isNotNull = isRequired && action !== 'ON DELETE SET NULL' ? 'NOT NULL' : ''
      const reference =
        target === undefined
          ? ''
          : `, "to" ${type} ${many === 0 ? '' : isNotNull} REFERENCES t${target} ${action}`
      const [name = ''] = extra.split(' ')
      const value =
        name === 'tags'
          ? "array['Original tag ' || n, 'x']"
          : name === 'phone'
            ? "'+44700' || 100000000 + n"
            : `'Original ${name} ' || n`
      const parts = isPartitioned
        ? `PARTITION BY HASH (key); CREATE TABLE t${index}_0 PARTITION OF t${index} FOR VALUES WITH (MODULUS 2, REMAINDER 0);
           CREATE TABLE t${index}_1 PARTITION OF t${index} FOR VALUES WITH (MODULUS 2, REMAINDER 1);`
        : ';'
      const unique = isPartitioned
        ? extra.replace('email text UNIQUE', 'email text, UNIQUE (email, key)')
        : extra
      const isPaired = target !== undefined && many > 0 && plain[target]?.hasPair
      const more = extraOf(table, index, isPaired ? target : undefined)
      return `CREATE TABLE t${index} (key ${keyType} PRIMARY KEY, ${unique}${reference}${more.definitions}) ${parts}
        INSERT INTO t${index} (key, ${name}${target === undefined ? '' : ', "to"'}${more.names}) SELECT ${keyOf(keyType, index, 'n')}, ${value}
          ${target === undefined ? '' : many === 0 ? ', NULL' : `, ${keyOf(type ?? '', target, `(n % ${many} + 1)`)}`}${more.values} FROM generate_series(1, ${rows}) AS n;
        ${hasTrigger ? `CREATE TRIGGER audit AFTER UPDATE ON t${index} FOR EACH ROW EXECUTE FUNCTION keep_old();` : ''}`
    })
    .join('\n')
}

/** The properties that masking preserves: constraints, triggers, and the number of rows with a valid reference. */
async function shapeOf(outputs: Outputs, random: Random) {
  const constraints = await runSql(
    outputs,
    `SELECT conrelid::regclass::text AS of, conname AS name, convalidated AS valid, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled = 'O', '' FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 4`,
  )
  const counts = random.map(({ refersTo }, index) => {
    const target = refersTo === null || index === 0 ? undefined : refersTo % index
    const joined =
      target === undefined
        ? 'NULL::bigint'
        : `(SELECT count(*) FROM t${index} JOIN t${target} ON t${index}."to" = t${target}.key)`
    return `SELECT ${index}, (SELECT count(*) FROM t${index}), ${joined}`
  })
  return { constraints, counts: await runSql(outputs, counts.join(' UNION ALL ')) }
}

const createRandom = (random: Random) =>
  createDatabase(`CREATE TABLE audit (line text); CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN INSERT INTO audit VALUES (OLD::text); RETURN NEW; END $$; ${statementsOf(random)} ANALYZE`)

it('masks random tables with foreign keys, and keeps their rows and constraints', {
  timeout: 120_000 * thoroughness,
}, async () => {
  await fc.assert(
    fc.asyncProperty(tables, async random => {
      const outputs = await createRandom(random)
      const before = await shapeOf(outputs, random)
      const { proof } = await mask(outputs, await propose(outputs))
      expect(proof.hits).toEqual([])
      expect(await shapeOf(outputs, random)).toEqual(before)
      expect(await runSql(outputs, 'SELECT FROM audit')).toEqual([])
      await dropDatabase(outputs)
    }),
    { numRuns: 2 * thoroughness, endOnFailure: true },
  )
})

const examplesOf = (kind: RuleKind) =>
  (rowOf(kind).argument?.examples ?? []).map(example => `{ ${kind}: ${example} }`)

/** The rules that have an argument, with their first example. */
const firstExamples = kindsWithArgument.map(kind => {
  const rule = examplesOf(kind)[0] ?? kind
  const [column] = parse(`public.one: { a: ${rule} }`).tables[0]?.columns ?? []
  return { kind, rule, argument: column?.rule.argument }
})

type Sample = [type: string, sampleOf: (n: number) => string]

/** Different values of each type. */
const samples: Record<Element, Sample | undefined> = {
  text: ['text', n => `lovelace ${n} 471147110${n}`],
  bytes: ['bytea', n => `\\x471147110${n % 10}${'ab'.repeat(n + 1)}`],
  ip: ['inet', n => `10.47.11.${n}`],
  uuid: ['uuid', n => `47114711-4711-4711-8711-${471147110000 + n}`],
  number: ['numeric(9,6)', n => `${47 + n}.114711`],
  date: ['date', n => `${1950 + 3 * n}-05-12`],
  point: ['point', n => `(${47 + n},11.47)`],
  json: ['jsonb', n => `{"a": "lovelace ${n} 471147110${n}"}`],
  geometry: undefined, // PostGIS is not installed.
  geography: undefined,
}

const isFor = (rule: Rule, family: Element, type: string, length: number | null = null) =>
  rowOf(rule.kind).leaves !== 'all' &&
  findMisfit({ name: 'own', type, family, ignoresCase: false, length }, rule) === undefined

const isAny = (kind: RuleKind) => 'any' in rows[kind].value

/** The rules of one word, and the others with their first example unless that is the whole value. */
const rules = [
  ...kindsWithoutArgument.map(kind => ({ kind, rule: kind as string, argument: undefined })),
  ...firstExamples.filter(({ kind }) => !isAny(kind)),
]

it('only two rules may leave any original', () => {
  expect(keysOf(rows).filter(kind => rowOf(kind).leaves === 'all')).toEqual(['keep', 'shuffle'])
})

/** A column for each rule and each type that it supports. Rules that leave values by design are excluded. */
const columns = keysOf(samples).flatMap(family => {
  const [type, sampleOf] = samples[family] ?? ['', String]
  const own = samples[family] ? rules.filter(one => isFor(one, family, type)) : []
  return own.map(one => ({ ...one, type, sampleOf, name: `${one.kind}_${family}` }))
})
const names = columns.map(({ name }) => name)

/** Those of rules that compute the new value from the old one. */
const computed = columns.filter(({ kind }) => !isAny(kind)).map(({ name }) => name)

type TextKind = {
  [Kind in RuleKind]: (typeof rows)[Kind]['value'] extends { text: unknown } ? Kind : never
}[RuleKind]

/** The form of the new texts for the samples. */
const forms: Record<TextKind, RegExp> = {
  email: /^[0-9a-f]{20}@masked\.example$/,
  url: /^https:\/\/masked\.example\/[0-9a-f]{20}$/,
  phone: /^\+999\d{11}$/,
  name: /^[A-Z][a-z]{5} [A-Z][a-z]{5}$/,
  hash: /^[0-9a-f]{32}$/,
  digits: /^[a-z]{8} \d{1,2} \d{10,11}$/,
  text: /^[0-9a-f]{21,23}$/,
  token: /^[a-z]{8} \d{1,2} \d{10,11}$/,
  ip: /^2[45]\d(\.\d{1,3}){3}$/,
  ip6: /^2001:db8(:[0-9a-f]{1,4}){6}$/,
  location: /^[0-9a-f]{21,23}$/,
  json: /^[0-9a-f]{21,23}$/,
}

const sized = columns.filter(({ kind, type }) => type === 'text' && rowOf(kind).neededRoom !== null)

type Row = Record<string, string | null>

const numbers = Array.from({ length: 20 }, (_, index) => index)
const different = numbers.map(n =>
  Object.fromEntries(columns.map(({ name, sampleOf }) => [name, sampleOf(n)])),
)
const given: Row[] = [
  ...different,
  ...different.slice(0, 1),
  Object.fromEntries(columns.map(({ name, type }) => [name, type === 'text' ? '' : null])),
  Object.fromEntries(names.map(name => [name, null])),
]

/** Masks a table with these rows. Returns the rows before and after as text. */
async function maskTable(rows: Row[]) {
  const cells = rows.map((row, id) => [
    id,
    ...names.map(name => (row[name] == null ? 'null' : quoteText(row[name]))),
  ])
  const outputs = await createDatabase(`
       CREATE TABLE one (id int, ${columns.map(({ name, type }) => `"${name}" ${type}`).join()});
     INSERT INTO one VALUES ${cells.map(row => `(${row.join()})`).join()}`)
  const read = `SELECT ${names.map(name => `"${name}"::text`).join()} FROM one ORDER BY id`
  const before: Row[] = await runSql(outputs, read)
  const lines = columns.map(({ name, rule }) => `"${name}": ${rule}`)
  const { proof } = await mask(outputs, `public.one: { ${lines.join(', ')} }`)
  const after: Row[] = await runSql(outputs, read)
  await dropDatabase(outputs)
  return { proof, before, after }
}

describe('the rule of', () => {
  let before: Row[]
  let first: Row[]
  let second: Row[]
  let proof: Proof
  beforeAll(async () => {
    ;({ before, after: first } = await maskTable(given))
    second = (await maskTable(given)).after
    // The search uses only values that occur once in a column.
    const distinct = (name: string) => [...new Set(first.map(row => row[name] ?? null))]
    const own = first.map((_, index) =>
      Object.fromEntries(names.map(name => [name, distinct(name)[index] ?? null])),
    )
    proof = (await maskTable(own)).proof
  })

  it.each(columns)('$name leaves no original, and keeps null as its row says', ({ name, kind }) => {
    const originals = new Set<unknown>(before.flatMap(row => row[name] || []))
    const values = first.map(row => row[name])
    expect(values.filter(value => originals.has(value) || /lovelace|47114711/.test(String(value)))).toEqual(
      [],
    )
    expect(values.at(-1) === null).toBe(rowOf(kind).keepsNull)
  })

  it.each(computed)('%s maps equal values to equal ones, and different values to several', name => {
    expect(first[different.length]?.[name]).toBe(first[0]?.[name])
    expect(new Set(first.map(row => row[name])).size).toBeGreaterThan(4)
  })

  it.each(keysOf(forms))('%s returns texts of its form, and keeps the empty one', kind => {
    const values = first.map(row => row[`${kind}_text`])
    expect(values.filter(value => value != null && !forms[kind].test(value))).toEqual([''])
  })

  it.each(sized)('$name has room for its new values in neededRoom', ({ name, kind, argument = '' }) => {
    const longest = Math.max(...first.map(row => row[name]?.length ?? 0))
    expect(longest).toBeLessThanOrEqual(rowOf(kind).neededRoom?.(argument) ?? 0)
  })

  it.each(computed)('%s depends on the masking key', name => {
    expect(second.map(row => row[name])).not.toEqual(first.map(row => row[name]))
  })

  it.each(names)('%s passes the search if the originals are values that the rule returns', name => {
    expect(proof.hits.filter(({ place }) => place === `public.one.${name}`)).toEqual([])
  })
})

it('gives a row without a value the new value of each rule for any value', async () => {
  const forAny = firstExamples.filter(({ kind }) => isAny(kind))
  const outputs = await createDatabase(
    `CREATE TABLE one (${forAny.map(({ kind }) => `${kind} text`).join()}); INSERT INTO one DEFAULT VALUES`,
  )
  await mask(outputs, `public.one: { ${forAny.map(({ kind, rule }) => `${kind}: ${rule}`).join(', ')} }`)
  const [row] = await runSql(outputs, 'SELECT * FROM one')
  expect(Object.keys(row)).toEqual(forAny.map(({ kind }) => kind))
  expect(Object.values(row)).not.toContain(null)
})

/** A unique column for each rule that promises different values at this length. */
const unique = [3, 16, 50].flatMap(length => {
  const type = `varchar(${length})`
  const distinct = rules.filter(one => isFor(one, 'text', type, length) && keepsDistinct(one.kind, length))
  return distinct.map(one => ({ ...one, type, name: `${one.kind}_${length}` }))
})

it('keeps 1,000 short texts different in unique columns', async () => {
  const value = "lpad(n::text, 3, '0')"
  const outputs = await createDatabase(`
       CREATE TABLE one (${unique.map(({ name, type }) => `${name} ${type} UNIQUE`).join()});
     INSERT INTO one SELECT ${unique.map(() => value).join()} FROM generate_series(0, 999) AS n`)
  await mask(outputs, `public.one: { ${unique.map(({ name, rule }) => `${name}: ${rule}`).join(', ')} }`)
  const [row] = await runSql(
    outputs,
    `SELECT ${unique.map(({ name }) => `bool_or(${name} ~ '^[0-9]{3}$') AS ${name}`).join()} FROM one`,
  )
  const met = new Set(unique.flatMap(({ name, kind }) => (row[name] ? [kind] : [])))
  const expected = new Set(rules.flatMap(({ kind }) => (rowOf(kind).canCollide ? [kind] : [])))
  expect(met, 'the rules that return values of other rows are those with canCollide').toEqual(expected)
})

/** Rules that replace proposed ones, and the numbers of their columns. */
const others = fc.array(
  fc.tuple(fc.nat(99), fc.constantFrom(...kindsWithoutArgument, ...kindsWithArgument.flatMap(examplesOf))),
  { minLength: 1, maxLength: 2 },
)

const rowsOf = async (outputs: Outputs, random: Random) =>
  Promise.all(random.map((_, index) => runSql(outputs, `SELECT * FROM t${index} ORDER BY 1`)))

it('keeps constraints intact with any rules, or changes nothing', {
  timeout: 120_000 * thoroughness,
}, async () => {
  const ends = { masked: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(tables, others, async (random, changes) => {
      const outputs = await createRandom(random)
      const { constraints } = await shapeOf(outputs, random)
      const before = await rowsOf(outputs, random)
      const lines = (await propose(outputs)).split('\n')
      const ruled = lines.flatMap((line, at) => (/^ {2}\w+: .* # /.test(line) ? [at] : []))
      for (const [number, rule] of changes) {
        const at = ruled[number % ruled.length] ?? 0
        lines[at] = lines[at]?.replace(/: .* # /, `: ${rule} # `) ?? ''
      }
      const failure = await mask(outputs, lines.join('\n')).then(
        () => undefined,
        error => error as Error,
      )
      ends[failure ? 'refused' : 'masked']++
      const after = await rowsOf(outputs, random)
      if (failure) {
        if (!(failure instanceof MaskFileError)) expect(failure.message).toContain(' fails: ')
        expect(after).toEqual(before)
      }
      expect(after.map(({ length }) => length)).toEqual(before.map(({ length }) => length))
      expect((await shapeOf(outputs, random)).constraints).toEqual(constraints)
      await dropDatabase(outputs)
    }),
    { numRuns: 4 * thoroughness, endOnFailure: true },
  )
  // With few runs, all may end the same way by chance.
  if (thoroughness > 1) expect(Math.min(ends.masked, ends.refused)).toBeGreaterThan(0)
})
