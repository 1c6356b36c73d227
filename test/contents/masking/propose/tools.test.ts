/** Tests that the proposal keeps the tables of migration tools. */
import { expect, it } from 'vitest'
import { planMasking } from '#contents/masking/check-mask-file'
import { createDatabase, opener, parse, propose } from '../support/database.ts'

/** The table of each tool as the tool creates it, and the columns that must stay. */
const tools: [tool: string, table: string, columns: string][] = [
  ['Rails', 'schema_migrations (version varchar PRIMARY KEY)', 'version'],
  [
    'Rails',
    'ar_internal_metadata (key varchar PRIMARY KEY, value varchar, created_at timestamp, updated_at timestamp)',
    'key value',
  ],
  [
    'Django',
    'django_migrations (id bigint, app varchar(255), name varchar(255), applied timestamptz)',
    'app name',
  ],
  [
    'Django',
    'django_content_type (id int PRIMARY KEY, app_label varchar(100), model varchar(100), UNIQUE (app_label, model))',
    'app_label model',
  ],
  [
    'Django',
    'auth_permission (id int, name varchar(255), content_type_id int REFERENCES django_content_type, codename varchar(100), UNIQUE (content_type_id, codename))',
    'name codename',
  ],
  ['Alembic', 'alembic_version (version_num varchar(32) PRIMARY KEY)', 'version_num'],
  [
    'Flyway',
    `flyway_schema_history (installed_rank int PRIMARY KEY, version varchar(50), description varchar(200), type varchar(20), script varchar(1000),
       checksum int, installed_by varchar(100), installed_on timestamp, execution_time int, success boolean)`,
    'version description type script installed_by',
  ],
  [
    'Liquibase',
    `databasechangelog (id varchar(255), author varchar(255), filename varchar(255), dateexecuted timestamp, orderexecuted int, exectype varchar(10), md5sum varchar(35),
       description varchar(255), comments varchar(255), tag varchar(255), liquibase varchar(20), contexts varchar(255), labels varchar(255), deployment_id varchar(10))`,
    'id author filename exectype md5sum description comments tag liquibase contexts labels deployment_id',
  ],
  [
    'Prisma',
    `_prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64), finished_at timestamptz, migration_name varchar(255), rolled_back_at timestamptz,
       started_at timestamptz, applied_steps_count int)`,
    'id checksum migration_name',
  ],
  ['Drizzle', '__drizzle_migrations (id serial PRIMARY KEY, hash text, created_at bigint)', 'hash'],
  ['Diesel', '__diesel_schema_migrations (version varchar(50) PRIMARY KEY, run_on timestamp)', 'version'],
  [
    'sqlx',
    '_sqlx_migrations (version bigint, description text, installed_on timestamptz, success boolean, checksum bytea NOT NULL, execution_time bigint)',
    'description checksum',
  ],
  [
    'Knex',
    'knex_migrations (id serial PRIMARY KEY, name varchar(255), batch int, migration_time timestamptz)',
    'name',
  ],
  ['Laravel', 'laravel.migrations (id serial PRIMARY KEY, migration varchar(255), batch int)', 'migration'],
  ['TypeORM', 'migrations (id serial PRIMARY KEY, timestamp bigint, name varchar)', 'name'],
  [
    'TypeORM',
    'typeorm_metadata (type varchar, database varchar, schema varchar, "table" varchar, name varchar, value text)',
    'type database schema table name value',
  ],
  ['Sequelize', '"SequelizeMeta" (name varchar(255) PRIMARY KEY)', 'name'],
  // A table without text needs no rule.
  ['goose', 'goose_db_version (id int, version_id bigint, is_applied boolean, tstamp timestamp)', ''],
  ['golang-migrate', 'golang.schema_migrations (version bigint PRIMARY KEY, dirty boolean)', ''],
  ['Ecto', 'ecto.schema_migrations (version bigint PRIMARY KEY, inserted_at timestamp)', ''],
]

it('keeps the tables of migration tools, and guesses tables and columns that only share a name', async () => {
  const outputs = await createDatabase(`
       CREATE SCHEMA golang; CREATE SCHEMA laravel; CREATE SCHEMA ecto; ${tools.map(([, table]) => `CREATE TABLE ${table};`).join('\n')}
     ALTER TABLE _prisma_migrations ADD logs text;
     CREATE SCHEMA birds; CREATE TABLE birds.migrations (name text, mobile text); CREATE TABLE birds."SequelizeMeta" (full_name text)`)
  const text = await propose(outputs)
  const kept = tools.flatMap(([tool, , columns]) =>
    columns
      .split(' ')
      .filter(Boolean)
      .map(column => `${column}: keep; ${tool} needs it`),
  )
  const rules = [...text.matchAll(/^ {2}(\w+): (\w+) # (?:certain: (\w+ needs it))?/gm)].map(
    ([, column, rule, remark = '']) => `${column}: ${rule}; ${remark}`,
  )
  const guessed = ['logs: keep; ', 'name: keep; ', 'mobile: phone; ', 'full_name: name; ']
  expect(rules.sort()).toEqual([...kept, ...guessed].sort())
  await opener(outputs)(session => planMasking(session, parse(text)))
})
