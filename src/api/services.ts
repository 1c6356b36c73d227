/** Rows of the contract: services. */
import * as z from 'zod/mini'
import {
  hasPooler,
  isNamed,
  serviceAlready,
  wordsOfName,
  wordsOfNoPooler,
  wordsOfPooler,
  wordsOfSizes,
  wordsOfTag,
} from './already.ts'
import { endpoint } from './endpoint.ts'
import { fields } from './fields/fields.ts'
import { gone, noPoolerAwaited, poolerAwaited, serviceIs, sizesAwaited, tagAwaited } from './goal.ts'
import { ActionResult, Service as ServiceRecord, Services } from './records.ts'
import {
  isPaused,
  isReady,
  isReadyWithReplicas,
  isReadyWithSizes,
  isTagged,
  isTiered,
} from './service-states.ts'

const project = '/projects/{project_id}/services'
const service = `${project}/{service_id}` as const

export const services = {
  'list-services': endpoint({
    summary: 'List the services of a project',
    method: 'GET',
    path: project,
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
    path: service,
    response: ServiceRecord,
    status: 200,
  }),
  'create-service': endpoint({
    summary: 'Create a service',
    method: 'POST',
    path: project,
    body: z.object({
      name: fields.name,
      addons: z.optional(fields.addons),
      region_code: z.optional(fields.region_code),
      replica_count: z.optional(fields.replica_count),
      cpu_millis: z.optional(fields.cpu_millis),
      memory_gbs: z.optional(fields.memory_gbs),
      environment_tag: z.optional(fields.environment_tag),
    }),
    response: ServiceRecord,
    status: 202,
    creates: 'service',
    goal: serviceIs(30, 'be READY', isReady, true),
  }),
  'fork-service': endpoint({
    summary: 'Fork a service: a new service with the data of its parent',
    method: 'POST',
    path: `${service}/forkService`,
    body: z
      .object({
        fork_strategy: fields.fork_strategy,
        target_time: z.optional(fields.target_time),
        name: z.optional(fields.name),
        cpu_millis: z.optional(fields.cpu_millis),
        memory_gbs: z.optional(fields.memory_gbs),
        environment_tag: z.optional(fields.environment_tag),
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
    goal: serviceIs(30, 'be READY', isReady, true),
  }),
  'delete-service': endpoint({
    summary: 'Delete a service and all its data',
    method: 'DELETE',
    path: service,
    status: 202,
    goal: gone('service'),
  }),
  'start-service': endpoint({
    summary: 'Start a paused service',
    method: 'POST',
    path: `${service}/start`,
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    goal: serviceIs(10, 'be READY', isReady, true),
    already: serviceAlready({
      is: isReady,
      words: () => 'is already READY',
      comes: ['QUEUED', 'CONFIGURING', 'RESUMING'],
      call: 'refused',
    }),
  }),
  'stop-service': endpoint({
    summary: 'Pause a service',
    method: 'POST',
    path: `${service}/stop`,
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    goal: serviceIs(10, 'be PAUSED', isPaused),
    already: serviceAlready({
      is: isPaused,
      words: () => 'is already PAUSED',
      comes: ['PAUSING'],
      call: 'refused',
    }),
  }),
  'resize-service': endpoint({
    summary: 'Change the CPU and memory of a service',
    method: 'POST',
    path: `${service}/resize`,
    body: z.object({ cpu_millis: fields.sizeDigits('500'), memory_gbs: fields.sizeDigits('2') }),
    response: ServiceRecord,
    status: 202,
    repeatable: false,
    goal: serviceIs(10, sizesAwaited, isReadyWithSizes),
    already: serviceAlready({ is: isReadyWithSizes, words: wordsOfSizes, call: 'spared' }),
  }),
  'rename-service': endpoint({
    summary: 'Rename a service',
    method: 'POST',
    path: `${service}/rename`,
    body: z.object({ name: fields.name }),
    response: ServiceRecord,
    repeatable: true,
    status: 200,
    already: serviceAlready({ is: isNamed, words: wordsOfName, call: 'sent' }),
  }),
  'set-environment': endpoint({
    summary: 'Tag a service as DEV or PROD',
    method: 'POST',
    path: `${service}/setEnvironment`,
    body: z.object({ environment: fields.environment }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    goal: serviceIs(10, tagAwaited, isTagged),
    already: serviceAlready({ is: isTagged, words: wordsOfTag, call: 'sent' }),
  }),
  'set-ha': endpoint({
    summary: 'Set the number of high-availability replicas of a service',
    method: 'POST',
    path: `${service}/setHA`,
    body: z
      .object({
        sync_replica_count: z.optional(fields.sync_replica_count),
        replica_count: z.optional(fields.replica_count),
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
    goal: serviceIs(10, 'have these high-availability replicas', isReadyWithReplicas),
    already: serviceAlready({
      is: isReadyWithReplicas,
      words: () => 'already has these high-availability replicas',
      call: 'spared',
    }),
  }),
  'enable-data-tiering': endpoint({
    summary: 'Enable data tiering for a service, which cannot be undone through the API',
    method: 'POST',
    path: `${service}/enableDataTiering`,
    response: ServiceRecord,
    repeatable: true,
    status: 200,
    goal: serviceIs(10, 'have data tiering enabled', isTiered),
    already: serviceAlready({ is: isTiered, words: () => 'already has data tiering enabled', call: 'sent' }),
  }),
  'update-password': endpoint({
    summary: "Set the password of a service's user",
    method: 'POST',
    path: `${service}/updatePassword`,
    body: z.object({ password: fields.password }),
    repeatable: true,
    already: undefined,
    status: 204,
  }),
  'enable-pooler': endpoint({
    summary: 'Enable the connection pooler of a service',
    method: 'POST',
    path: `${service}/enablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    goal: serviceIs(10, poolerAwaited, hasPooler, true),
    already: serviceAlready({ is: hasPooler, words: wordsOfPooler, call: 'sent' }),
  }),
  'disable-pooler': endpoint({
    summary: 'Disable the connection pooler of a service',
    method: 'POST',
    path: `${service}/disablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    goal: serviceIs(10, noPoolerAwaited, record => !hasPooler(record)),
    already: serviceAlready({ is: record => !hasPooler(record), words: wordsOfNoPooler, call: 'sent' }),
  }),
}
