/** The operations on previews and masked parents, with the inputs and fields that each takes. */
import * as z from 'zod/mini'
import { once } from '#base/once'
import type { Operation, Texts } from '#operations/base/operation'
import type { PreviewContext } from './base/context.ts'
import { mayCreatePreview } from './base/event-work.ts'
import { previewInputs } from './base/inputs.ts'
import {
  creationFields,
  type MaskingParameters,
  maskingFields,
  type PreviewParameters,
  projectFields,
} from './base/parameters.ts'
import type { operations } from './by-event.ts'
import type { WithSource } from './masked/dry-run.ts'

/** A fork is always in the region of its parent, so a region in the inputs would mislead about the data. */
const creationRules = z.looseObject({}).check(
  z.refine(given => given.region_code === undefined || given.service_id === undefined, {
    error: 'nothing, because the fork of service_id is in the region of its parent',
    path: ['region_code'],
  }),
)

const nameInputs = ['name_prefix', 'pull_request', 'preview_name']
const waitInputs = ['wait', 'wait_timeout']
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

/** A file of its own in the bundle, so that other steps start sooner. The simulator loads it early for broken variants. */
export const loadOperations = once(() => import('./by-event.ts'))

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

type Row = Omit<Operation<PreviewContext>, 'name' | 'run'> & { name: keyof typeof operations }

const rows: Row[] = [
  {
    name: 'preview',
    summary: 'Create, delete or prune previews, as the event requires',
    ...creation,
    inputs: [...creation.inputs, 'wait'],
    derivesPassword: mayCreatePreview,
    createsPreview: mayCreatePreview,
  },
  {
    name: 'create-preview',
    summary: 'Create the preview of the pull request, or find the existing one',
    ...creation,
  },
  {
    name: 'reset-preview',
    summary: 'Replace the preview of the pull request by a new one with fresh data',
    ...creation,
  },
  {
    name: 'delete-preview',
    summary: 'Delete the preview of the pull request, or of the merge queue entry',
    fields: projectFields,
    effect: 'changes',
    inputs: [...waitInputs, 'github_token'],
  },
  {
    name: 'prune-previews',
    summary:
      'Delete previews of closed pull requests and former merge queue entries, and old ones; pause unused ones',
    fields: projectFields,
    effect: 'changes',
    inputs: [...loginInputs, ...waitInputs, 'github_token'],
  },
  {
    name: 'get-connection',
    summary: 'Get the connection of a preview or service, in any job',
    fields: projectFields,
    effect: 'reads',
    inputs: [...quarantineInputs, ...waitInputs, ...connectionInputs],
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
  defaultsFor: (texts: Texts): Record<string, string> =>
    /^true$/i.test(texts.get('masked') ?? '') ? { quarantine: 'strict' } : {},
  async run(given: PreviewParameters, context) {
    const loaded = await loadOperations()
    return await loaded.operations[row.name](given, context)
  },
  ...row,
  inputs: [...new Set([...Object.keys(row.fields), ...previewInputsOf(row.name), ...row.inputs])],
}))

/** A file of its own in the bundle, so all other steps start sooner. */
export const loadMasking = once(() => import('./operations/create-masked-parent.ts'))

export const maskedOperations: Operation<PreviewContext & WithSource>[] = [
  {
    name: 'create-masked-parent',
    summary: 'Create a masked and searched copy of a service, for previews to fork',
    effect: 'creates',
    // If the step is killed, the post step deletes the unfinished copy.
    defaults: { wait_timeout: '6h', quarantine: 'strict', cleanup: 'on-failure' },
    refused: {
      cleanup:
        'an unfinished copy is deleted by the step or its post step; previews are forked from the finished one',
    },
    derivesPassword: always,
    hidesLog: true,
    findContradiction({ preview, contents, dryRun, quarantine }) {
      if (contents.databaseUrl !== undefined && !dryRun)
        return {
          input: 'database_url',
          expected: 'nothing, except in a dry run, which checks mask_file on that database, or proposes one',
        }
      if (preview.maskFile === undefined && !dryRun)
        return { input: 'mask_file', expected: 'a file of rules, like masking.yml' }
      return quarantine === false
        ? { input: 'quarantine', expected: 'strict or true, since a masked copy must be harmless' }
        : undefined
    },
    withholds: true,
    async run(given: MaskingParameters, context) {
      const { createMaskedParent } = await loadMasking()
      return await createMaskedParent(given, context)
    },
    fields: maskingFields,
    inputs: [
      ...Object.keys(maskingFields),
      ...['mask_file', ...quarantineInputs, 'database_url', 'wait_timeout', ...loginInputs],
    ],
  },
]
