/** Tests that a creation after a lost answer creates no duplicate. */
import { describe, expect, it, test } from 'vitest'
import type { EndpointName } from '#api/endpoints'
import { RequestTimeoutError, TransportError } from '#base/errors'
import type { Cleanup, Journal } from '#operations/base/context'
import type { CreatedRecord, Intent } from '#operations/base/journaled'
import { runEndpoint } from '#operations/endpoint-operation'
import { fakeContext } from '../support/fake-context.ts'
import { html, json, refusal, type Scripted } from '../support/fake-seam.ts'
import { repeatAnswer } from '../support/waiting.ts'

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
/** The searches of a minute that find nothing. */
const empty = repeatAnswer(6, list())
const answered = json(202, service('s1', 0, { initial_password: 'first-password' }))
const reset = () => new TransportError('connection reset', { neverSent: false })
const refused = () => new TransportError('connection refused', { neverSent: true })

interface Creating {
  deadline?: number
  operation?: EndpointName
  given?: Record<string, unknown>
  wait?: boolean
  cleanup?: Cleanup
}

/** Creates a service while the network answers by the script; `wait` off, so that nothing comes after it. */
function creating(script: Scripted[], options: Creating = {}) {
  const { deadline = 600_000, operation = 'create-service', given = { name: 'shop' } } = options
  const { wait = false, cleanup = 'never' } = options
  const intents: (Intent | undefined)[] = []
  const events: string[] = []
  const recorded: CreatedRecord[] = []
  const journal: Journal = {
    intend: intent => void intents.push(intent),
    withdraw: () => void intents.push(undefined),
    announce(record) {
      recorded.push(record)
      events.push(`created ${record.ids.service_id}`)
    },
    publish() {},
  }
  const settings = { projectId: 'p1', wait, cleanup }
  const fake = fakeContext(script, { journal, settings, deadline })
  return { ...fake, intents, events, recorded, done: runEndpoint(operation, given, fake.context) }
}

/** A name that only this step can have used, and records that bear it. */
const owned: Creating = { given: { name: 'shop-*' } }
const own = (id: string, seconds: number) => service(id, seconds, { name: 'shop-ssssssss' })

const calls = (seam: { requests: { method: string; url: string; at: number }[] }) =>
  seam.requests.map(({ method, at }) => `${method} ${at / 1000}`)

