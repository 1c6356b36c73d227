/** Measures masking against plain updates. */
import { planMasking } from '#contents/masking/check-mask-file'
import { maskRows } from '#contents/masking/mask/mask'
import { createWorkSchema, prepareSession, runInParallel } from '#contents/masking/mask/work'
import { parseMaskFile } from '#contents/masking/plan/mask-file'
import { proveMasking } from '#contents/masking/prove/prove'
import { takeSamples } from '#contents/masking/prove/sample'
import { type OpenSession, queryTexts, withSession } from '#postgres/session'
import { renderTable } from '../reference/documents.ts'
import { withDatabase } from './database.ts'
import { describeMachine, type Report, times } from './report.ts'

/** Seconds for each part, and the size. */
interface Measured {
  rows: number
  mebibytes: number
  plain: number
  sampled: number
  masked: number
  searched: number
}

const sessions = 2

interface Column {
  name: string
  type: string
  /** SQL for the value in row `n`. */
  value: string
  rule?: string
}

/** A typical table of personal data: ten columns, of about 500 bytes a row. */
const columns: Column[] = [
  { name: 'id', type: 'bigint PRIMARY KEY', value: 'n' },
  { name: 'email', type: 'text', value: "'person' || n || '@example.com'", rule: 'email' },
  { name: 'name', type: 'text', value: "'First' || n % 5000 || ' Family' || n", rule: 'name' },
  { name: 'phone', type: 'varchar(20)', value: "'+44770' || 1000000 + n", rule: 'phone' },
  { name: 'street', type: 'text', value: "n || ' Example Street, Flat ' || n % 90", rule: 'text' },
  { name: 'code', type: 'varchar(20)', value: "'AB-' || 1000000 + n || '-X'", rule: 'digits' },
  { name: 'status', type: 'text', value: "(array['open', 'paid', 'sent'])[1 + n % 3]", rule: 'keep' },
  {
    ...{ name: 'about', type: 'text', rule: 'keep' },
    value: "repeat('Some words about an order that came late. ', 5) || md5(n::text)",
  },
  {
    ...{ name: 'data', type: 'jsonb', rule: 'null' },
    value: "jsonb_build_object('ip', md5(n::text || 'ip'), 'tags', jsonb_build_array('new', n))",
  },
  { name: 'at', type: 'timestamptz', value: "'2026-01-01'::timestamptz + n * interval '1 second'" },
]
const ruled = columns.filter(({ rule }) => rule)

const tables = Array.from({ length: 10 }, (_, index) => `people_${index}`)

const rules = tables
  .map(table => `public.${table}: { ${ruled.map(({ name, rule }) => `${name}: ${rule}`).join(', ')} }\n`)
  .join('')

const fill = (table: string, rows: number) =>
  `CREATE TABLE ${table} (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
    INSERT INTO ${table} SELECT ${columns.map(({ value }) => value).join(', ')} FROM generate_series(1, ${rows}) AS n`

/** The same columns of the same rows, with values of about the same length. */
const changed = ruled.filter(({ rule = '' }) => !['keep', 'null'].includes(rule))
const assignments = changed.map(({ name }) => `${name} = ${name} || ''`).join(', ')

const parse = (text: string) => parseMaskFile({ name: 'masking.yml', path: 'masking.yml', text })

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return (performance.now() - start) / 1000
}

async function measure(openIn: (database: string) => OpenSession, rows: number): Promise<Measured> {
  const open = openIn('tsdb')
  const [source, copy] = [`source_${rows}`, `copy_${rows}`]
  await open(session => session.query(`CREATE DATABASE ${source}`))
  await openIn(source)(async session => {
    for (const table of tables) await session.query(fill(table, rows))
    await session.query('VACUUM ANALYZE')
  })
  await open(session => session.query(`CREATE DATABASE ${copy} TEMPLATE ${source}`))
  const plain = await seconds(() =>
    runInParallel(openIn(source), sessions, tables, async (session, table) => {
      await session.query(`UPDATE ${table} SET ${assignments}, data = NULL`)
      await session.query(`VACUUM ANALYZE ${table}`)
    }),
  )
  await open(session => session.query(`DROP DATABASE ${source}`))
  const within = openIn(copy)
  const plan = await within(session => planMasking(session, parse(rules)))
  const size = await within(session => queryTexts(session, 'SELECT pg_database_size(current_database())'))
  await within(createWorkSchema)
  const sampled = await seconds(() => takeSamples(within, plan, sessions))
  const masked = await seconds(() => maskRows(within, plan, { sessions }))
  let hits = 0
  const searched = await seconds(async () => {
    hits = (await proveMasking(within, plan, { sessions })).hits.length
  })
  if (hits > 0) throw new Error('originals were found after masking')
  await open(session => session.query(`DROP DATABASE ${copy}`))
  const mebibytes = Number(size[0]) / 1024 ** 2
  return { rows: rows * tables.length, mebibytes, plain, sampled, masked, searched }
}

