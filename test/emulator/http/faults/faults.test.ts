/** Tests injected faults. */
import { afterEach, expect, test } from 'vitest'
import type { Fault } from '../../../../emulator/http/faults/faults.ts'
import { callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'

afterEach(stopAll)

/** An emulator with a fault in each creating request, and a function that sends one. */
async function withFault(fault: Fault) {
  const emulator = await start({
    faults: ({ operation }) => (operation === 'create-service' ? fault : undefined),
  })
  return {
    emulator,
    create: () => callOverHttp(emulator, 'create-service', { name: 'shop' }),
    count: async () => (await callOverHttp(emulator, 'list-services')).body.length,
  }
}

test.each(['before', 'after'] as const)('an answer of its own, %s processing', async when => {
  const body = { code: 'BUSY', message: 'try later' }
  const { create, count } = await withFault({ kind: 'answer', when, status: 503, body })
  expect(await create()).toEqual({ status: 503, body })
  expect(await count()).toBe(when === 'after' ? 1 : 0)
})

test('an answer that is not JSON, with headers', async () => {
  const { emulator } = await withFault({
    kind: 'answer',
    when: 'before',
    status: 429,
    body: '<h1>Slow down</h1>',
    headers: { 'retry-after': '7' },
  })
  const headers = {
    authorization: `Basic ${btoa('local:local-secret-key')}`,
    'content-type': 'application/json',
  }
  const url = `${emulator.baseUrl}/projects/${emulator.store.project.id}/services`
  const response = await fetch(url, { method: 'POST', headers, body: '{"name": "shop"}' })
  expect(await response.text()).toBe('<h1>Slow down</h1>')
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(response.headers.get('retry-after')).toBe('7')
})

test.each(['before', 'after'] as const)('a connection reset %s processing', async when => {
  const { emulator, create, count } = await withFault({ kind: 'reset', when })
  await expect(create()).rejects.toThrow()
  expect(emulator.requests.map(request => request.status)).toEqual([undefined])
  expect(await count()).toBe(when === 'after' ? 1 : 0)
})

test('half of an answer', async () => {
  const { create, count } = await withFault({ kind: 'truncate' })
  await expect(create()).rejects.toThrow()
  expect(await count()).toBe(1)
})

test.each(['before', 'after'] as const)('no answer at all, %s processing: stopping ends it', async when => {
  let hung: (value: unknown) => void = () => {}
  const hangs = new Promise(resolve => {
    hung = resolve
  })
  const fault = { kind: 'hang', when } as const
  const emulator = await start({ faults: () => fault, onRequest: hung })
  const refused = expect(callOverHttp(emulator, 'create-service', { name: 'shop' })).rejects.toThrow()
  await hangs
  await emulator.stop()
  await refused
  const { body } = emulator.store.call('list-services', { project_id: emulator.store.project.id })
  expect(body).toHaveLength(when === 'after' ? 1 : 0)
})

test('the hook gets the properties of the request', async () => {
  const seen: unknown[] = []
  const emulator = await start({
    faults: request => {
      seen.push(request)
      return undefined
    },
  })
  await callOverHttp(emulator, 'create-service', { name: 'shop' })
  await callOverHttp(emulator, 'list-projects')
  const path = `/projects/${emulator.store.project.id}/services`
  expect(seen).toEqual([
    { method: 'POST', path, operation: 'create-service', body: { name: 'shop' } },
    { method: 'GET', path: '/projects', operation: 'list-projects', body: undefined },
  ])
})

test('a hook that throws causes a 500, and is reported', async () => {
  const problems: string[] = []
  const faults = () => {
    throw new Error('oh no')
  }
  const emulator = await start({ faults, onProblem: line => problems.push(line) })
  expect(await callOverHttp(emulator, 'list-projects')).toMatchObject({
    status: 500,
    body: { code: 'INTERNAL' },
  })
  expect(problems).toEqual([expect.stringContaining('oh no')])
})