describe('a malformed entry of the list', () => {
  const odd = { service_id: 's9', name: { of: 'shop' } }
  const foreign = { service_id: 's8', name: 'another', status: 7 }

  it('does not prevent a creation if it existed before', async () => {
    const script = [list(odd, foreign), reset(), list(odd), list(odd, service('s1', 1))]
    const { recorded, done } = creating(script)
    await expect(done).rejects.toThrow('; s1 has the name of service "shop"')
    expect(recorded).toEqual([])
  })

  it('is not mistaken for the new record if it becomes readable later', async () => {
    const found = list(service('s9', 1))
    const both = list(service('s9', 1), service('s1', 0))
    const script = [list(odd), refusal(503), ...repeatAnswer(6, found), answered, both]
    const { warnings, done } = creating(script)
    expect((await done).ids.service_id).toBe('s1')
    expect(warnings.join()).not.toContain('s9')
  })

  it('may be the new record if it did not exist before: no request follows', async () => {
    const { seam, done } = creating([list(), reset(), ...repeatAnswer(12, list(odd))])
    await expect(done).rejects.toThrow('the search for it could not be completed')
    expect(seam.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('does not hide the new record', async () => {
    const found = list(odd, foreign, own('s1', 1))
    const { done } = creating([reset(), found, found], owned)
    expect((await done).ids.service_id).toBe('s1')
  })

  it('is reported as a possible duplicate of the new record', async () => {
    const script = [refusal(503), ...empty, answered, list(odd, service('s1', 0))]
    const { warnings, done } = creating([list(), ...script])
    await done
    expect(warnings[0]).toMatch(/"shop" may have been created twice, and the list is unreadable/)
  })
})

describe('a lost answer', () => {
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
  test.each(doubts)('with %s: the record in the list is adopted', async (_, doubt) => {
    const found = list(own('s1', 1))
    const { seam, warnings, events, done } = creating([doubt, list(), found, found], owned)
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, created: true, adopted: true })
    // The last one is for a second record.
    expect(calls(seam)).toEqual(['POST 0', 'GET 2', 'GET 5', 'GET 5'])
    expect(events).toEqual(['created s1'])
    expect(warnings[0]).toContain(
      'the answer of create-service was lost; service "shop-ssssssss" was found in the list: s1',
    )
    expect(warnings[1]).toContain('set one with update-password')
  })

  it('is followed by a search for a minute, then by a second request', async () => {
    const { seam, intents, done } = creating([list(), reset(), ...empty, answered, list(service('s1', 65))])
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, initialPassword: 'first-password' })
    expect(calls(seam)).toEqual([
      ...['GET 0', 'POST 0', 'GET 2', 'GET 5', 'GET 10', 'GET 20', 'GET 40', 'GET 65'],
      // For a record that the first request may have created.
      ...['POST 65', 'GET 65'],
    ])
    expect(intents.map(intent => intent?.posts)).toEqual([1, 2])
    // A record of the first request is no older than that.
    expect(intents[1]).toMatchObject({ firstSent: start, lastSent: start + 65_000 })
  })

  it('is followed by at most two requests, and a last search before the failure', async () => {
    const { seam, intents, done } = creating([list(), reset(), ...empty, reset(), ...empty])
    await expect(done).rejects.toMatchObject({
      name: 'ActionError',
      message:
        'create-service (POST /projects/p1/services) failed: connection reset; ' +
        'sent 2 times, service "shop" did not appear in the list',
      next: expect.stringContaining('delete it if it exists'),
    })
    expect(calls(seam).filter(call => call.startsWith('POST'))).toHaveLength(2)
    expect(calls(seam).at(-1)).toBe('GET 130')
    expect(intents.at(-1)).toMatchObject({ posts: 2, searched: true })
  })

  it('is followed by a last search if the second request is refused', async () => {
    const found = list(own('s1', 60))
    const script = [reset(), ...empty, refusal(409, 'limit reached'), found, found]
    const { intents, done } = creating(script, owned)
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
    expect(intents).not.toContain(undefined)
  })

  it('is not followed by a second request while the list is unreadable', async () => {
    const { seam, done } = creating([list(), reset(), ...repeatAnswer(10, refusal(503))])
    await expect(done).rejects.toThrow('the search for it could not be completed')
    expect(calls(seam).filter(call => call.startsWith('POST'))).toHaveLength(1)
  })

  it('is followed by a search until the deadline', async () => {
    const { seam, done } = creating([list(), reset(), list(), list(), list()], { deadline: 7000 })
    await expect(done).rejects.toThrow('the search for it could not be completed')
    expect(calls(seam)).toEqual(['GET 0', 'POST 0', 'GET 2', 'GET 5', 'GET 7'])
  })

  it('is left to the post step if the job is cancelled', async () => {
    const { seam, intents, controller, done } = creating([list(), reset(), list()])
    seam.at(3000, () => controller.abort(new Error('cancelled')))
    await expect(done).rejects.toThrow('cancelled')
    expect(intents).toHaveLength(1)
  })
})

