import { describe, expect, test } from 'vitest'
import { operations } from '../../src/action/operation-table.ts'
import type { EndpointName } from '../../src/api/endpoints.ts'

const service = 'project_id service_id'
const set = `${service} replica_set_id`
const wait = 'wait wait_timeout'
const connection = 'database_name database_user sslmode export_env'
const serving = `${wait} wait_for_connection`
const created = `${serving} cleanup ${connection}`
const sizes = 'cpu_millis memory_gbs'

/** The inputs of each operation, those apart that every operation uses. */
const inputs: Record<EndpointName, string> = {
  'get-auth-info': '',
  'identify-user': 'properties',
  'track-event': 'event properties',
  'list-projects': '',
  'list-services': 'project_id',
  'create-service': `project_id name addons region_code replica_count ${sizes} environment_tag ${created} password_secret`,
  'get-service': `${service} ${connection}`,
  'delete-service': `${service} ${wait}`,
  'start-service': `${service} ${serving} ${connection}`,
  'stop-service': `${service} ${wait} ${connection}`,
  'resize-service': `${service} ${sizes} ${wait} ${connection}`,
  'update-password': `${service} password ${connection}`,
  'set-environment': `${service} environment ${wait} ${connection}`,
  'set-ha': `${service} sync_replica_count replica_count ${wait} ${connection}`,
  'enable-pooler': `${service} ${wait} ${connection}`,
  'disable-pooler': `${service} ${wait} ${connection}`,
  'fork-service': `${service} fork_strategy target_time name ${sizes} environment_tag ${created} password_secret`,
  'attach-vpc': `${service} vpc_id ${wait} ${connection}`,
  'detach-vpc': `${service} vpc_id ${wait} ${connection}`,
  'rename-service': `${service} name ${connection}`,
  'get-service-logs': `${service} cursor until since search severities`,
  'list-replicas': service,
  'create-replica': `${service} name nodes ${sizes} ${created}`,
  'delete-replica': `${set} ${wait}`,
  'resize-replica': `${set} ${sizes} ${wait} ${connection}`,
  'enable-replica-pooler': `${set} ${wait} ${connection}`,
  'disable-replica-pooler': `${set} ${wait} ${connection}`,
  'set-replica-environment': `${set} environment ${wait} ${connection}`,
  'list-vpcs': 'project_id',
  'create-vpc': 'project_id name cidr region_code cleanup',
  'get-vpc': 'project_id vpc_id',
  'delete-vpc': `project_id vpc_id ${wait}`,
  'rename-vpc': 'project_id vpc_id name',
  'list-peerings': 'project_id vpc_id',
  'create-peering': `project_id vpc_id peer_account_id peer_region_code peer_vpc_id ${wait} cleanup`,
  'get-peering': 'project_id vpc_id peering_id',
  'delete-peering': `project_id vpc_id peering_id ${wait}`,
}

describe('the inputs', () => {
  test.each(Object.entries(inputs))('of %s are: %s', (name, expected) => {
    const used = operations.get(name)?.inputs ?? []
    expect([...used].sort()).toEqual(expected.split(' ').filter(Boolean).sort())
    expect(new Set(used).size).toBe(used.length)
  })
})

test('an operation has the name that it is found by', () => {
  for (const [name, operation] of operations) expect(operation.name).toBe(name)
})
