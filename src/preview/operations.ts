/** The operations on previews, and the inputs and fields that each takes. */
import * as z from 'zod/mini'
import { once } from '#base/once'
import type { Operation } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import type { PreviewContext } from './base/context.ts'
import { mayCreatePreview } from './base/event-work.ts'
import { previewInputs } from './base/inputs.ts'
import { creationFields, type PreviewParameters, projectFields } from './base/parameters.ts'

/** A fork is always in the region of its parent, so a region in the inputs would mislead about the data. */
const creationRules = z.looseObject({}).check(
  z.refine(given => given.region_code === undefined || given.service_id === undefined, {
    error: 'nothing, because the fork of service_id is in the region of its parent',
    path: ['region_code'],
  }),
)

const nameInputs = ['name_prefix', 'pull_request', 'preview_name']
const waitInputs = ['wait', 'wait_timeout']
/** The inputs for a login to the database. */
const loginInputs = ['password_secret', 'database_name', 'database_user', 'sslmode']
const connectionInputs = [...loginInputs, 'seal_secret', 'wait_for_connection', 'export_env']
const quarantineInputs = ['quarantine', 'keep_active']

/** The inputs of previews whose row lists the operation. */
const previewInputsOf = (operation: string) =>
  Object.entries(previewInputs)
    .filter(([, { operations }]) => operations.some(name => name === operation))
    .map(([input]) => input)

const refusedCleanup =
  'a preview belongs to its pull request, not to one job: closing the pull request (delete-preview) or prune-previews deletes it'

type Run = (parameters: PreviewParameters, context: PreviewContext) => Promise<Outcome>

/** A file of its own in the bundle, so that other steps start sooner. The simulator loads it early for broken variants. */
export const loadOperations = once(() => import('./life.ts'))

/** Loads the operations, and runs one of them. */
const runLoaded =
  (name: keyof Awaited<ReturnType<typeof loadOperations>>): Run =>
  async (given, context) =>
    await (await loadOperations())[name](given, context)

const always = () => true

/** The operations that create a preview at any event. */
const creation = {
  fields: creationFields,
  rules: creationRules,
  effect: 'creates',
  inputs: [...quarantineInputs, 'wait_timeout', ...connectionInputs, 'github_token'],
  derivesPassword: always,
  createsPreview: always,
} satisfies Partial<Operation<PreviewContext>>

const rows: Operation<PreviewContext>[] = [
  {
    name: 'preview',
    summary: 'Create, delete or prune previews, as the event requires',
    ...creation,
    inputs: [...creation.inputs, 'wait'],
    run: runLoaded('previewByEvent'),
    derivesPassword: mayCreatePreview,
    createsPreview: mayCreatePreview,
  },
  {
    name: 'create-preview',
    summary: 'Create the preview of the pull request, or find the existing one',
    ...creation,
    run: runLoaded('ensurePreview'),
  },
  {
    name: 'reset-preview',
    summary: 'Replace the preview of the pull request by a new one with fresh data',
    ...creation,
    run: runLoaded('resetPreview'),
  },
  {
    name: 'delete-preview',
    summary: 'Delete the preview of the pull request, or of the merge queue entry',
    fields: projectFields,
    effect: 'changes',
    inputs: [...waitInputs, 'github_token'],
    run: runLoaded('deletePreview'),
  },
  {
    name: 'prune-previews',
    summary:
      'Delete previews of closed pull requests and former merge queue entries, and old ones; pause unused ones',
    fields: projectFields,
    effect: 'changes',
    inputs: [...loginInputs, ...waitInputs, 'github_token'],
    run: runLoaded('prunePreviews'),
  },
  {
    name: 'get-connection',
    summary: 'Get the connection of a preview or service, in any job',
    fields: projectFields,
    effect: 'reads',
    inputs: [...quarantineInputs, ...waitInputs, ...connectionInputs],
    run: runLoaded('getConnection'),
    // Only a request shows whether the service is a preview.
    derivesPassword: always,
    unusedBeside: { service_id: nameInputs },
  },
]

export const previewOperations: Operation<PreviewContext>[] = rows.map(row => ({
  withholds: true,
  publishesLastRecord: true,
  refused: { cleanup: refusedCleanup },
  defaults: { wait_timeout: '30m', wait_for_connection: 'true', quarantine: 'true' },
  // A preview masked for people must not let jobs of the database run.
  defaultsFor: (texts: ReadonlyMap<string, string>): Record<string, string> =>
    /^true$/i.test(texts.get('masked') ?? '') ? { quarantine: 'strict' } : {},
  ...row,
  inputs: [...new Set([...Object.keys(row.fields), ...previewInputsOf(row.name), ...row.inputs])],
}))