describe('a record that matches the new one', () => {
  it('is ignored if it existed before', async () => {
    const before = service('old', -1000)
    const { done } = creating([list(before), reset(), list(before), list(before, service('s1', 1))])
    await expect(done).rejects.toThrow('; s1 has the name of service "shop"')
  })

  it.each<[string, object]>([
    ['was created long before the request', service('s0', -3600)],
    ['was created long after it', service('s9', 3600)],
    ['is tagged PROD', service('s9', 1, { metadata: { environment: 'PROD' } })],
    ['is tagged STAGING', service('s9', 1, { metadata: { environment: 'STAGING' } })],
    ['has another name', service('s9', 1, { name: 'shop-2' })],
  ])('is ignored if it %s', async (_, other) => {
    const { done } = creating([list(), reset(), list(other), list(other, service('s1', 1))])
    await expect(done).rejects.toThrow('; s1 has the name of service "shop"')
  })

  it('is not used if there are two that other jobs may have created: both are reported', async () => {
    const both = list(service('s2', 2), service('s1', 1))
    const { seam, intents, done } = creating([list(), reset(), both])
    await expect(done).rejects.toMatchObject({
      name: 'ActionError',
      message: expect.stringMatching(/s1, s2 have the name of service "shop"/),
      next: expect.stringContaining('put a * in the name'),
    })
    expect(seam.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
    expect(intents).toHaveLength(1)
  })

  it('is kept if another job may have created it', async () => {
    const both = list(service('s1', 60), service('s2', 66))
    const { seam, warnings, done } = creating([list(), reset(), ...empty, json(202, service('s2', 66)), both])
    expect(await done).toMatchObject({ ids: { service_id: 's2' }, adopted: false })
    expect(seam.requests.map(({ method }) => method)).not.toContain('DELETE')
    expect(warnings[0]).toBe("service s1 has the same name and is kept: it may be another job's")
  })

  it('is used without doubt if its name is unique, however old it is', async () => {
    const found = list(own('s1', -7200))
    const { warnings, recorded, done } = creating([reset(), found, found], owned)
    expect(await done).toMatchObject({ ids: { service_id: 's1' }, adopted: true })
    expect(warnings[0]).toMatch(/was found in the list: s1$/)
    expect(recorded).toEqual([expect.objectContaining({ certain: true })])
  })

  it('is not used if it is a service with an exact name, since its password may be in use', async () => {
    const { seam, recorded, intents, done } = creating([list(), reset(), list(service('s1', 1))], {
      wait: true,
    })
    await expect(done).rejects.toMatchObject({
      name: 'ActionError',
      message: expect.stringContaining(
        's1 has the name of service "shop", but another job may have created it, so its password stays unchanged',
      ),
      next: expect.stringContaining('put a * in the name, so that no other job can use the same one'),
    })
    expect(seam.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
    expect(recorded).toEqual([])
    expect(intents).toHaveLength(1)
  })

  it('is used with a warning if it is a VPC with an exact name, and saved as uncertain', async () => {
    const given = { name: 'shop', cidr: '10.0.0.0/24', region_code: 'us-east-1' }
    const script = [list(), reset(), list({ id: '7', ...given })]
    const { warnings, recorded, done } = creating(script, { operation: 'create-vpc', given })
    await done
    expect(warnings[0]).toMatch(/another job may have created it under the same name: put a \* in the name/)
    expect(recorded).toEqual([expect.objectContaining({ certain: false })])
  })

  it.each([
    ['of the parent', { forked_from: { service_id: 'parent' } }, true],
    ['that does not say of what', {}, false],
    ['of another service', { forked_from: { service_id: 'another' } }, false],
  ])("is a fork %s (%j), possibly the step's own: %s", async (_, more, taken) => {
    const found = repeatAnswer(6, list(service('s1', 1, more)))
    const given = { service_id: 'parent', fork_strategy: 'NOW', name: 'shop' }
    const script = [list(), reset(), ...found, refusal(409), ...found]
    const { done } = creating(script, { operation: 'fork-service', given })
    await expect(done).rejects.toThrow(taken ? '; s1 has the name of' : 'did not appear')
  })

  const fork = { service_id: 'parent', fork_strategy: 'NOW' }
  const named = (id: string, seconds: number, more = {}) =>
    service(id, seconds, { name: 'parent-fork-ssssssss', ...more })

  it('is deleted as a duplicate if the name is unique', async () => {
    const answer = json(202, named('s2', 66))
    const script = [reset(), ...empty, answer, list(named('s1', 60), named('s2', 66)), json(202)]
    const { seam, warnings, done } = creating(script, { operation: 'fork-service', given: fork })
    expect(await done).toMatchObject({ ids: { service_id: 's2' }, adopted: false })
    expect(seam.requests.at(-1)).toMatchObject({ method: 'DELETE', url: expect.stringMatching(/\/s1$/) })
    expect(warnings.at(-1)).toContain('may still create a second service "parent-fork-ssssssss"')
  })

  it('is kept as a possible duplicate if it is tagged PROD', async () => {
    const duplicate = named('s1', 60, { metadata: { environment: 'PROD' } })
    const script = [reset(), ...empty, json(202, named('s2', 66)), list(duplicate, named('s2', 66))]
    const { seam, warnings, done } = creating(script, { operation: 'fork-service', given: fork })
    await done
    expect(seam.requests.map(({ method }) => method)).not.toContain('DELETE')
    expect(warnings[0]).toContain('service s1 has the same name and is kept: it is tagged PROD')
  })

  it('is never the parent: an answer with its id is rejected, and the parent stays unchanged', async () => {
    const parent = json(202, service('parent', -3600))
    const { seam, done } = creating([parent, ...empty, parent, ...empty], {
      operation: 'fork-service',
      given: fork,
    })
    await expect(done).rejects.toThrow("the parent's id parent as the id of the new record; sent 2 times")
    expect(seam.requests.every(({ method }) => method !== 'DELETE')).toBe(true)
  })

  it('is waited for after a second request, unless wait is false', async () => {
    const ready = { status: 'READY', endpoint: { host: 'h', port: 1 } }
    const one = json(200, named('s2', 66, ready))
    const both = list(named('s1', 60), named('s2', 66))
    const script = [reset(), ...empty, json(202, named('s2', 66)), one, both, json(202)]
    const { seam, done } = creating(script, { operation: 'fork-service', given: fork, wait: true })
    await done
    // A request of the start may be processed 65 s late, and its record be listed 35 s after that.
    expect(calls(seam).slice(-2)).toEqual(['GET 100', 'DELETE 100'])
  })

  it.each([undefined, 'yesterday'])(
    'is reported, and no second one is created, if its date is %s',
    async date => {
      const { done } = creating([list(), reset(), list(service('s1', 0, { created: date }))])
      await expect(done).rejects.toThrow('; s1 has the name of service "shop"')
    },
  )
})

describe('a request that certainly had no effect', () => {
  it.each([400, 401, 403, 404, 409])('fails at once with %i, without cleanup', async status => {
    const { seam, intents, done } = creating([list(), refusal(status)])
    await expect(done).rejects.toThrow(`failed with ${status}`)
    expect(seam.requests).toHaveLength(2)
    expect(intents.at(-1)).toBeUndefined()
  })

  it.each([400, 403, 404, 409, 422])(
    'fails at once with %i, and the post step searches for its unique name',
    async status => {
      const { seam, intents, done } = creating([refusal(status)], owned)
      await expect(done).rejects.toThrow(`failed with ${status}`)
      expect(seam.requests).toHaveLength(1)
      expect(intents.at(-1)).toMatchObject({ match: { name: 'shop-ssssssss' }, refused: true })
    },
  )

  it.each<[string, Scripted]>([
    ['a key that is not valid', refusal(401)],
    ['too many requests', refusal(429)],
  ])('needs no search after %s', async (_, answer) => {
    const { intents, done } = creating([answer, answer], owned)
    await expect(done).rejects.toThrow('failed with')
    expect(intents.at(-1)).toBeUndefined()
  })

  it('is repeated after a refused connection, and saved before each request', async () => {
    const { intents, done } = creating([list(), refused(), refused(), answered])
    expect(await done).toMatchObject({ ids: { service_id: 's1' } })
    expect(intents.map(intent => intent?.posts)).toEqual([1, 1, 1])
    expect(intents.at(-1)?.lastSent).toBeGreaterThan(start)
  })

  it('is repeated after a 429, not before its Retry-After', async () => {
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

describe('one request that created two records', () => {
  const answer = json(202, own('s1', 0))

  it('is reported with their ids before the step ends, if the name is unique', async () => {
    const { seam, warnings, done } = creating([answer, list(own('s1', 0), own('s2', 0))], owned)
    expect(await done).toMatchObject({ ids: { service_id: 's1' } })
    expect(warnings).toEqual([
      expect.stringMatching(/besides s1 there is s2, .* delete it with delete-service/),
    ])
    expect(seam.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('is reported although the wait for one of them fails', async () => {
    const deleting = json(200, { ...own('s1', 0), status: 'DELETING' })
    const { warnings, done } = creating([answer, deleting, list(own('s1', 0), own('s2', 0))], {
      ...owned,
      wait: true,
    })
    await expect(done).rejects.toThrow('the service is DELETING')
    expect(warnings).toEqual([expect.stringContaining('besides s1 there is s2')])
  })

  it('is left to the post step if that deletes all of them', async () => {
    const { seam, warnings, done } = creating([answer], { ...owned, cleanup: 'always' })
    await done
    expect(warnings).toEqual([])
    expect(seam.requests).toHaveLength(1)
  })

  it('is no failure if the list is unreadable', async () => {
    const { lines, warnings, done } = creating([answer, refusal(403)], owned)
    await done
    expect(warnings).toEqual([])
    expect(lines.at(-1)).toContain('service "shop-ssssssss" was not checked for a duplicate')
  })

  it('causes no search for an exact name, which another job may use', async () => {
    const { seam, done } = creating([list(), answered])
    await done
    expect(seam.requests).toHaveLength(2)
  })
})
