/** The operations on previews, and the inputs and fields that each takes. */
import * as z from 'zod/mini'
import { once } from '#base/once'
import type { Operation } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import type { PreviewContext } from './base/context.ts'
import { mayCreatePreview } from './base/event-call.ts'
import { previewInputs } from './base/inputs.ts'
import { creationFields, type PreviewParameters, projectFields } from './base/parameters.ts'

/** A fork is always in the region of its parent, so a region in the inputs would mislead about the data. */
const creationRules = z.looseObject({}).check(
  z.refine(given => given.region_code === undefined || given.service_id === undefined, {
    error: 'nothing, because the fork of service_id is in the region of its parent',
    path: ['region_code'],
  }),
)

const naming = ['name_prefix', 'pull_request', 'preview_name']
const waiting = ['wait', 'wait_timeout']
/** Inputs for checking whether a database is in use. */
const asking = ['password_secret', 'database_name', 'database_user', 'sslmode']
const connecting = [...asking, 'seal_secret', 'wait_for_connection', 'export_env']
const quarantining = ['quarantine', 'keep_active']

const namedFor = (operation: string) =>
  Object.entries(previewInputs).flatMap(([input, { operations }]) =>
    operations.some(name => name === operation) ? [input] : [],
  )

const refusedCleanup =
  'a preview belongs to its pull request, not to one job: closing the pull request (delete-preview) or prune-previews deletes it'

type Run = (parameters: PreviewParameters, context: PreviewContext) => Promise<Outcome>

/** A file of its own in the bundle, so other steps start sooner. The simulator loads it early for broken variants. */
export const loadLife = once(() => import('./life.ts'))

const late =
  (name: keyof Awaited<ReturnType<typeof loadLife>>): Run =>
  async (given, context) =>
    await (await loadLife())[name](given, context)

const always = () => true

/** The operations that create a preview at any event. */
const creating = {
  fields: creationFields,
  rules: creationRules,
  effect: 'creates',
  inputs: [...quarantining, 'wait_timeout', ...connecting, 'github_token'],
  derivesPassword: always,
  createsPreview: always,
} satisfies Partial<Operation<PreviewContext>>

const rows: Operation<PreviewContext>[] = [
  {
    name: 'preview',
    summary: 'Create, delete or prune previews, as the event requires',
    ...creating,
    inputs: [...creating.inputs, 'wait'],
    run: late('previewByEvent'),
    derivesPassword: mayCreatePreview,
    createsPreview: mayCreatePreview,
  },
  {
    name: 'create-preview',
    summary: 'Create the preview of the pull request, or find the existing one',
    ...creating,
    run: late('givePreview'),
  },
  {
    name: 'reset-preview',
    summary: 'Replace the preview of the pull request by a new one with fresh data',
    ...creating,
    run: late('resetPreview'),
  },
  {
    name: 'delete-preview',
    summary: 'Delete the preview of the pull request, or of the merge queue entry',
    fields: projectFields,
    effect: 'changes',
    inputs: [...waiting, 'github_token'],
    run: late('deletePreview'),
  },
  {
    name: 'prune-previews',
    summary:
      'Delete previews of closed pull requests and former merge queue entries, and old ones; pause unused ones',
    fields: projectFields,
    effect: 'changes',
    inputs: [...asking, ...waiting, 'github_token'],
    run: late('prunePreviews'),
  },
  {
    name: 'get-connection',
    summary: 'Get the connection of a preview or service, in any job',
    fields: projectFields,
    effect: 'reads',
    inputs: [...quarantining, ...waiting, ...connecting],
    run: late('getConnection'),
    // Only a request shows whether the service is a preview.
    derivesPassword: always,
    unusedBeside: { service_id: naming },
  },
]

export const previewOperations: Operation<PreviewContext>[] = rows.map(row => ({
  withholds: true,
  publishesLastSeen: true,
  refused: { cleanup: refusedCleanup },
  defaults: { wait_timeout: '30m', wait_for_connection: 'true', quarantine: 'true' },
  // A preview masked for people must not let jobs of the database run.
  defaultsFor: (texts: ReadonlyMap<string, string>): Record<string, string> =>
    /^true$/i.test(texts.get('masked') ?? '') ? { quarantine: 'strict' } : {},
  ...row,
  inputs: [...new Set([...Object.keys(row.fields), ...namedFor(row.name), ...row.inputs])],
}))
