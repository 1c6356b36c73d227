import { expect, test } from 'vitest'
import { type Description, findDrift } from '../../tools/drift/compare.ts'

const describe = (paths: Record<string, Record<string, string[]>>): Description => ({
  paths: Object.fromEntries(
    Object.entries(paths).map(([path, rows]) => [
      path,
      Object.fromEntries(
        Object.entries(rows).map(([method, fields]) => {
          const properties = Object.fromEntries(fields.map(field => [field, {}]))
          return [method, { requestBody: { content: { 'application/json': { schema: { properties } } } } }]
        }),
      ),
    ]),
  ),
})

const ours = describe({ '/a/{service_id}': { get: [], post: ['name'] } })

test.each([
  ['the same, ids named otherwise', { '/a/{id}': { get: [], post: ['name'] } }, []],
  [
    'a new endpoint',
    { '/a/{id}': { get: [], post: ['name'], delete: [] } },
    ['DELETE /a/{} is published, and we do not have it'],
  ],
  ['an endpoint less', { '/a/{id}': { post: ['name'] } }, ['GET /a/{} is ours, and not published any more']],
  [
    'another field',
    { '/a/{id}': { get: [], post: ['title'] } },
    ['POST /a/{} takes title, which we do not know', 'POST /a/{} does not take name any more'],
  ],
])('%s', (_, paths, drift) => {
  expect(findDrift(describe(paths), ours)).toEqual(drift)
})

test('references of a body are followed', () => {
  const referring = describe({ '/a/{id}': { get: [], post: [] } })
  const schema = { $ref: '#/components/schemas/New' }
  referring.paths['/a/{id}'] = {
    get: {},
    post: { requestBody: { content: { 'application/json': { schema } } } },
  }
  referring.components = { schemas: { New: { allOf: [{ properties: { name: {} } }] } } }
  expect(findDrift(referring, ours)).toEqual([])
})
