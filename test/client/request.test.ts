/** Tests the composition of requests. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type EndpointName, endpoints } from '#api/endpoints'
import { buildRequest } from '#client/request'

const build = (operation: EndpointName, parameters: Record<string, unknown>) =>
  buildRequest(endpoints[operation], parameters)

const service = { project_id: 'p1', service_id: 's1' }

describe('a request', () => {
  test.each<[string, EndpointName, Record<string, unknown>, object]>([
    ['without parameters', 'get-auth-info', {}, { path: '/auth/info', body: undefined }],
    ['with ids on its path', 'get-service', service, { path: '/projects/p1/services/s1', body: undefined }],
    [
      'with all ids there are',
      'resize-replica',
      { ...service, replica_set_id: 'r-1', cpu_millis: '500', memory_gbs: '2' },
      {
        path: '/projects/p1/services/s1/replicaSets/r-1/resize',
        body: '{"cpu_millis":"500","memory_gbs":"2"}',
      },
    ],
    [
      'with the id of a VPC in its body, not on its path',
      'attach-vpc',
      { ...service, vpc_id: '7' },
      { path: '/projects/p1/services/s1/attachToVPC', body: '{"vpc_id":"7"}' },
    ],
    [
      'with the fields of the body that are given',
      'create-service',
      { project_id: 'p1', name: 'a', addons: [], replica_count: 0, region_code: undefined, service_id: 'x' },
      { path: '/projects/p1/services', body: '{"name":"a","addons":[],"replica_count":0}' },
    ],
    [
      'with an empty body if the API takes one but no field is given',
      'identify-user',
      {},
      { path: '/analytics/identify', body: '{}' },
    ],
    ['without a body if it has none', 'start-service', { ...service, name: 'a' }, { body: undefined }],
    [
      'without a query if no field of it is given',
      'get-service-logs',
      { ...service, search: [], until: undefined },
      { path: '/projects/p1/services/s1/logs' },
    ],
    [
      'with a query that repeats the name for each of a list',
      'get-service-logs',
      { ...service, search: ['a b', 'c&d=e'], severities: ['ERROR'], cursor: '=/+', name: 'x' },
      { path: '/projects/p1/services/s1/logs?cursor=%3D%2F%2B&search=a+b&search=c%26d%3De&severities=ERROR' },
    ],
  ])('is built %s', (_, operation, parameters, expected) => {
    expect(build(operation, parameters)).toMatchObject(expected)
  })
})

describe('an invalid id', () => {
  test.each([
    undefined,
    null,
    7,
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a%2Fb',
    'a?b',
    'a#b',
    'a b',
    'a\n',
    '-a',
    '_a',
    'é',
    'a'.repeat(65),
    ['a'],
    { toString: () => 'a' },
  ])('does not get into the path: %j', id => {
    expect(() => build('get-service', { project_id: 'p1', service_id: id })).toThrow('is not an id')
    expect(() => build('get-service', { project_id: id, service_id: 's1' })).toThrow(
      'project_id is not an id and must not enter the path /projects/{project_id}/services/{service_id}',
    )
  })

  it('does not get into the path, for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary-ascii' }),
      fc
        .array(fc.constantFrom('a', 'b-1', '.', '..', '/', '%2F', '~', '!', '@', ':', ''))
        .map(parts => parts.join('')),
      fc.constantFrom('..', '%2e'),
    )
    fc.assert(
      fc.property(text, id => {
        const isId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id) && !id.endsWith('\n')
        if (isId)
          expect(build('get-vpc', { project_id: 'p1', vpc_id: id }).path).toBe(`/projects/p1/vpcs/${id}`)
        else expect(() => build('get-vpc', { project_id: 'p1', vpc_id: id })).toThrow('is not an id')
      }),
    )
  })
})
