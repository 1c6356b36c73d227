/** Tests operations with one request. */
import { describe, expect, it, test } from 'vitest'
import { resourceOf } from '#operations/base/endpoint-outcome'
import { replaceLostPassword } from '#operations/create/create'
import { rowOperations } from '#operations/endpoint-operation'
import { contract } from '../support/contract.ts'
import { endpointOf } from '../support/endpoint-of.ts'
import { fakeContext } from '../support/fake-context.ts'
import { json } from '../support/fake-seam.ts'

/** It is waited for, read back, and becomes the outputs. */
describe('the record that an operation concerns', () => {
  test.each(contract.map(row => [row.operation, row.resource]))('of %s is: %s', (name, resource) => {
    expect(resourceOf(endpointOf(name))).toBe(resource)
  })
})

describe('the new password of a service after a lost answer', () => {
  it('is the derived one', async () => {
    const { context, seam } = fakeContext([json(204)], {
      derivePassword: id => `derived for ${id}`,
    })
    const ids = { project_id: 'p1', service_id: 's1' }
    const outcome = { operation: 'create-service', resource: 'service' as const, ids, adopted: true }
    expect(await replaceLostPassword(context, outcome)).toMatchObject({ password: 'derived for s1' })
    expect(seam.requests.map(({ body }) => body)).toEqual(['{"password":"derived for s1"}'])
  })
})

/** Later steps may work in the project of the key without naming it. */
describe('the output project_id', () => {
  const one = { id: 'p1', name: 'shop' }
  test.each<[string, string, unknown, string | undefined]>([
    ['of the key', 'get-auth-info', { type: 'apiKey', apiKey: { project: one } }, 'p1'],
    ['by its newer spelling', 'get-auth-info', { api_key: { project: one } }, 'p1'],
    ['of a key that does not say', 'get-auth-info', { type: 'apiKey' }, undefined],
    ['of the only project', 'list-projects', [one], 'p1'],
    ['of several', 'list-projects', [one, { id: 'p2' }], undefined],
    ['of none', 'list-projects', [], undefined],
  ])('%s (%s)', async (_, name, answer, project_id) => {
    const { context } = fakeContext([json(200, answer)], { settings: { wait: true } })
    const outcome = await rowOperations.find(operation => operation.name === name)?.run({}, context)
    expect(outcome?.ids).toEqual(project_id === undefined ? {} : { project_id })
  })
})
