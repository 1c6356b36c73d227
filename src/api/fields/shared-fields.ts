/** The fields of several groups of endpoints, each with its schema and its description as an input. */
import * as z from 'zod/mini'
import * as schemas from './field-schemas.ts'
import { expression, type Harm } from './input.ts'

export const target: Harm = { by: 'changes', what: 'the step would change another record than the named one' }
export const data: Harm = { by: 'creates', what: 'the new database would hold other data than requested' }
export const environment: Harm = { by: 'changes', what: 'the environment would be neither checked nor set' }

/** A field has the same meaning in every row of the contract, though some rows take sizes in another form. */
export const sharedFields = {
  ...schemas.inGroup('Every step', {
    project_id: {
      about: 'Id of the project. Default: the project of the API key.',
      example: 'rp1pz7uyae',
      ignored: 'never',
      schema: schemas.resourceId,
    },
  }),
  ...schemas.inGroup('Previews', {
    service_id: {
      about:
        'Id of the service. In steps that create or delete previews: the parent (with `masked`, production), and only its forks are deleted. In `get-connection`: a preview; leave it out to get that of the pull request.',
      example: expression('vars.DATABASE_SERVICE_ID'),
      ignored: target,
      schema: schemas.resourceId,
    },
    fork_strategy: {
      about:
        'Starting point of the fork: `NOW`, `LAST_SNAPSHOT` or `PITR` (with `target_time`). For previews: `LAST_SNAPSHOT` (the default) or `NOW`.',
      example: 'NOW',
      ignored: data,
      schema: z.enum(['NOW', 'LAST_SNAPSHOT', 'PITR'], 'NOW, LAST_SNAPSHOT or PITR'),
    },
  }),
  ...schemas.inGroup('New or changed records', {
    name: {
      about:
        'Name of the new record, or the new name of an existing one (1 to 128 characters). In the name of a new record, `*` becomes 8 random characters. Default: a name with a random part.',
      example: 'test-*',
      ignored: target,
      schema: schemas.name,
    },
    region_code: {
      about: 'Region, like `us-east-1`.',
      example: 'us-east-1',
      ignored: { by: 'creates', what: 'the data could lie in another region' },
      schema: schemas.regionCode,
    },
    cpu_millis: {
      about: 'CPU in thousandths of a core, like `500`; `shared` to create or fork a service.',
      example: '500',
      ignored: { by: 'nothing', what: 'the size would be the default' },
      schema: schemas.sizeOrShared('500'),
    },
    memory_gbs: {
      about: 'Memory in gigabytes, like `2`; `shared` to create or fork a service.',
      example: '2',
      ignored: { by: 'nothing', what: 'the size would be the default' },
      schema: schemas.sizeOrShared('2'),
    },
    environment: {
      about: 'Environment to set: `DEV` or `PROD`.',
      example: 'PROD',
      ignored: environment,
      schema: schemas.environmentTag,
    },
  }),
}
