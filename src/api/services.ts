/** Rows of the contract: services. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as schemas from './fields/field-schemas.ts'
import { expression } from './fields/input.ts'
import { data, environment, sharedFields } from './fields/shared-fields.ts'
import { alreadyIf, gone, ofService } from './goal.ts'
import { ActionResult, Service as ServiceRecord, Services } from './records.ts'
import * as state from './service-states.ts'

const servicesPath = '/projects/{project_id}/services'
const servicePath = `${servicesPath}/{service_id}` as const

const replicas = { by: 'creates', what: 'no replica would take over from a database that fails' } as const

/** Used by services only. */
export const serviceFields = schemas.inGroup('New or changed records', {
  addons: {
    about:
      'Add-ons of the new service: `time-series` (comma or newline separated, or a JSON array). `ai` has no effect anymore: run `CREATE EXTENSION vector` on the service instead.',
    example: 'time-series',
    ineffective: { ai: 'run CREATE EXTENSION vector on the service instead' },
    ignored: { by: 'nothing', what: 'the service would have no addons' },
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
    ignored: { by: 'creates', what: 'the service would have another password' },
    secret: true,
    schema: schemas.text('a password', 'unlimited'),
  },
})

const { fields, optional } = schemas.schemasOf({ ...sharedFields, ...serviceFields })

export const services = {
  'list-services': endpoint({
    summary: 'List the services of a project',
    method: 'GET',
    path: servicesPath,
    response: Services,
    lists: {
      noun: 'services',
      columns: ['service_id', 'name', 'status', 'region_code', 'metadata.environment', 'created'],
    },
    status: 200,
  }),
  'get-service': endpoint({
    summary: 'Read a service',
    method: 'GET',
    path: servicePath,
    response: ServiceRecord,
    status: 200,
  }),
  'create-service': endpoint({
    summary: 'Create a service',
    method: 'POST',
    path: servicesPath,
    body: z.object({
      name: fields.name,
      ...optional('addons', 'region_code', 'replica_count', 'cpu_millis', 'memory_gbs', 'environment_tag'),
    }),
    response: ServiceRecord,
    status: 202,
    creates: 'service',
    goal: ofService.awaits(30, 'be READY', state.isReady, true),
  }),
  'fork-service': endpoint({
    summary: 'Fork a service: a new service with the data of its parent',
    method: 'POST',
    path: `${servicePath}/forkService`,
    body: z
      .object({
        fork_strategy: fields.fork_strategy,
        ...optional('target_time', 'name', 'cpu_millis', 'memory_gbs', 'environment_tag'),
      })
      .check(
        z.refine(body => body.fork_strategy !== 'PITR' || body.target_time !== undefined, {
          error: 'a date and time to fork from, like 2026-01-31T12:00:00Z, because fork_strategy is PITR',
          path: ['target_time'],
        }),
        z.refine(body => body.fork_strategy === 'PITR' || body.target_time === undefined, {
          error: 'nothing, because it requires fork_strategy PITR',
          path: ['target_time'],
        }),
      ),
    response: ServiceRecord,
    status: 202,
    creates: 'service',
    goal: ofService.awaits(30, 'be READY', state.isReady, true),
  }),
  'delete-service': endpoint({
    summary: 'Delete a service and all its data',
    method: 'DELETE',
    path: servicePath,
    status: 202,
    goal: gone('service'),
  }),
  'start-service': endpoint({
    summary: 'Start a paused service',
    method: 'POST',
    path: `${servicePath}/start`,
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    ...ofService.becomes('be READY', state.isReady, 'refused', {
      comes: ['QUEUED', 'CONFIGURING', 'RESUMING'],
      serves: true,
    }),
  }),
  'stop-service': endpoint({
    summary: 'Pause a service',
    method: 'POST',
    path: `${servicePath}/stop`,
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    ...ofService.becomes('be PAUSED', ({ status }) => status === 'PAUSED', 'refused', { comes: ['PAUSING'] }),
  }),
  'resize-service': endpoint({
    summary: 'Change the CPU and memory of a service',
    method: 'POST',
    path: `${servicePath}/resize`,
    body: z.object({ cpu_millis: schemas.sizeDigits('500'), memory_gbs: schemas.sizeDigits('2') }),
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    ...ofService.becomes(state.describeSizes, state.isReadyWithSizes, 'spared'),
  }),
  'rename-service': endpoint({
    summary: 'Rename a service',
    method: 'POST',
    path: `${servicePath}/rename`,
    body: z.object({ name: fields.name }),
    response: ServiceRecord,
    repeatable: true,
    status: 200,
    already: alreadyIf(state.describeName, state.isNamed, 'sent'),
  }),
  'set-environment': endpoint({
    summary: 'Tag a service as DEV or PROD',
    method: 'POST',
    path: `${servicePath}/setEnvironment`,
    body: z.object({ environment: fields.environment }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    ...ofService.becomes(state.describeTag, state.isTagged, 'sent'),
  }),
  'set-ha': endpoint({
    summary: 'Set the number of high-availability replicas of a service',
    method: 'POST',
    path: `${servicePath}/setHA`,
    body: z
      .object({
        ...optional('sync_replica_count', 'replica_count'),
      })
      .check(
        z.refine(body => body.sync_replica_count !== undefined || body.replica_count !== undefined, {
          error: 'a number in replica_count, sync_replica_count or both',
          path: ['replica_count'],
        }),
      ),
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    ...ofService.becomes('have these high-availability replicas', state.isReadyWithReplicas, 'spared'),
  }),
  'enable-data-tiering': endpoint({
    summary: 'Enable data tiering for a service, which cannot be undone through the API',
    method: 'POST',
    path: `${servicePath}/enableDataTiering`,
    response: ServiceRecord,
    repeatable: true,
    status: 200,
    ...ofService.becomes(
      'have data tiering enabled',
      ({ data_tiering }) => data_tiering?.enabled === true,
      'sent',
    ),
  }),
  'update-password': endpoint({
    summary: "Set the password of a service's user",
    method: 'POST',
    path: `${servicePath}/updatePassword`,
    body: z.object({ password: fields.password }),
    repeatable: true,
    already: undefined,
    status: 204,
  }),
  'enable-pooler': endpoint({
    summary: 'Enable the connection pooler of a service',
    method: 'POST',
    path: `${servicePath}/enablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    ...ofService.becomes('have its connection pooler', state.hasPooler, 'sent', { serves: true }),
  }),
  'disable-pooler': endpoint({
    summary: 'Disable the connection pooler of a service',
    method: 'POST',
    path: `${servicePath}/disablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    ...ofService.becomes('have no connection pooler', state.hasNoPooler, 'sent'),
  }),
}
