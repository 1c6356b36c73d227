import { describe, expect, it, test } from 'vitest'
import type { EndpointName } from '../../src/api/endpoints.ts'
import { RequestTimeoutError, TransportError } from '../../src/client/errors.ts'
import type { Intent, Journal, Settings } from '../../src/operations/context.ts'
import { runEndpoint } from '../../src/operations/endpoint-operation.ts'
import { fakeContext } from '../support/fake-context.ts'
import { html, json, refusal, type Scripted } from '../support/fake-seam.ts'

/** When the world of a fake seam begins. */
const start = Date.parse('2026-01-31T12:00:00Z')
const created = (seconds: number) => new Date(start + seconds * 1000).toISOString()
const service = (id: string, seconds: number, more = {}) => ({
  service_id: id,
  name: 'shop',
  status: 'QUEUED',
  created: created(seconds),
  ...more,
})
const list = (...services: object[]) => json(200, services)
const answered = json(202, service('s1', 0, { initial_password: 'first-password' }))
const reset = () => new TransportError('connection reset', { neverSent: false })
const refused = () => new TransportError('connection refused', { neverSent: true })

interface Creating {
  deadline?: number
  operation?: EndpointName
  given?: Record<string, unknown>
}

/** Creates a service while the network answers by the script; `wait` off, so that nothing comes after it. */
function creating(script: Scripted[], options: Creating = {}) {
  const { deadline = 600_000, operation = 'create-service', given = { name: 'shop' } } = options
  const intents: (Intent | undefined)[] = []
  const events: string[] = []
  const journal: Journal = {
    intend: intent => void intents.push(intent),
    withdraw: () => void intents.push(undefined),
    created: record => void events.push(`created ${record.ids.service_id}`),
  }
  const settings = { projectId: 'p1', wait: false } as Settings
  const fake = fakeContext(script, { journal, settings, deadline })
  return { ...fake, intents, events, done: runEndpoint(operation, given, fake.context) }
}

const calls = (seam: { requests: { method: string; url: string; at: number }[] }) =>
  seam.requests.map(({ method, at }) => `${method} ${at / 1000}`)

describe('an answer that is lost', () => {
  const doubts: [string, Scripted][] = [
    ['a reset', reset()],
    ['a timeout', new RequestTimeoutError(60_000)],
    ['a 408', refusal(408)],
    ['a 500', refusal(500)],
    ['a page with 502', html(502)],
    ['a page with 429', html(429)],
    ['a page with 404', html(404)],
    ['a redirect', html(302)],
    ['half of the JSON', { ...answered, body: answered.body.slice(0, 40) }],
    ['an answer without the id', json(202, { name: 'shop' })],
    ['an answer without a body', json(202)],
  ]
  test.each(doubts)('with %s: what is in the list is adopted', async (_, doubt) => {
    const { seam, warnings, events, done } = creating([list(), doubt, list(), list(service('s1', 1))])
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, created: true, adopted: true })
    expect(calls(seam)).toEqual(['GET 0', 'POST 0', 'GET 2', 'GET 5'])
    expect(events).toEqual(['created s1'])
    expect(warnings[0]).toBe(
      'the answer of create-service was lost; service "shop" was found in the list: s1',
    )
    expect(warnings[1]).toContain('set one with update-password')
  })

  it('is looked for over a minute, then sent for once more', async () => {
    const empty = Array.from({ length: 6 }, () => list())
    const { seam, intents, done } = creating([list(), reset(), ...empty, answered])
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, initialPassword: 'first-password' })
    expect(calls(seam)).toEqual([
      ...['GET 0', 'POST 0', 'GET 2', 'GET 5', 'GET 10', 'GET 20', 'GET 40', 'GET 65'],
      'POST 65',
    ])
    expect(intents.map(intent => intent?.posts)).toEqual([1, 2])
    expect(intents[1]).toMatchObject({ lastSent: start + 65_000 })
  })

  it('is sent for twice at most, and looked for once more before failing', async () => {
    const empty = Array.from({ length: 6 }, () => list())
    const { seam, intents, done } = creating([list(), reset(), ...empty, reset(), ...empty])
    await expect(done).rejects.toMatchObject({
      name: 'LostAnswerError',
      message:
        'create-service (POST /projects/p1/services) failed: connection reset; ' +
        'sent 2 times, service "shop" did not appear in the list',
      next: expect.stringContaining('delete what is not needed'),
    })
    expect(calls(seam).filter(call => call.startsWith('POST'))).toHaveLength(2)
    expect(calls(seam).at(-1)).toBe('GET 130')
    expect(intents.at(-1)).toMatchObject({ posts: 2, searched: true })
  })

  it('is looked for once more where the second request is turned down', async () => {
    const empty = Array.from({ length: 6 }, () => list())
    const script = [list(), reset(), ...empty, refusal(409, 'limit reached'), list(service('s1', 60))]
    const { intents, done } = creating(script)
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
    expect(intents).not.toContain(undefined)
  })

  it('is not sent for again while the list cannot be read', async () => {
    const down = Array.from({ length: 5 + 5 }, () => refusal(503))
    const { seam, done } = creating([list(), reset(), ...down])
    await expect(done).rejects.toThrow('could not be looked for long enough')
    expect(calls(seam).filter(call => call.startsWith('POST'))).toHaveLength(1)
  })

  it('is looked for until the deadline, and no longer', async () => {
    const { seam, done } = creating([list(), reset(), list(), list(), list()], { deadline: 7000 })
    await expect(done).rejects.toThrow('could not be looked for long enough')
    expect(calls(seam)).toEqual(['GET 0', 'POST 0', 'GET 2', 'GET 5', 'GET 7'])
  })

  it('is left to the end of the job where the job is cancelled', async () => {
    const { seam, intents, controller, done } = creating([list(), reset(), list()])
    seam.at(3000, () => controller.abort(new Error('cancelled')))
    await expect(done).rejects.toThrow('cancelled')
    expect(intents).toHaveLength(1)
  })
})

