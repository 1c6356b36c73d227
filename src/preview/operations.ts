/** The operations on previews, and the inputs and fields that each takes. */
import * as z from 'zod/mini'
import { once } from '#base/once'
import type { Effect } from '#operations/base/operation'
import type { Outcome } from '#operations/base/outcome'
import type { PreviewContext } from './base/context.ts'
import { mayMakePreview } from './base/event-call.ts'
import { previewInputs } from './base/inputs.ts'
import { makingFields, type PreviewParameters, projectFields } from './base/parameters.ts'

type Taken = Record<string, z.core.$ZodType>

/** A fork is always in the region of its parent, so a region in the inputs would mislead about the data. */
const makingRules = z.looseObject({}).check(
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
  'a preview belongs to its pull request and to every run of it, so the end of one job does not delete it: closing the pull request (delete-preview) and prune-previews do'

function effectOf(name: string, taken: Taken): Effect {
  if (name === 'get-connection') return 'reads'
  return taken === makingFields ? 'creates' : 'changes'
}

type Run = (parameters: PreviewParameters, context: PreviewContext) => Promise<Outcome>

/** A file of its own in the bundle, so other steps start sooner. The simulator loads it early for broken variants. */
export const loadLife = once(() => import('./life.ts'))

const late =
  (name: keyof Awaited<ReturnType<typeof loadLife>>): Run =>
  async (given, context) =>
    await (await loadLife())[name](given, context)

function define(
  name: string,
  summary: string,
  taken: Taken,
  inputs: string[],
  run: Run,
  derivesPassword: typeof mayMakePreview = () => false,
  makes: typeof mayMakePreview = () => false,
) {
  return {
    name,
    summary,
    effect: effectOf(name, taken),
    run,
    withholds: true,
    publishesLastSeen: true,
    refused: { cleanup: refusedCleanup },
    unusedBeside: name === 'get-connection' ? { service_id: naming } : undefined,
    defaults: { wait_timeout: '30m', wait_for_connection: 'true', quarantine: 'true' },
    // A preview masked for people must not let jobs of the database run.
    defaultsFor: (texts: ReadonlyMap<string, string>): Record<string, string> =>
      /^true$/i.test(texts.get('masked') ?? '') ? { quarantine: 'strict' } : {},
    derivesPassword,
    makesPreview: makes,
    fields: taken,
    rules: taken === makingFields ? makingRules : undefined,
    inputs: [...new Set([...Object.keys(taken), ...namedFor(name), ...inputs])],
  }
}

export const previewOperations = [
  define(
    'preview',
    'Create, delete or prune previews, as the event requires',
    makingFields,
    [...quarantining, ...waiting, ...connecting, 'github_token'],
    late('previewByEvent'),
    mayMakePreview,
    mayMakePreview,
  ),
  define(
    'create-preview',
    'Create the preview of the pull request, or find the existing one',
    makingFields,
    [...quarantining, 'wait_timeout', ...connecting, 'github_token'],
    late('givePreview'),
    () => true,
    () => true,
  ),
  define(
    'reset-preview',
    'Replace the preview of the pull request by a new one with fresh data',
    makingFields,
    [...quarantining, 'wait_timeout', ...connecting, 'github_token'],
    late('resetPreview'),
    () => true,
    () => true,
  ),
  define(
    'delete-preview',
    'Delete the preview of the pull request, or of the merge queue entry',
    projectFields,
    [...waiting, 'github_token'],
    late('deletePreview'),
  ),
  define(
    'prune-previews',
    'Delete previews of closed pull requests and former merge queue entries, and old ones; pause unused ones',
    projectFields,
    [...asking, ...waiting, 'github_token'],
    late('prunePreviews'),
  ),
  define(
    'get-connection',
    'Get the connection of a preview or service, in any job',
    projectFields,
    [...quarantining, ...waiting, ...connecting],
    late('getConnection'),
    // Only a request shows whether the service is a preview.
    () => true,
  ),
]
