/** The fields of paths, queries and bodies, each with its schema and its description as an input. */
import * as z from 'zod/mini'
import * as schemas from './field-schemas.ts'
import { expression, type Harm } from './input.ts'
import { telemetryFields } from './telemetry-fields.ts'

const target: Harm = { by: 'changes', what: 'the step would change another record than the named one' }
const data: Harm = { by: 'creates', what: 'the new database would hold other data than requested' }
const replicas: Harm = { by: 'creates', what: 'no replica would take over from a database that fails' }
const environment: Harm = { by: 'changes', what: 'the environment would be neither checked nor set' }

/** A field has the same meaning in every row of the contract, though some rows take sizes in another form. */
export const fieldInputs = {
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
        'Id of the service. Operations that create or delete previews take the parent, and delete only its forks. `get-connection` takes the preview itself, or finds it without this input.',
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
      ignored: 'harmless',
      schema: schemas.sizeOrShared('500'),
    },
    memory_gbs: {
      about: 'Memory in gigabytes, like `2`; `shared` to create or fork a service.',
      example: '2',
      ignored: 'harmless',
      schema: schemas.sizeOrShared('2'),
    },
    addons: {
      about:
        'Add-ons of the new service: `time-series` (comma or newline separated, or a JSON array). `ai` has no effect anymore: run `CREATE EXTENSION vector` on the service instead.',
      example: 'time-series',
      ineffective: { ai: 'run CREATE EXTENSION vector on the service instead' },
      ignored: 'harmless',
      schema: z.array(
        z.enum(['time-series', 'ai'], 'a list of time-series and ai'),
        'a list of time-series and ai',
      ),
    },
    environment_tag: {
      about: "Environment of the new service: `DEV` (the API's default) or `PROD`.",
      example: 'DEV',
      ignored: environment,
      schema: schemas.environmentTag,
    },
    environment: {
      about: 'Environment to set: `DEV` or `PROD`.',
      example: 'PROD',
      ignored: environment,
      schema: schemas.environmentTag,
    },
    target_time: {
      about: 'Point in time to fork from, with `fork_strategy: PITR`, like `2026-01-31T12:00:00Z`.',
      example: '2026-01-31T12:00:00Z',
      ignored: data,
      schema: schemas.dateTime,
    },
    replica_count: {
      about: 'Number of high-availability replicas.',
      example: '1',
      ignored: replicas,
      schema: schemas.whole(0, '1'),
    },
    sync_replica_count: {
      about: 'Number of synchronous high-availability replicas.',
      example: '1',
      ignored: replicas,
      schema: schemas.whole(0, '1'),
    },
    password: {
      about:
        "The new password of the service's user. For `run-sql`: its current password, unless the service is a preview. Masked in the log.",
      example: expression('secrets.DATABASE_PASSWORD'),
      ignored: { by: 'creates', what: 'another password would be in effect' },
      secret: true,
      schema: schemas.text('a password', 'unlimited'),
    },
  }),
  ...schemas.inGroup('Read replica sets, VPCs and peerings', {
    replica_set_id: {
      about: 'Id of the read replica set.',
      example: expression('steps.replica.outputs.replica_set_id'),
      ignored: target,
      schema: schemas.resourceId,
    },
    nodes: {
      about: 'Number of nodes of the read replica set (at least 1).',
      example: '2',
      ignored: 'harmless',
      schema: schemas.whole(1, '1'),
    },
    vpc_id: {
      about: 'Id of the VPC.',
      example: expression('steps.vpc.outputs.vpc_id'),
      ignored: target,
      schema: schemas.resourceId,
    },
    cidr: {
      about: 'IPv4 range of the VPC, like `10.0.0.0/16`.',
      example: '10.42.0.0/16',
      ignored: 'harmless',
      schema: z.cidrv4('an IPv4 range like 10.0.0.0/16'),
    },
    peering_id: {
      about: 'Id of the VPC peering.',
      example: expression('steps.peering.outputs.peering_id'),
      ignored: target,
      schema: schemas.resourceId,
    },
    peer_account_id: {
      about: 'Cloud account id of the peer.',
      example: '123456789012',
      ignored: target,
      schema: schemas.text('the account id of the peer, like 123456789012', 'unlimited'),
    },
    peer_region_code: {
      about: "Region of the peer's VPC.",
      example: 'us-east-1',
      ignored: target,
      schema: schemas.regionCode,
    },
    peer_vpc_id: {
      about: "Id of the peer's VPC at its cloud provider.",
      example: 'vpc-0a1b2c3d',
      ignored: target,
      schema: schemas.text('the VPC id of the peer, like vpc-0a1b2c3d', 'unlimited'),
    },
  }),
  ...telemetryFields,
}

type Schemas = { [Name in keyof typeof fieldInputs]: (typeof fieldInputs)[Name]['schema'] }

const entries = Object.entries(fieldInputs).map(([name, { schema }]) => [name, schema])

const { sizeDigits, whole, resourceId } = schemas
export const fields = { sizeDigits, whole, resourceId, ...(Object.fromEntries(entries) as Schemas) }

/** The named fields, for a query or body in which they are optional. */
export const optional = <Name extends keyof Schemas>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, z.optional<z.ZodMiniType>(fields[name])])) as {
    [Key in Name]: z.ZodMiniOptional<Schemas[Key]>
  }

/** The schema of a path parameter. Its pattern keeps other values out of the path. */
export const pathField = (name: string): z.ZodMiniType<string, unknown> =>
  name === 'metric_name' ? fields.metric_name : fields.resourceId
