/** Rows of the contract: read replica sets. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as schemas from './fields/field-schemas.ts'
import { expression } from './fields/input.ts'
import { sharedFields, target } from './fields/shared-fields.ts'
import { gone, ofReplicaSet } from './goal.ts'
import {
  ActionResult,
  type ReadReplicaSet,
  ReadReplicaSet as ReadReplicaSetRecord,
  ReadReplicaSets,
} from './records.ts'
import { describeSizes, describeTag, hasNoPooler, hasPooler, isTagged, type Sizes } from './service-states.ts'

const replicaSetsPath = '/projects/{project_id}/services/{service_id}/replicaSets'
const replicaSetPath = `${replicaSetsPath}/{replica_set_id}` as const

const isActive = (record: ReadReplicaSet) => record.status === 'active' && record.endpoint !== undefined

const isActiveWithSizes = (record: ReadReplicaSet, requested: Sizes) =>
  isActive(record) &&
  record.cpu_millis === Number(requested.cpu_millis) &&
  record.memory_gbs === Number(requested.memory_gbs)

/** Used by read replica sets only. */
export const replicaSetFields = schemas.inGroup('Read replica sets, VPCs and peerings', {
  replica_set_id: {
    about: 'Id of the read replica set.',
    example: expression('steps.replica.outputs.replica_set_id'),
    ignored: target,
    schema: schemas.resourceId,
  },
  nodes: {
    about: 'Number of nodes of the read replica set (at least 1).',
    example: '2',
    ignored: { by: 'nothing', what: 'the replica set would have the default number of nodes' },
    schema: schemas.whole(1, '1'),
  },
})

const { fields } = schemas.schemasOf({ ...sharedFields, ...replicaSetFields })

export const replicaSets = {
  'list-replicas': endpoint({
    summary: 'List the read replica sets of a service',
    method: 'GET',
    path: replicaSetsPath,
    response: ReadReplicaSets,
    lists: { noun: 'replicas', columns: ['id', 'name', 'status', 'nodes', 'cpu_millis', 'memory_gbs'] },
    status: 200,
  }),
  'create-replica': endpoint({
    summary: 'Create a read replica set',
    method: 'POST',
    path: replicaSetsPath,
    body: z.object({
      name: fields.name,
      nodes: fields.nodes,
      cpu_millis: schemas.whole(1, '500'),
      memory_gbs: schemas.whole(1, '2'),
    }),
    response: ReadReplicaSetRecord,
    status: 202,
    creates: 'replica_set',
    goal: ofReplicaSet.awaits(30, 'be active', isActive, true),
  }),
  'delete-replica': endpoint({
    summary: 'Delete a read replica set',
    method: 'DELETE',
    path: replicaSetPath,
    status: 202,
    goal: gone('replica_set'),
  }),
  'resize-replica': endpoint({
    summary: 'Change the CPU and memory of a read replica set',
    method: 'POST',
    path: `${replicaSetPath}/resize`,
    body: z.object({ cpu_millis: schemas.sizeDigits('500'), memory_gbs: schemas.sizeDigits('2') }),
    response: ActionResult,
    status: 202,
    repeatable: false,
    ...ofReplicaSet.becomes(describeSizes, isActiveWithSizes, 'spared'),
  }),
  'set-replica-environment': endpoint({
    summary: 'Tag a read replica set as DEV or PROD',
    method: 'POST',
    path: `${replicaSetPath}/setEnvironment`,
    body: z.object({ environment: fields.environment }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    ...ofReplicaSet.becomes(describeTag, isTagged, 'sent'),
  }),
  'enable-replica-pooler': endpoint({
    summary: 'Enable the connection pooler of a read replica set',
    method: 'POST',
    path: `${replicaSetPath}/enablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    ...ofReplicaSet.becomes('have its connection pooler', hasPooler, 'sent', { serves: true }),
  }),
  'disable-replica-pooler': endpoint({
    summary: 'Disable the connection pooler of a read replica set',
    method: 'POST',
    path: `${replicaSetPath}/disablePooler`,
    response: ActionResult,
    status: 200,
    repeatable: false,
    ...ofReplicaSet.becomes('have no connection pooler', hasNoPooler, 'sent'),
  }),
}
