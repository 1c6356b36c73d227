import * as z from 'zod/mini'
import { fields } from '../api/fields/fields.ts'
import { contentsInputs } from '../operations/base/contents-inputs.ts'
import type { Operation } from '../operations/base/operation.ts'
import type { PreviewContext } from '../preview/base/context.ts'

/** Which database, where no URL says so. */
const finding = [
  ...[
    'project_id',
    'service_id',
    'password',
    'name_prefix',
    'pull_request',
    'preview_name',
    'label',
    'drafts',
  ],
  ...['password_secret', 'database_name', 'database_user', 'sslmode'],
]

const waiting = ['wait', 'wait_timeout', 'wait_for_connection']

/** The operations on what a database holds. */
export const contentsOperations: Operation<PreviewContext>[] = [
  {
    name: 'run-sql',
    summary: 'Run SQL on a database: of a URL, a service, or the preview of the pull request',
    effect: 'changes',
    defaults: { wait_timeout: '30m', wait_for_connection: 'true' },
    derivesPassword: ({ settings }) => settings.contents.databaseUrl === undefined,
    // A file of its own: most steps run no SQL.
    run: async (given, context) => await (await import('./run-sql.ts')).runSql(given, context),
    get fields() {
      return {
        project_id: z.optional(fields.project_id),
        service_id: z.optional(fields.service_id),
        password: z.optional(fields.password),
      }
    },
    inputs: [...finding, ...waiting, ...Object.keys(contentsInputs)],
  },
]
