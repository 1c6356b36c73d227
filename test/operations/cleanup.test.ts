import { describe, expect, it } from 'vitest'
import { cleanUp } from '../../src/operations/cleanup.ts'
import type { Intent } from '../../src/operations/context.ts'
import { fakeContext } from '../support/fake-context.ts'
import { json, refusal } from '../support/fake-seam.ts'

/** When the world of a fake seam begins. */
const start = Date.parse('2026-01-31T12:00:00Z')
const service = (id: string) => ({
  service_id: id,
  name: 'shop',
  status: 'READY',
  created: new Date(start + 1000).toISOString(),
})
const intent: Intent = {
  operation: 'create-service',
  resource: 'service',
  ids: { project_id: 'p1' },
  match: { name: 'shop' },
  existing: [],
  unique: false,
  production: false,
  posts: 2,
  lastSent: start,
}
const vpcIntent: Intent = { ...intent, operation: 'create-vpc', resource: 'vpc', match: { name: 'network' } }
const network = { id: '7', name: 'network', cidr: '10.0.0.0/24', region_code: 'us-east-1' }

const created = { resource: 'service' as const, ids: { project_id: 'p1', service_id: 's1' } }
const gone = [refusal(404), json(200, [])]

const deletions = (requests: { method: string; url: string }[]) =>
  requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url.split('/').at(-1))

it('asks for the deletion of a twin also where the first one takes all of the time', async () => {
  const stays = Array.from({ length: 80 }, () => json(200, { ...service('s1'), status: 'DELETING' }))
  const { context, seam } = fakeContext(
    [json(200, [service('s1'), service('s2')]), json(202), json(202), ...stays],
    { deadline: 60_000 },
  )
  await expect(cleanUp(context, { intent: { ...intent, unique: true }, created })).rejects.toThrow(
    'service s1 is not gone',
  )
  expect(deletions(seam.requests)).toEqual(['s1', 's2'])
})

describe('what was looked for in vain until it could not appear any more', () => {
  it('is not a VPC of the same name that is there by the end of the job: another job made it since', async () => {
    const { context, seam, lines } = fakeContext([json(200, [network])])
    await cleanUp(context, { intent: { ...vpcIntent, searched: true }, created: undefined })
    expect(deletions(seam.requests)).toEqual([])
    expect(lines).toEqual(['cleanup: nothing was created'])
  })

  it('is a service where its date tells that it was made in time all the same', async () => {
    const { context, seam } = fakeContext([json(200, [service('s1')]), json(202), ...gone])
    await cleanUp(context, { intent: { ...intent, searched: true }, created: undefined })
    expect(deletions(seam.requests)).toEqual(['s1'])
  })
})

it('deletes a VPC that was not looked for long enough', async () => {
  const { context, seam } = fakeContext([json(200, [network]), json(204), ...gone])
  await cleanUp(context, { intent: vpcIntent, created: undefined })
  expect(deletions(seam.requests)).toEqual(['7'])
})

it('deletes nothing where it cannot be told which of two is ours', async () => {
  const { context, seam } = fakeContext([json(200, [service('s1'), service('s2')])])
  const doubt = cleanUp(context, { intent: { ...intent, posts: 1 }, created: undefined })
  await expect(doubt).rejects.toThrow('one of s1, s2, and nothing tells which')
  expect(deletions(seam.requests)).toEqual([])
})

it('deletes only what it knows by its id where others use the name', async () => {
  const list = json(200, [service('old'), service('s1'), service('s2')])
  const { context, seam } = fakeContext([list, json(202), ...gone])
  await cleanUp(context, { intent: { ...intent, existing: ['old'] }, created })
  expect(deletions(seam.requests)).toEqual(['s1'])
})

it('does not take a record for gone that is too new to be seen', async () => {
  const { context, seam } = fakeContext([refusal(404), refusal(404), json(202), ...gone])
  await cleanUp(context, { intent: { ...intent, posts: 1 }, created })
  expect(deletions(seam.requests)).toEqual(['s1', 's1', 's1'])
})

it('takes an old record for gone at once', async () => {
  const old = { ...intent, posts: 1, lastSent: start - 61_000 }
  const { context, seam } = fakeContext([refusal(404), refusal(404), ...gone])
  await cleanUp(context, { intent: old, created })
  expect(deletions(seam.requests)).toEqual(['s1'])
})

it.each([404, 409])(
  'asks again after a %i for a record that is there still, and waits until it is gone',
  async status => {
    const busy = [refusal(status), json(200, service('s1'))]
    const leaving = json(200, { ...service('s1'), status: 'DELETING' })
    const { context, seam } = fakeContext([...busy, json(202), leaving, leaving, ...gone])
    await cleanUp(context, { intent: { ...intent, posts: 1 }, created })
    expect(deletions(seam.requests)).toEqual(['s1', 's1'])
    expect(seam.requests).toHaveLength(7)
  },
)
