/** Tests migration tools through the tap. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LocalServers } from '../../../support/local-servers.ts'
import { openTapDatabase, type Recording, record, type TapDatabase, Witness } from './support/tap-database.ts'

const run = promisify(execFile)
const tools = process.env.MIGRATION_TOOLS ?? ''
/** The title of a test names a tool that is not installed. */
const has = (...path: string[]) => tools !== '' && existsSync(join(tools, ...path))
const named = (what: string) => `${what} (skipped unless it is in the folder that MIGRATION_TOOLS names)`
const hasPsql = (process.env.PATH ?? '').split(':').some(folder => existsSync(join(folder, 'psql')))

let house: TapDatabase
let port: number
let before: ReturnType<typeof record>
let behind: ReturnType<typeof record>
const servers = new LocalServers()
let folder: string
let environment: Record<string, string>
let witness: Witness
beforeAll(async () => {
  house = await openTapDatabase()
  witness = new Witness(house)
  behind = record(house.target)
  const target = { host: '127.0.0.1', port: await servers.listen(behind.server), sslmode: 'disable' }
  before = record({ ...house.target, ...target, port: (await house.open(witness, target)).port })
  port = await servers.listen(before.server)
  folder = await mkdtemp(join(tmpdir(), 'tools-'))
  const { user, password, database } = house.target
  environment = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder },
    ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: user, PGPASSWORD: password },
    ...{ PGDATABASE: database, PGSSLMODE: 'prefer' },
    DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}?sslmode=disable`,
    JDBC_URL: `jdbc:postgresql://127.0.0.1:${port}/${database}?sslmode=disable`,
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await servers.close()
  await house.stop()
})

async function start(program: string, options: string[], more: Record<string, string> = {}): Promise<string> {
  witness.take()
  const { stdout } = await run(program, options, {
    cwd: folder,
    env: { ...environment, ...more },
    timeout: 100_000,
  })
  await expectSameBytes()
  return stdout
}

/** The SASL mechanisms of a server. The tap removes those that are bound to TLS. */
const offer = /R\0{3}.\0{3}.(?:SCRAM[^\0]*\0)+\0/s

/** Requests for encryption, which the tap refuses. */
const encryption = /^(?:\0{3}..\xd2.[/0])+/s

/** Expects that the server gets exactly the bytes of the tool, and the tool those of the server. */
async function expectSameBytes(): Promise<void> {
  const plain = ({ up, down }: Recording) => {
    const requests = (encryption.exec(up)?.[0].length ?? 0) / 8
    return { up: up.replace(encryption, ''), down: down.slice(requests).replace(offer, 'SASL') }
  }
  // The last message of a tool can arrive after the tool has ended.
  const all = () => [before, behind].map(({ recordings }) => JSON.stringify(recordings.map(plain)))
  await expect.poll(() => all()[1] === all()[0]).toBe(true)
  before.recordings.length = 0
  behind.recordings.length = 0
}

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** The reports about a table, without the queries and tables of the tool itself. */
const seenOf = (table: string) =>
  witness.take().filter(one => new RegExp(`\\b${table}\\b`).test(one) || one.startsWith('problem'))

