/** The operation that creates masked parents, and its inputs. */
import * as z from 'zod/mini'
import { fields } from '#api/field-table'
import { once } from '#base/once'
import type { Operation } from '#operations/base/operation'
import type { PreviewContext } from '../base/context.ts'
import type { WithSource } from './dry-run.ts'

/** A file of its own in the bundle, so all other steps start sooner. */
export const loadMasking = once(() => import('./create-masked-parent.ts'))

const parameters = z.object({
  project_id: z.optional(fields.project_id),
  service_id: fields.service_id,
  cpu_millis: z.optional(fields.cpu_millis),
  memory_gbs: z.optional(fields.memory_gbs),
})

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
    derivesPassword: () => true,
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
    async run(given, context) {
      const { createMaskedParent } = await loadMasking()
      return await createMaskedParent(z.parse(parameters, given), context)
    },
    fields: parameters.shape,
    inputs: [
      ...['project_id', 'service_id', 'cpu_millis', 'memory_gbs', 'mask_file', 'quarantine', 'keep_active'],
      'database_url',
      ...['wait_timeout', 'password_secret', 'database_name', 'database_user', 'sslmode'],
    ],
  },
]