describe('of several that look alike', () => {
  it('none that was there before is taken', async () => {
    const before = service('old', -1000)
    const { done } = creating([list(before), reset(), list(before), list(before, service('s1', 1))])
    expect(await done).toMatchObject({ ids: { service_id: 's1' } })
  })

  it.each<[string, object]>([
    ['was made long before the request', service('s0', -3600)],
    ['was made long after it', service('s9', 3600)],
    ['is tagged PROD', service('s9', 1, { metadata: { environment: 'PROD' } })],
    ['has another name', service('s9', 1, { name: 'shop-2' })],
  ])('none is taken that %s', async (_, other) => {
    const { done } = creating([list(), reset(), list(other), list(other, service('s1', 1))])
    expect(await done).toMatchObject({ ids: { service_id: 's1' } })
  })

  it('the oldest is taken, and the other left alone: it may be of another job', async () => {
    const both = list(service('s2', 2), service('s1', 1))
    const { seam, warnings, done } = creating([list(), reset(), both])
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
    expect(seam.requests.map(({ method }) => method)).not.toContain('DELETE')
    expect(warnings.join()).toMatch(/service s2 has the same name.*left alone/)
  })

  it('is the twin of an answered one deleted where nobody else can have come upon the name', async () => {
    const empty = Array.from({ length: 6 }, () => list())
    const named = (id: string, seconds: number) => service(id, seconds, { name: 'parent-fork-80000000' })
    const script = [
      reset(),
      ...empty,
      json(202, named('s2', 66)),
      list(named('s1', 60), named('s2', 66)),
      json(202),
    ]
    const fork = { service_id: 'parent', fork_strategy: 'NOW' }
    const { seam, done } = creating(script, { operation: 'fork-service', given: fork })
    expect(await done).toMatchObject({ ids: { service_id: 's2' }, adopted: false })
    expect(seam.requests.at(-1)).toMatchObject({ method: 'DELETE', url: expect.stringMatching(/\/s1$/) })
  })

  it('is the twin deleted where nobody else can have come upon the name', async () => {
    const empty = Array.from({ length: 6 }, () => list())
    const named = (id: string, seconds: number) => service(id, seconds, { name: 'parent-fork-80000000' })
    const both = list(named('s2', 66), named('s1', 60))
    const script = [reset(), ...empty, reset(), both, json(202)]
    const fork = { service_id: 'parent', fork_strategy: 'NOW' }
    const { seam, done } = creating(script, { operation: 'fork-service', given: fork })
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
    expect(seam.requests.at(-1)).toMatchObject({ method: 'DELETE', url: expect.stringMatching(/\/s2$/) })
  })

  it.each([undefined, 'yesterday'])('one that is dated %s is taken rather than made again', async date => {
    const { done } = creating([list(), reset(), list(service('s1', 0, { created: date }))])
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
  })
})

describe('a request that surely did nothing', () => {
  it.each([400, 401, 403, 404, 409])('fails at once with %i, with nothing to clean up', async status => {
    const { seam, intents, done } = creating([list(), refusal(status)])
    await expect(done).rejects.toThrow(`failed with ${status}`)
    expect(seam.requests).toHaveLength(2)
    expect(intents.at(-1)).toBeUndefined()
  })

  it('is sent again after a refused connection, and written down each time', async () => {
    const { intents, done } = creating([list(), refused(), refused(), answered])
    expect(await done).toMatchObject({ ids: { service_id: 's1' } })
    expect(intents.map(intent => intent?.posts)).toEqual([1, 1, 1])
    expect(intents.at(-1)?.lastSent).toBeGreaterThan(start)
  })

  it('is sent again after a 429, not before its Retry-After', async () => {
    const { seam, done } = creating([list(), refusal(429, 'slow down', { 'retry-after': '30' }), answered])
    await done
    expect(calls(seam)).toEqual(['GET 0', 'POST 0', 'POST 30'])
  })

  it('fails with the second 429', async () => {
    const { seam, intents, done } = creating([list(), refusal(429), refusal(429)])
    await expect(done).rejects.toThrow('failed with 429')
    expect(calls(seam)).toEqual(['GET 0', 'POST 0', 'POST 2'])
    expect(intents.at(-1)).toBeUndefined()
  })
})

it('goes by the server’s clock where the runner’s is wrong', async () => {
  const hour = 3_600_000
  const dated = (answer: ReturnType<typeof json>) => ({
    ...answer,
    headers: { ...answer.headers, date: new Date(start + hour).toUTCString() },
  })
  const found = dated(list(service('s1', 3601)))
  const { done } = creating([dated(list()), reset(), found])
  expect(await done).toMatchObject({ ids: { service_id: 's1' } })
})
