/** Recognizes the tables in which migration tools and frameworks record their own state. */
import type { Table } from '../plan/catalog.ts'

/** The tool, the name of its table, and columns that identify the table. Text in these columns must stay. */
const toolTables: [tool: string, table: string, columns: string][] = [
  ['Rails', 'schema_migrations', 'version'],
  ['Rails', 'ar_internal_metadata', 'key value created_at updated_at'],
  ['Django', 'django_migrations', 'app name applied'],
  ['Django', 'django_content_type', 'app_label model'],
  ['Django', 'auth_permission', 'name content_type_id codename'],
  ['Alembic', 'alembic_version', 'version_num'],
  [
    'Flyway',
    'flyway_schema_history',
    'installed_rank version description type script checksum installed_by success',
  ],
  [
    'Liquibase',
    'databasechangelog',
    'id author filename orderexecuted exectype md5sum description comments tag liquibase contexts labels deployment_id',
  ],
  ['PgHero', 'pghero_query_stats', 'database user query_hash'],
  // The column `logs` is masked, because it may quote rows.
  ['Prisma', '_prisma_migrations', 'id checksum migration_name applied_steps_count'],
  ['Drizzle', '__drizzle_migrations', 'hash created_at'],
  ['Diesel', '__diesel_schema_migrations', 'version run_on'],
  ['sqlx', '_sqlx_migrations', 'version description checksum execution_time'],
  ['Knex', 'knex_migrations', 'name batch migration_time'],
  ['Laravel', 'migrations', 'migration batch'],
  ['TypeORM', 'migrations', 'timestamp name'],
  ['TypeORM', 'typeorm_metadata', 'type database schema table name value'],
  ['Sequelize', 'SequelizeMeta', 'name'],
  ['Active Storage', 'active_storage_blobs', 'key content_type metadata checksum'],
  ['Solid Queue', 'solid_queue_processes', 'kind hostname metadata name'],
  ['Waffle', 'waffle_sample', 'name note'],
  // The tables of goose, golang-migrate and Ecto contain no text.
]

/** The tool that needs the values of a column unchanged; undefined if there is none. */
export function findTool({ name, columns }: Pick<Table, 'name' | 'columns'>, column: string) {
  const names = new Set(columns.map(one => one.name))
  const fits = (needed: string[]) => needed.includes(column) && needed.every(one => names.has(one))
  return toolTables.find(([, table, needed]) => table === name && fits(needed.split(' ')))?.[0]
}
