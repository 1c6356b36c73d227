/** The operations on the contents of a database, and their inputs. */
import * as z from 'zod/mini'
import { fields } from '#api/field-table'
import type { Operation } from '#operations/base/operation'
import type { DatabaseContext } from './context.ts'
import { rehearsalInputs } from './inputs.ts'

/** The inputs that decide whether a pull request has a preview, and those that name it. */
const conditionInputs = ['label', 'drafts']
const previewInputs = ['name_prefix', 'preview_name', ...conditionInputs]

const loginInputs = ['password', 'password_secret', 'database_name', 'database_user', 'sslmode']

/** The inputs that select a database, and those for the wait until it accepts a connection. */
const databaseInputs = [
  ...['database_url', 'project_id', 'service_id', 'pull_request', ...previewInputs, ...loginInputs],
  ...['allow_production', 'seal_secret', 'wait', 'wait_timeout', 'wait_for_connection'],
]

/** The inputs that have no effect beside another one, of these inputs for a preview. */
const unusedBeside = (inputs: string[]) => ({
  service_id: inputs,
  database_url: ['project_id', ...inputs, ...loginInputs],
})

const withDatabase = {
  fields: {
    project_id: z.optional(fields.project_id),
    service_id: z.optional(fields.service_id),
    password: z.optional(fields.password),
  },
  defaults: { wait_timeout: '30m', wait_for_connection: 'true' },
  derivesPassword: ({ settings }) => settings.contents.databaseUrl === undefined,
} satisfies Partial<Operation<DatabaseContext>>

const sqlInputs = ['sql_file', 'transaction', 'statement_timeout', 'lock_timeout']

/** The inputs for comparing the schema and reporting on the pull request. */
const reportInputs = ['grants', 'comment', 'github_token']

/** Loads the operations when one of them runs: most steps run no SQL. */
const load = () => import('./operations-on-demand.ts')

export const contentsOperations: Operation<DatabaseContext>[] = [
  {
    name: 'run-sql',
    summary: 'Run SQL on the database of a URL, a service, or the preview of the pull request',
    effect: 'changes',
    // The other operations write a comment on the pull request of the preview that these inputs name.
    unusedBeside: unusedBeside([...previewInputs, 'pull_request']),
    ...withDatabase,
    run: async (given, context) => await (await load()).runSql(given, context),
    inputs: [...databaseInputs, 'sql', ...sqlInputs],
  },
  {
    name: 'schema-diff',
    summary: 'Compare the schema of a preview with its first schema',
    effect: 'reads',
    unusedBeside: unusedBeside(conditionInputs),
    ...withDatabase,
    run: async (given, context) => await (await load()).schemaDiff(given, context),
    inputs: [...databaseInputs, ...reportInputs, 'on_violation', 'approve_destructive'],
  },
  {
    name: 'rehearse-migration',
    refused: { sql: 'write the SQL into a file, and name the file in sql_file' },
    summary: 'Run a migration on a copy, and measure its locks, rewrites and losses of data',
    effect: 'changes',
    unusedBeside: unusedBeside(conditionInputs),
    ...withDatabase,
    defaults: { wait_timeout: '2h', wait_for_connection: 'true' },
    run: async (given, context) => await (await load()).rehearseMigration(given, context),
    inputs: [...databaseInputs, ...sqlInputs, ...Object.keys(rehearsalInputs), ...reportInputs],
  },
]
