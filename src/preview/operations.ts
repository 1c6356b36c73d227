import * as z from 'zod/mini'
import { fields } from '../api/fields.ts'
import { lazily } from '../api/lazily.ts'
import type { GivenParameters } from '../operations/context.ts'
import { withLastSeen } from '../operations/known.ts'
import type { Effect } from '../operations/operation.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { PreviewContext } from './context.ts'
import { mayMakePreview } from './event-call.ts'

type Taken = () => Record<string, z.core.$ZodType>

const project: Taken = () => ({
  project_id: z.optional(fields.resourceId),
  service_id: z.optional(fields.resourceId),
})

const making: Taken = () => ({
  ...project(),
  // No PITR: it is for repairs, and a preview that is made again would need a new moment each time.
  fork_strategy: z.optional(z.enum(['NOW', 'LAST_SNAPSHOT'], 'NOW or LAST_SNAPSHOT')),
  addons: z.optional(fields.addons),
  region_code: z.optional(fields.region_code),
  cpu_millis: z.optional(fields.sizeOrShared('500')),
  memory_gbs: z.optional(fields.sizeOrShared('2')),
})

/** A fork is always in the region of its parent: a region in the inputs would be a false promise about the data. */
const describeMakingRules = () =>
  z.looseObject({}).check(
    z.refine(given => given.region_code === undefined || given.service_id === undefined, {
      error: 'nothing, because the fork of service_id is in the region of its parent',
      path: ['region_code'],
    }),
  )

const identifying = ['name_prefix', 'pull_request', 'preview_name']
/** Which pull requests have a preview. */
const choosing = ['label', 'drafts']
const waiting = ['wait', 'wait_timeout']
const connecting = [
  'password_secret',
  'wait_for_connection',
  'database_name',
  'database_user',
  'sslmode',
  'export_env',
  'pooler',
]
const reporting = ['comment', 'github_token']
/** Inputs for asking a database whether it is in use. */
const asking = ['password_secret', 'database_name', 'database_user', 'sslmode']
const pruning = [
  ...['name_prefix', 'github_token', 'max_age', 'min_age', 'max_deletions'],
  ...['pause_after', 'keep_label'],
]

const refusedCleanup =
  'a preview belongs to its pull request and to every run of it, so the end of one job does not delete it: closing the pull request (delete-preview) and prune-previews do'

function effectOf(name: string, taken: Taken): Effect {
  if (name === 'get-connection') return 'reads'
  return taken === making ? 'creates' : 'changes'
}

type Run = (parameters: GivenParameters, context: PreviewContext) => Promise<Outcome>

/** A module that is a file of its own in the bundle, so that only the operations that run it load it. */
function late<Module>(load: () => Promise<Module>) {
  let loaded: Module | undefined
  return {
    async load(): Promise<void> {
      loaded ??= await load()
    },
    /** @throws Error before it is loaded */
    get module(): Module {
      if (loaded === undefined) throw new Error('an operation runs before it is loaded')
      return loaded
    },
  }
}

const life = late(() => import('./life.ts'))
const connection = late(() => import('./get-connection.ts'))

function define(
  name: string,
  summary: string,
  taken: Taken,
  inputs: string[],
  run: Run,
  derivesPassword: typeof mayMakePreview = () => false,
  makes: typeof mayMakePreview = () => false,
) {
  const known = {
    name,
    summary,
    effect: effectOf(name, taken),
    minutes: name === 'get-connection' ? 10 : 30,
    load: () => (name === 'get-connection' ? connection : life).load(),
    run: withLastSeen(name, run),
    refused: { cleanup: refusedCleanup },
    defaults: { waitForConnection: true, comment: true },
    derivesPassword,
    makesPreview: makes,
  }
  return lazily(known, {
    fields: taken,
    rules: () => (taken === making ? describeMakingRules() : undefined),
    inputs: () => [...new Set([...Object.keys(taken()), ...inputs])],
  })
}

/** The operations on previews: one database for every pull request. */
export const previewOperations = [
  define(
    'preview',
    'Do what the event calls for: create, delete or prune previews, or nothing',
    making,
    [
      ...identifying,
      ...choosing,
      'empty',
      'max_previews',
      ...waiting,
      ...connecting,
      ...reporting,
      ...pruning,
    ],
    (given, context) => life.module.previewByEvent(given, context),
    mayMakePreview,
    mayMakePreview,
  ),
  define(
    'create-preview',
    'Give the pull request its preview database, or find the one it has',
    making,
    [
      ...identifying,
      ...choosing,
      'empty',
      'max_previews',
      'max_age',
      'wait_timeout',
      ...connecting,
      ...reporting,
    ],
    (given, context) => life.module.createPreview(given, context),
    () => true,
    () => true,
  ),
  define(
    'reset-preview',
    'Replace the preview database of the pull request by a new one with fresh data',
    making,
    [...identifying, ...choosing, 'empty', 'max_age', 'wait_timeout', ...connecting, ...reporting],
    (given, context) => life.module.resetPreview(given, context),
    () => true,
    () => true,
  ),
  define(
    'delete-preview',
    'Delete the preview database of the pull request, or of the entry of the merge queue',
    project,
    [...identifying, ...waiting, ...reporting],
    (given, context) => life.module.deletePreview(given, context),
  ),
  define(
    'prune-previews',
    'Delete the previews whose pull request is closed or whose entry has left the merge queue, or that are too old, and pause what nobody uses',
    project,
    [...pruning, ...asking, ...waiting, 'comment'],
    (given, context) => life.module.prunePreviews(given, context),
  ),
  define(
    'get-connection',
    'Get the connection of a preview or service again, in any job',
    project,
    [...identifying, ...waiting, ...connecting],
    (given, context) => connection.module.getConnection(given, context),
    // Only a request can tell whether the service is a preview.
    () => true,
  ),
]