describe('unmodified migration tools work through the tap', () => {
  it.skipIf(!hasPsql)('psql (skipped where it is not installed)', async () => {
    await write('rows.csv', '1,a\n2,b\n')
    await write(
      'up.sql',
      `\\set ON_ERROR_STOP on
CREATE TABLE letters (id int PRIMARY KEY, name text);
\\copy letters FROM 'rows.csv' CSV
BEGIN;
ALTER TABLE letters ADD age int;
COMMIT;
CREATE INDEX CONCURRENTLY ON letters (name);
\\copy (SELECT name FROM letters ORDER BY id) TO STDOUT
`,
    )
    expect(await start('psql', ['-qX', '-f', 'up.sql'])).toBe('a\nb\n')
    expect(seenOf('letters')).toEqual([
      expect.stringMatching(/^CREATE TABLE letters .*→ CREATE TABLE$/),
      expect.stringMatching(/^COPY .* → COPY 2$/i),
      'ALTER TABLE letters ADD age int → ALTER TABLE',
      'T [letters AccessExclusiveLock]',
      'ending [letters AccessExclusiveLock]',
      'CREATE INDEX CONCURRENTLY ON letters (name) → CREATE INDEX',
      expect.stringMatching(/^COPY .*STDOUT/),
    ])
    const script = 'ALTER TABLE letters ADD one int; ALTER TABLE letters DROP one'
    await start('psql', ['-qX', '-1', '-c', script])
    expect(seenOf('letters').filter(line => line.includes('→'))).toHaveLength(2)
  })

  it('node-postgres, with a pipeline', async () => {
    const client = new pg.Client({
      connectionString: environment.DATABASE_URL,
      pipeline: true,
    } as pg.ClientConfig)
    await client.connect()
    await client.query('CREATE TABLE many (id int)')
    witness.take()
    const answers = Array.from({ length: 50 }, (_, id) =>
      client.query({ name: 'insert', text: 'INSERT INTO many VALUES ($1) RETURNING id', values: [id] }),
    )
    const rows = await Promise.all(answers)
    expect(rows.map(answer => answer.rows[0].id)).toEqual(rows.map((_, id) => id))
    expect(seenOf('many')).toHaveLength(50)
    await client.end()
    await expectSameBytes()
  })

  it.skipIf(!has('pgx', 'gophers'))(named('pgx, with a batch and COPY'), async () => {
    expect(await start(join(tools, 'pgx', 'gophers'), [])).toBe('51\n')
    expect(seenOf('gophers')).toContainEqual(expect.stringMatching(/^ALTER TABLE gophers .*→ ALTER TABLE$/))
  })

  it.skipIf(!has('py', 'bin', 'alembic'))(named('Alembic with psycopg'), async () => {
    const python = join(tools, 'py', 'bin')
    await start(join(python, 'alembic'), ['init', 'migrations'])
    const url = (environment.DATABASE_URL ?? '')
      .replace('postgresql:', 'postgresql+psycopg:')
      .replaceAll('%', '%%')
    const settings = await readFile(join(folder, 'alembic.ini'), 'utf8')
    await write('alembic.ini', settings.replace(/^sqlalchemy.url = .*$/m, `sqlalchemy.url = ${url}`))
    await write(
      'migrations/versions/one.py',
      `from alembic import op
import sqlalchemy as sa
revision = 'one'
down_revision = None
def upgrade():
    op.create_table('snakes', sa.Column('id', sa.Integer, primary_key=True))
    op.add_column('snakes', sa.Column('name', sa.String(9)))
    op.alter_column('snakes', 'name', type_=sa.Text)
`,
    )
    await start(join(python, 'alembic'), ['upgrade', 'head'])
    expect(seenOf('snakes').join('\n')).toMatch(/ALTER COLUMN name TYPE TEXT.*→ ALTER TABLE/)
  })

  it.skipIf(!has('py', 'bin', 'django-admin'))(named('Django with psycopg'), async () => {
    const { user, password, database } = house.target
    await write(
      'settings.py',
      `SECRET_KEY = 'x'
INSTALLED_APPS = ['django.contrib.contenttypes', 'django.contrib.auth']
DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'HOST': '127.0.0.1', 'PORT': ${port},
  'NAME': ${JSON.stringify(database)}, 'USER': ${JSON.stringify(user)}, 'PASSWORD': ${JSON.stringify(password)}}}
`,
    )
    const admin = join(tools, 'py', 'bin', 'django-admin')
    await start(admin, ['migrate', '--settings=settings', '--pythonpath=.'])
    expect(seenOf('auth_user').length).toBeGreaterThan(3)
  })

  it.skipIf(!has('flyway'))(named('Flyway by JDBC'), async () => {
    const { user, password } = house.target
    await write('V1__one.sql', 'CREATE TABLE planes (id int);\nALTER TABLE planes ADD seats int;\n')
    await write('V2__two.sql', 'CREATE INDEX CONCURRENTLY seats ON planes (seats);\n')
    await write('V2__two.sql.conf', 'executeInTransaction=false\n')
    await write(
      'Up.java',
      `import org.flywaydb.core.Flyway;
class Up { public static void main(String[] a) {
  Flyway.configure().dataSource(System.getenv("JDBC_URL"), a[0], a[1]).locations("filesystem:.").baselineOnMigrate(true)
    .baselineVersion("0").configuration(java.util.Map.of("flyway.postgresql.transactional.lock", "false")).load().migrate(); } }
`,
    )
    await start('java', ['-cp', join(tools, 'flyway', '*'), 'Up.java', user, password])
    expect(seenOf('planes').join('\n')).toMatch(/ALTER TABLE planes ADD seats int.*→ ALTER TABLE/)
    expect(await house.ask("SELECT count(*) FROM pg_indexes WHERE indexname = 'seats'")).toEqual([['1']])
  })

  it.skipIf(!has('npm', 'node_modules', 'drizzle-orm'))(named('Drizzle'), async () => {
    await start('mkdir', ['-p', 'drizzle/meta'])
    await write(
      'drizzle/0000_up.sql',
      'CREATE TABLE "drops" ("id" int);\n--> statement-breakpoint\nALTER TABLE "drops" ADD "size" int;',
    )
    const entry = { idx: 0, version: '7', when: 1, tag: '0000_up', breakpoints: true }
    await write(
      'drizzle/meta/_journal.json',
      JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
    )
    await write(
      'up.cjs',
      `const { drizzle } = require(process.env.MODULES + '/drizzle-orm/node-postgres')
const { migrate } = require(process.env.MODULES + '/drizzle-orm/node-postgres/migrator')
const db = drizzle(process.env.DATABASE_URL)
migrate(db, { migrationsFolder: 'drizzle' }).then(() => db.$client.end())`,
    )
    await start(process.execPath, ['up.cjs'], { MODULES: join(tools, 'npm', 'node_modules') })
    expect(seenOf('drops').join('\n')).toMatch(/ALTER TABLE "drops" .*→ ALTER TABLE/)
  })

  // Uses the WebAssembly engine with node-postgres: installing the native engine needs a download.
  it.skipIf(!has('npm', 'node_modules', 'prisma'))(named('Prisma'), async () => {
    const modules = join(tools, 'npm', 'node_modules')
    await write(
      'prisma.config.mjs',
      `import { PrismaPg } from ${JSON.stringify(join(modules, '@prisma/adapter-pg/dist/index.mjs'))}
export default { experimental: { adapter: true }, engine: 'js', schema: 'schema.prisma', migrations: { path: 'prisma' },
  adapter: async () => new PrismaPg({ connectionString: process.env.DATABASE_URL }) }`,
    )
    await write('schema.prisma', 'datasource db {\n provider = "postgresql"\n url = env("DATABASE_URL")\n}\n')
    await start('mkdir', ['-p', 'prisma/1_up'])
    await write('prisma/migration_lock.toml', 'provider = "postgresql"\n')
    await write(
      'prisma/1_up/migration.sql',
      'CREATE TABLE "rays" (id int);\nALTER TABLE "rays" ADD "size" int;\n',
    )
    // Prisma adopts no database that has tables already.
    await house.ask('CREATE DATABASE prisma')
    const none = {
      DATABASE_URL: (environment.DATABASE_URL ?? '').replace(/\/\w+\?/, '/prisma?'),
      CHECKPOINT_DISABLE: '1',
      PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true',
      PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    }
    const options = ['migrate', 'deploy', '--config', 'prisma.config.mjs']
    await start(process.execPath, [join(modules, 'prisma/build/index.js'), ...options], none)
    expect(seenOf('rays').join('\n')).toMatch(/ALTER TABLE "rays" .*→ ALTER TABLE/)
  })
})
