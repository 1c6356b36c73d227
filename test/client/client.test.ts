/** Tests the client of the API. */
import { describe, expect, it, test } from 'vitest'
import { RequestTimeoutError, TransportError } from '#base/errors'
import { type CallOptions, type ClientOptions, createClient } from '#client/client'
import { clientOptions } from '../support/client-options.ts'
import { FakeSeam, html, json, refusal, type Scripted } from '../support/fake-seam.ts'

const service = { service_id: 's1', status: 'READY' }
const at = { project_id: 'p1', service_id: 's1' }

function clientWith(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const seam = new FakeSeam(script)
  const credentials = { publicKey: 'pub', secretKey: 's:c' }
  const client = createClient({ ...clientOptions(), seam, credentials, ...options })
  return { seam, client }
}

const reset = () => new TransportError('connection reset', { neverSent: false })
const refused = () => new TransportError('connection refused', { neverSent: true })
const late = () => new RequestTimeoutError(30_000)

describe('a call', () => {
  it('sends the keys and the body to the base address', async () => {
    const { seam, client } = clientWith([json(202, service)])
    await client.call('resize-service', { ...at, cpu_millis: '500', memory_gbs: '2' })
    expect(seam.requests).toMatchObject([
      {
        method: 'POST',
        url: 'https://api.example/v1/projects/p1/services/s1/resize',
        headers: {
          authorization: `Basic ${Buffer.from('pub:s:c').toString('base64')}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: '{"cpu_millis":"500","memory_gbs":"2"}',
      },
    ])
  })

  it('has neither a body nor a content type if it sends no fields', async () => {
    const { seam, client } = clientWith([json(200, service)])
    await client.call('get-service', at)
    expect(seam.requests[0]?.body).toBe(undefined)
    expect(seam.requests[0]?.headers).not.toHaveProperty('content-type')
  })

  it('names itself in a failure of the network', async () => {
    const { client } = clientWith([refused()], { maxAttempts: 1 })
    await expect(client.call('get-service', at)).rejects.toThrow(
      'get-service (GET /projects/p1/services/s1) failed: connection refused',
    )
  })

  test.each<[string, Partial<ClientOptions>, CallOptions, number, number, number]>([
    ['its usual time', {}, {}, 30_000, 60_000, 60_000],
    ['the time it is given', { requestTimeout: 5000 }, {}, 5000, 5000, 5000],
    ['what is left to the deadline, unless it creates', {}, { deadline: 12_000 }, 12_000, 12_000, 60_000],
    ['a second at least to read, ten to change', {}, { deadline: 1 }, 1000, 10_000, 60_000],
    ['no more than its time before a far deadline', {}, { deadline: 1_000_000 }, 30_000, 60_000, 60_000],
  ])('has %s', async (_, options, callOptions, toRead, toChange, toCreate) => {
    const script = [json(200, service), json(200, service), json(202, service)]
    const { seam, client } = clientWith(script, options)
    await client.call('get-service', at, callOptions)
    await client.call('stop-service', at, callOptions)
    await client.call('create-service', { project_id: 'p1', name: 'a' }, callOptions)
    expect(seam.requests.map(({ timeout }) => timeout)).toEqual([toRead, toChange, toCreate])
  })

  test.each([
    ['what is left to the deadline', 12_000, 12_000],
    ['a second at least', 10, 1000],
  ])('has %s until it is sent, whatever it does', async (_, deadline, toSend) => {
    const { seam, client } = clientWith([json(200, service), json(200, service), json(202, service)])
    await client.call('get-service', at, { deadline })
    await client.call('stop-service', at, { deadline })
    await client.call('create-service', { project_id: 'p1', name: 'a' }, { deadline })
    expect(seam.requests.map(({ untilSent }) => untilSent?.timeout)).toEqual([toSend, toSend, toSend])
  })

  it('has a cap of 16 MiB for lists and logs, and of 1 MiB for all others', async () => {
    const { seam, client } = clientWith([json(200, []), json(200, {}), json(200, service)])
    await client.call('list-services', at)
    await client.call('get-service-logs', at)
    await client.call('get-service', at)
    expect(seam.requests.map(({ maxBytes }) => maxBytes / 1024 / 1024)).toEqual([16, 16, 1])
  })
})

describe('a reading call', () => {
  it('has five attempts, with growing pauses', async () => {
    const { seam, client } = clientWith([reset(), late(), refusal(503), html(502), refusal(500)])
    await expect(client.call('get-service', at)).rejects.toThrow('failed with 500 E500: no')
    expect(seam.sleeps).toEqual([250, 500, 1000, 2000])
    expect(seam.requests).toHaveLength(5)
  })

  test.each([1, 2, 9])('has %i attempts if so configured', async maxAttempts => {
    const { seam, client } = clientWith(Array.from({ length: maxAttempts }, reset), { maxAttempts })
    await expect(client.call('get-service', at)).rejects.toThrow('connection reset')
    expect(seam.requests).toHaveLength(maxAttempts)
  })

  it('has its own number of attempts', async () => {
    const { seam, client } = clientWith([reset()])
    await expect(client.call('get-service', at, { attempts: 1 })).rejects.toThrow('connection reset')
    expect(seam.requests).toHaveLength(1)
  })

  it('reports every pause', async () => {
    const retries: [string, number][] = []
    const onRetry = (failure: unknown, delay: number) => retries.push([(failure as Error).message, delay])
    const { client } = clientWith([reset(), json(200, service)], { onRetry })
    await client.call('get-service', at)
    expect(retries).toEqual([['connection reset', 250]])
  })
})

describe('a deleting call', () => {
  it('succeeds if a repetition does not find the record', async () => {
    const { seam, client } = clientWith([reset(), refusal(404)])
    expect(await client.call('delete-service', at)).toBe(undefined)
    expect(seam.requests).toHaveLength(2)
  })

  it('fails if the first attempt does not find the record', async () => {
    const { client } = clientWith([refusal(404)])
    await expect(client.call('delete-service', at)).rejects.toThrow('404')
  })

  test.each<[string, Scripted[], boolean]>([
    ['after a lost answer', [reset(), refusal(403)], true],
    ['after a lost answer and a request that was never sent', [reset(), refused(), refusal(403)], true],
    ['after requests that were never sent', [refused(), refused(), refusal(403)], false],
    ['at once', [refusal(403)], false],
  ])('records whether an answer was lost, if it is refused %s', async (_, script, isAfterLostAnswer) => {
    const { client } = clientWith(script)
    await expect(client.call('delete-service', at)).rejects.toMatchObject({ status: 403, isAfterLostAnswer })
  })

  it('fails if a repetition gets a page', async () => {
    const { client } = clientWith([reset(), html(404)])
    await expect(client.call('delete-service', at)).rejects.toThrow('unreadable answer')
  })

  it('does not wait after a 429 to others, because its record was just read', async () => {
    const { seam, client } = clientWith([refusal(429, 'no', { 'retry-after': '7' }), json(202)])
    await expect(client.call('get-service', at, { attempts: 1 })).rejects.toThrow('429')
    await client.call('delete-service', at)
    expect(seam.requests.map(({ at: moment }) => moment)).toEqual([0, 0])
  })

  it('sends any urgent request without a wait', async () => {
    const { seam, client } = clientWith([refusal(429, 'no', { 'retry-after': '7' }), json(202)])
    await expect(client.call('get-service', at, { attempts: 1 })).rejects.toThrow('429')
    await client.call('stop-service', at, { isUrgent: true })
    expect(seam.requests.map(({ at: moment }) => moment)).toEqual([0, 0])
  })

  it('has five attempts', async () => {
    const { seam, client } = clientWith(Array.from({ length: 5 }, late))
    await expect(client.call('delete-service', at)).rejects.toThrow('no complete answer within 30 s')
    expect(seam.requests).toHaveLength(5)
  })
})

describe('a creating call', () => {
  test.each<[string, Scripted]>([
    ['a reset connection', reset()],
    ['429', refusal(429)],
    ['an answer without the id', json(202, {})],
  ])('is sent once, and fails with %s', async (_, answer) => {
    const { seam, client } = clientWith([answer])
    await expect(client.call('create-service', { project_id: 'p1', name: 'a' })).rejects.toThrow()
    expect(seam.requests).toHaveLength(1)
  })

  it('is repeated after a refused connection, and announced before each request', async () => {
    const { seam, client } = clientWith([refused(), json(202, service)])
    const requestsBefore: number[] = []
    const beforeSend = () => requestsBefore.push(seam.requests.length)
    await client.call('create-service', { project_id: 'p1', name: 'a' }, { beforeSend })
    expect(seam.requests).toHaveLength(2)
    expect(requestsBefore).toEqual([0, 1])
  })

  it('is not sent after the deadline', async () => {
    const { seam, client } = clientWith([json(202, service)])
    const beforeSend = () => {
      throw new Error('announced')
    }
    const options = { beforeSend, deadline: 0 }
    const creating = client.call('create-service', { project_id: 'p1', name: 'a' }, options)
    await expect(creating).rejects.toMatchObject({
      neverSent: true,
      message: expect.stringContaining('the deadline passed before the request was sent'),
      next: expect.stringContaining('wait_timeout'),
    })
    expect(seam.requests).toEqual([])
  })

  it('is not sent if its announcement fails', async () => {
    const { seam, client } = clientWith([json(202, service)])
    const beforeSend = () => {
      throw new Error('no state')
    }
    const creating = client.call('create-service', { project_id: 'p1', name: 'a' }, { beforeSend })
    await expect(creating).rejects.toThrow('no state')
    expect(seam.requests).toHaveLength(0)
  })
})

describe('Retry-After', () => {
  it('is the shortest pause', async () => {
    const { seam, client } = clientWith([refusal(429, 'no', { 'retry-after': '7' }), json(200, service)])
    await client.call('get-service', at)
    expect(seam.sleeps).toEqual([7000])
  })

  it('beyond the deadline ends the call', async () => {
    const { seam, client } = clientWith([refusal(429, 'slow down', { 'retry-after': '60' })])
    await expect(client.call('get-service', at, { deadline: 59_999 })).rejects.toThrow('slow down')
    expect(seam.sleeps).toEqual([])
  })
})

describe('a rate limit', () => {
  const limited = (times: number) => Array.from({ length: times }, () => refusal(429))

  it('causes pauses, however many answers it takes, also by a page of a gateway', async () => {
    const { seam, client } = clientWith([
      ...limited(20),
      ...Array.from({ length: 10 }, () => html(429)),
      json(200, service),
    ])
    expect(await client.call('get-service', at)).toEqual(service)
    expect(seam.requests).toHaveLength(31)
    expect(Math.max(...seam.sleeps)).toBeLessThanOrEqual(20_000)
  })

  it('ends the call at the deadline', async () => {
    const { seam, client } = clientWith(limited(100))
    await expect(client.call('get-service', at, { deadline: 600_000 })).rejects.toThrow('429')
    expect(seam.now()).toBeGreaterThan(580_000)
  })

  it('does not delay a deletion, which relies on a fresh read', async () => {
    const { seam, client } = clientWith(limited(100))
    await expect(client.call('delete-service', at)).rejects.toThrow('429')
    expect(seam.requests.length).toBeLessThan(10)
  })
})

describe('the deadline', () => {
  it('ends the attempts', async () => {
    const { seam, client } = clientWith([reset(), reset(), reset()])
    await expect(client.call('get-service', at, { deadline: 900 })).rejects.toThrow('connection reset')
    expect(seam.requests.map(({ at: moment }) => moment)).toEqual([0, 250, 750])
  })
})

describe('a cancelled job', () => {
  it('sends nothing more', async () => {
    const { seam, client } = clientWith([], { signal: AbortSignal.abort(new Error('cancelled')) })
    await expect(client.call('get-service', at)).rejects.toThrow('cancelled')
    expect(seam.requests).toHaveLength(0)
  })

  it('does not continue its pause', async () => {
    const controller = new AbortController()
    const { seam, client } = clientWith([refusal(429, 'no', { 'retry-after': '30' })], {
      signal: controller.signal,
    })
    seam.at(2000, () => controller.abort(new Error('cancelled')))
    await expect(client.call('get-service', at)).rejects.toThrow('cancelled')
    expect(seam.now()).toBe(2000)
    expect(seam.requests).toHaveLength(1)
  })

  it('gives a sent creating call its own, longer time', async () => {
    const signal = new AbortController().signal
    const creatingSignal = new AbortController().signal
    const { seam, client } = clientWith([json(200, service), json(202, service)], { signal, creatingSignal })
    await client.call('get-service', at)
    await client.call('create-service', { project_id: 'p1', name: 'a' })
    expect(seam.requests[0]?.signal).toBe(signal)
    expect(seam.requests[1]?.signal).toBe(creatingSignal)
    expect(seam.requests[1]?.untilSent?.signal).toBe(signal)
  })
})
