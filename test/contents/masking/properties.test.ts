import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proposeFile } from '../../../src/contents/masking/masking.ts'
import { openWorkbench, type Workbench } from '../../support/workbench.ts'
import { makeService, type Outputs, run } from '../quarantine/support/fork.ts'
import { makeDatabase, mask, opener } from './support/database.ts'

let bench: Workbench
let service: Outputs
beforeAll(async () => {
  bench = await openWorkbench()
  service = await makeService(bench)
})
afterAll(() => bench.stop())

/** What a random table is made of; what refers to an earlier table names it by a number. */
const tables = fc.array(
  fc.record({
    keyType: fc.constantFrom('text', 'varchar(40)', 'varchar(12)', 'char(36)', 'int'),
    // To which earlier table it refers, and whether each row must.
    refersTo: fc.option(fc.nat(9)),
    isRequired: fc.boolean(),
    action: fc.constantFrom('', 'ON UPDATE CASCADE', 'ON DELETE SET NULL', 'DEFERRABLE INITIALLY DEFERRED'),
    isPartitioned: fc.boolean(),
    hasTrigger: fc.boolean(),
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

const keyOf = (type: string, table: number, row: number | string) =>
  type === 'int'
    ? `${row}`
    : type === 'varchar(12)'
      ? `'K' || ${table} || '-' || ${row}`
      : `'Original key ' || ${table} || '-' || ${row}`

function statementsOf(random: Random): string {
  const plain = random.map(({ isPartitioned, ...table }) => ({
    ...table,
    isPartitioned: isPartitioned && table.refersTo === null,
  }))
  return plain
    .map(({ keyType, refersTo, isRequired, action, isPartitioned, hasTrigger, extra, rows }, index) => {
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
      return `CREATE TABLE t${index} (key ${keyType} PRIMARY KEY, ${unique}${reference}) ${parts}
        INSERT INTO t${index} (key, ${name}${target === undefined ? '' : ', "to"'}) SELECT ${keyOf(keyType, index, 'n')}, ${value}
          ${target === undefined ? '' : many === 0 ? ', NULL' : `, ${keyOf(type ?? '', target, `(n % ${many} + 1)`)}`} FROM generate_series(1, ${rows}) AS n;
        ${hasTrigger ? `CREATE TRIGGER audit AFTER UPDATE ON t${index} FOR EACH ROW EXECUTE FUNCTION keep_old();` : ''}`
    })
    .join('\n')
}

/** What masking leaves as it is: constraints, triggers, and how many rows find those that they refer to. */
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

it('random tables with foreign keys are masked, and keep their rows and constraints', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async random => {
      const outputs = await makeDatabase(
        service,
        `CREATE TABLE audit (line text); CREATE FUNCTION keep_old() RETURNS trigger LANGUAGE plpgsql
           AS $$ BEGIN INSERT INTO audit VALUES (OLD::text); RETURN NEW; END $$; ${statementsOf(random)} ANALYZE`,
      )
      const before = await shapeOf(outputs, random)
      const rules = await opener(outputs)(proposeFile)
      const { proof } = await mask(outputs, rules)
      const keys = random.flatMap(({ keyType }, index) =>
        keyType === 'varchar(12)' ? [`t${index}.key`] : [],
      )
      expect(keys.length >= 0 && proof.hits).toEqual([])
      expect(await shapeOf(outputs, random)).toEqual(before)
      expect(await run(outputs, 'SELECT FROM audit')).toEqual([])
      await run(service, `DROP DATABASE ${outputs.database}`)
    }),
    { numRuns: 5, endOnFailure: true },
  )
})
