import { describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '../../src/api/endpoints.ts'
import type { Resource } from '../../src/api/resource.ts'
import { resourceOf } from '../../src/operations/endpoint-outcome.ts'

/** The kind of record that each operation is about: it is waited for, read back, and becomes the outputs. */
const resources: Record<EndpointName, Resource | undefined> = {
  'get-auth-info': undefined,
  'identify-user': undefined,
  'track-event': undefined,
  'list-projects': undefined,
  'list-services': undefined,
  'create-service': 'service',
  'get-service': 'service',
  'delete-service': 'service',
  'start-service': 'service',
  'stop-service': 'service',
  'resize-service': 'service',
  'update-password': 'service',
  'set-environment': 'service',
  'set-ha': 'service',
  'enable-pooler': 'service',
  'disable-pooler': 'service',
  'fork-service': 'service',
  'attach-vpc': 'service',
  'detach-vpc': 'service',
  'rename-service': 'service',
  'get-service-logs': undefined,
  'list-replicas': undefined,
  'create-replica': 'replica_set',
  'delete-replica': 'replica_set',
  'resize-replica': 'replica_set',
  'enable-replica-pooler': 'replica_set',
  'disable-replica-pooler': 'replica_set',
  'set-replica-environment': 'replica_set',
  'list-vpcs': undefined,
  'create-vpc': 'vpc',
  'get-vpc': 'vpc',
  'delete-vpc': 'vpc',
  'rename-vpc': 'vpc',
  'list-peerings': undefined,
  'create-peering': 'peering',
  'get-peering': 'peering',
  'delete-peering': 'peering',
}

describe('the record that an operation is about', () => {
  test.each(Object.entries(resources))('of %s is: %s', (name, resource) => {
    expect(resourceOf(endpoints[name as EndpointName])).toBe(resource)
  })
})
