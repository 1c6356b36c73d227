/** Tests the execution of injected faults. */
import { request as httpsRequest } from 'node:https'
import { afterEach, expect, test, vi } from 'vitest'
import { createCertificate } from '../../../../emulator/clusters/installation/certificate.ts'
import type { Fault } from '../../../../emulator/http/faults/faults.ts'
import { authorization, callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'

afterEach(stopAll)

/** An emulator with a fault in each creating request, and the answer to one. */
async function createWith(fault: Fault) {
  const emulator = await start({
    faults: ({ operation }) => (operation === 'create-service' ? fault : undefined),
  })
  const { project } = emulator.store
  const response = await fetch(`${emulator.baseUrl}/projects/${project.id}/services`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"name": "shop"}',
  })
  const { body } = emulator.store.call('list-services', { project_id: project.id })
  return { emulator, response, count: (body as unknown[]).length }
}

/** Reads until it is enough, then hangs up. */
async function readSome(response: Response, enough: (size: number) => boolean): Promise<number> {
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (enough(size)) break
  }
  return size
}

test.each(['before', 'after'] as const)('a slow answer, %s processing, has no end', async when => {
  const { response, count } = await createWith({ kind: 'drip', when })
  expect(response.status).toBe(when === 'after' ? 202 : 200)
  expect(response.headers.get('content-length')).toBeNull()
  expect(await readSome(response, size => size >= 10)).toBeGreaterThanOrEqual(10)
  expect(count).toBe(when === 'after' ? 1 : 0)
})

test('a slow drip ends with its connection', async () => {
  const [set, clear] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  try {
    const { response, emulator } = await createWith({ kind: 'drip', when: 'before' })
    const dripping = set.mock.results.map(({ value }) => value).at(-1)
    await emulator.stop()
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => clear).toHaveBeenCalledWith(dripping)
  } finally {
    vi.restoreAllMocks()
  }
})

test('a huge body is the right answer nevertheless', async () => {
  const { response, count } = await createWith({ kind: 'huge', when: 'after' })
  let [size, end] = [0, '']
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    end = (end + Buffer.from(chunk).toString().trim()).trim()
  }
  expect(size).toBeGreaterThan(64 * 1024 * 1024)
  expect(JSON.parse(end)).toMatchObject({ name: 'shop' })
  expect([response.status, count]).toEqual([202, 1])
})

test('a huge body may be left before its end, and has no content before processing', async () => {
  const { response, count, emulator } = await createWith({ kind: 'huge', when: 'before' })
  expect(await readSome(response, size => size > 1024 * 1024)).toBeGreaterThan(1024 * 1024)
  expect(count).toBe(0)
  await emulator.stop()
})

test('an answer derived from the right one', async () => {
  const { response, count } = await createWith({
    kind: 'change',
    change: ({ status, body }) => ({
      status: status + 1,
      headers: { 'content-type': 'text/html' },
      body: body.replace('shop', 'barn'),
    }),
  })
  expect([response.status, response.headers.get('content-type'), count]).toEqual([203, 'text/html', 1])
  expect(await response.json()).toMatchObject({ name: 'barn' })
})

test('an answer that comes late to a processed request', async () => {
  const answers: string[] = []
  const emulator = await start({
    faults: ({ operation }) =>
      operation === 'create-service' ? { kind: 'late', milliseconds: 300 } : undefined,
  })
  const listed = () => callOverHttp(emulator, 'list-services')
  const creating = callOverHttp(emulator, 'create-service', { name: 'shop' }).then(({ body }) =>
    answers.push(`created ${body.name}`),
  )
  await expect.poll(async () => (await listed()).body).toHaveLength(1)
  answers.push('listed it')
  await creating
  expect(answers).toEqual(['listed it', 'created shop'])
})

/** The status of GET /projects, trusting the authority given. */
function statusOf(baseUrl: string, ca?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization }, agent: false as const, ...(ca && { ca }) }
    const request = httpsRequest(`${baseUrl}/projects`, options, response => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject).end()
  })
}

test('over https, with an untrusted certificate', async () => {
  const certificate = createCertificate()
  const emulator = await start({ https: certificate })
  expect(emulator.baseUrl).toMatch(/^https:/)
  await expect(statusOf(emulator.baseUrl)).rejects.toThrow('self-signed certificate')
  expect(emulator.requests).toEqual([])
  expect(await statusOf(emulator.baseUrl, certificate.certificate)).toBe(200)
})
