import { describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '../../src/api/endpoints.ts'
import { resourceOf } from '../../src/operations/endpoint-outcome.ts'
import { contract } from '../support/contract.ts'

/** It is waited for, read back, and becomes the outputs. */
describe('the record that an operation is about', () => {
  test.each(contract.map(row => [row.operation, row.resource]))('of %s is: %s', (name, resource) => {
    expect(resourceOf(endpoints[name as EndpointName])).toBe(resource)
  })
})