/** Tables of a large application, and the seconds in which their rules are read and compared with the catalog. */
const manyTables = 5000
const mostPlanning = 10

async function measurePlanning(openIn: (database: string) => OpenSession): Promise<number> {
  await openIn('tsdb')(session => session.query('CREATE DATABASE many'))
  const names = Array.from({ length: manyTables }, (_, table) => `t${table}`)
  return await openIn('many')(async session => {
    for (const [index, name] of names.entries())
      await session.query(`CREATE TABLE ${name} (id bigint PRIMARY KEY, email text UNIQUE, name text, note varchar(200),
        data jsonb, at timestamptz, ref bigint ${index > 0 ? `REFERENCES ${names[index - 1]}` : ''})`)
    await session.query('ANALYZE')
    const text = names.map(name => `public.${name}: { email: email, name: name, note: text, data: null }\n`)
    return await seconds(() => planMasking(session, parse(text.join(''))))
  })
}

const valuesOf = ({ rows }: Measured) => rows * ruled.length

const count = (value: number) => Math.round(value).toLocaleString('en')

function render(all: Measured[]): string {
  const rows = all.map(one => [
    ...[one.rows, one.mebibytes, one.rows / one.plain, one.rows / one.masked].map(count),
    times(one.masked, one.plain),
    ...[valuesOf(one) / one.sampled, valuesOf(one) / one.searched].map(count),
    (one.sampled + one.masked + one.searched).toFixed(0),
  ])
  const values = ['values sampled a second', 'values searched a second', 's in all']
  const head = ['rows', 'MiB', 'rows a second, plain', 'rows a second, masked', 'masked to plain', ...values]
  return `Measured on ${describeMachine()}.\n\n${renderTable(head, rows, true)}`
}

/** The exceeded limits, a sentence each. Other load on the machine slows the plain UPDATE down as much. */
function findMissed(all: Measured[]): string[] {
  const [least, most] = [all[0], all.at(-1)]
  if (least === undefined || most === undefined) return ['nothing was measured']
  const parts = ['sampled', 'masked', 'searched'] as const
  const slower = parts.filter(part => most[part] / most.plain > (1.5 * least[part]) / least.plain)
  return [
    ...slower.map(
      part => `among many rows a row is ${part} more than 1.5 × as slowly as among few, beside plain UPDATE`,
    ),
    ...(most.masked > 2 * most.plain ? ['masking takes more than 2 × as long as plain UPDATE'] : []),
  ]
}

/** Measures masking and the search for originals at several sizes, given as rows of each of ten tables. */
export const benchMasking = (sizes: number[]): Promise<Report> =>
  withDatabase('masking', async server => {
    const limits = { timeout: 3_600_000, signal: new AbortController().signal, mostBytes: 256 * 1024 ** 2 }
    const openIn =
      (database: string): OpenSession =>
      use =>
        withSession({ ...server, database }, limits, async session => {
          await prepareSession(session)
          return await use(session)
        })
    const measured: Measured[] = []
    for (const size of sizes) measured.push(await measure(openIn, size))
    const planned = await measurePlanning(openIn)
    const planning = `Rules of ${count(manyTables)} tables are compared with the catalog in ${planned.toFixed(1)} s.`
    return {
      text: `${render(measured)}\n\n${planning}`,
      missed: [
        ...findMissed(measured),
        ...(planned > mostPlanning ? [`planning takes more than ${mostPlanning} s`] : []),
      ],
    }
  })
