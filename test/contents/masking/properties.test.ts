/** Masks random databases, and each rule alone: no original remains, and constraints hold. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoteText } from '#contents/masking/plan/expressions'
import { MaskFileError } from '#contents/masking/plan/mask-file'
import { findMisfit, leavesOf, type RuleKind, words } from '#contents/masking/plan/rules'
import { proposeFile } from '#contents/masking/propose/propose-file'
import type { Proof } from '#contents/masking/prove/prove'
import { type Outputs, run } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { makeDatabase, mask, opener } from './support/database.ts'

let service: Outputs
beforeAll(async () => {
  service = await shareServer()
})

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
  const constraints = await run(
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
  return { constraints, counts: await run(outputs, counts.join(' UNION ALL ')) }
}

const makeRandom = (random: Random) =>
  makeDatabase(
    service,
    `CREATE TABLE audit (line text); CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN INSERT INTO audit VALUES (OLD::text); RETURN NEW; END $$; ${statementsOf(random)} ANALYZE`,
  )

it('masks random tables with foreign keys, and keeps their rows and constraints', {
  timeout: 120_000 * thoroughness,
}, async () => {
  await fc.assert(
    fc.asyncProperty(tables, async random => {
      const outputs = await makeRandom(random)
      const before = await shapeOf(outputs, random)
      const { proof } = await mask(outputs, await opener(outputs)(proposeFile))
      expect(proof.hits).toEqual([])
      expect(await shapeOf(outputs, random)).toEqual(before)
      expect(await run(outputs, 'SELECT FROM audit')).toEqual([])
      await run(service, `DROP DATABASE ${outputs.database}`)
    }),
    { numRuns: 3 * thoroughness, endOnFailure: true },
  )
})

/** Excludes rules that leave values by design, and rules that do not support texts. */
const forTexts = words.filter(
  kind =>
    leavesOf({ kind }) !== 'all' &&
    findMisfit({ name: 'own', type: 'text', family: 'text', ignoresCase: false, length: null }, { kind }) ===
      undefined,
)

/** The rules that compute the new value from the old one. */
const computed = forTexts.filter(kind => kind !== 'null')

const people = Array.from({ length: 20 }, (_, index) => `lovelace ${index} 47114711${index + 10}`)
const texts = [...people, ...people.slice(0, 1), null]

type Row = { [Kind in RuleKind]?: string | null }

const columnOf = (rows: Row[], kind: RuleKind) => rows.map(row => row[kind] ?? null)

/** Masks a table with one column for each of these rules. */
async function maskTable(rows: Row[]) {
  const columns = forTexts.map(kind => `"${kind}"`)
  const cells = rows.map(row => forTexts.map(kind => (row[kind] == null ? 'null' : quoteText(row[kind]))))
  const outputs = await makeDatabase(
    service,
    `CREATE TABLE one (${columns.map(column => `${column} text`).join()});
     INSERT INTO one VALUES ${cells.map(row => `(${row.join()})`).join()}`,
  )
  const rules = forTexts.map(kind => `"${kind}": ${kind}`)
  const { proof } = await mask(outputs, `public.one: { ${rules.join(', ')} }`)
  const masked: Row[] = await run(outputs, `SELECT ${columns.join()} FROM one`)
  await run(service, `DROP DATABASE ${outputs.database}`)
  return { proof, masked }
}

describe('the rule', () => {
  let first: Row[]
  let second: Row[]
  let proof: Proof
  beforeAll(async () => {
    const given = texts.map(text => Object.fromEntries(forTexts.map(kind => [kind, text])))
    first = (await maskTable(given)).masked
    second = (await maskTable(given)).masked
    // The search uses only values that occur once in a column.
    const distinct = (kind: RuleKind) => [...new Set(columnOf(first, kind))]
    const own = first.map((_, index) =>
      Object.fromEntries(forTexts.map(kind => [kind, distinct(kind)[index] ?? null])),
    )
    proof = (await maskTable(own)).proof
  })

  it.each(forTexts)('%s leaves nothing of a text, and keeps null', kind => {
    const values = columnOf(first, kind)
    expect(values.filter(value => /lovelace|47114711/.test(value ?? ''))).toEqual([])
    expect(values).toContain(null)
  })

  it.each(computed)('%s maps equal texts to equal values, and different texts to several values', kind => {
    const counts = Object.values(Object.groupBy(columnOf(first, kind), value => value ?? ''))
    expect(Math.max(...counts.map(same => same?.length ?? 0))).toBeGreaterThan(1)
    expect(counts.length).toBeGreaterThan(3)
  })

  it.each(computed)('%s depends on the masking key', kind => {
    expect(columnOf(second, kind).toSorted()).not.toEqual(columnOf(first, kind).toSorted())
  })

  it.each(forTexts)('%s passes the search if the originals are values that the rule returns', kind => {
    expect(proof.hits.filter(({ place }) => place === `public.one.${kind}`)).toEqual([])
  })
})

/** Rules that replace proposed ones, and the numbers of their columns. */
const others = fc.array(
  fc.tuple(
    fc.nat(99),
    fc.constantFrom(
      ...words,
      '{ fixed: Ada }',
      "{ fixed: '' }",
      '{ sql: "upper(\'other\')" }',
      '{ sql: "NULL" }',
    ),
  ),
  { minLength: 1, maxLength: 2 },
)

const rowsOf = async (outputs: Outputs, random: Random) =>
  Promise.all(random.map((_, index) => run(outputs, `SELECT * FROM t${index} ORDER BY 1`)))

it('keeps constraints intact with any rules, or changes nothing', {
  timeout: 120_000 * thoroughness,
}, async () => {
  const ends = { masked: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(tables, others, async (random, changes) => {
      const outputs = await makeRandom(random)
      const { constraints } = await shapeOf(outputs, random)
      const before = await rowsOf(outputs, random)
      const lines = (await opener(outputs)(proposeFile)).split('\n')
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
      await run(service, `DROP DATABASE ${outputs.database}`)
    }),
    { numRuns: 8 * thoroughness, endOnFailure: true },
  )
  // With few runs, all may end the same way by chance.
  if (thoroughness > 1) expect(Math.min(ends.masked, ends.refused)).toBeGreaterThan(0)
})
