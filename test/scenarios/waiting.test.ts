import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { errorOf, openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented', readyAfter: 1500 })
})
afterAll(() => bench.stop())
beforeEach(() => bench.strike(() => undefined))

it('shows each status with the time since the start, and gives host and port of the last record', async () => {
  const result = await bench.done({ operation: 'create-service', name: 'watched' })
  expect(result.stdout).toMatch(
    /\[\d+\.\ds\] service \w+ is CONFIGURING\n(.*\n)*\[\d+\.\ds\] service \w+ is READY/,
  )
  expect(result.outputs.host).toBe(JSON.parse(result.outputs.result as string).endpoint.host)
  expect(Number(result.outputs.wait_seconds)).toBeGreaterThan(0)
  expect(result.summary).toContain('READY')
})

it('returns after the call with wait: false, with the address that it was told', async () => {
  const { outputs, stdout } = await bench.done({
    operation: 'create-service',
    name: 'unwatched',
    wait: 'false',
  })
  expect(outputs.service_id).toBeDefined()
  expect(outputs.host).toBe(`${outputs.service_id}.databases.invalid`)
  expect(stdout).not.toContain('READY')
})

it('fails at the deadline with the history, the id and what to do, and deletes nothing', async () => {
  const result = await bench.step({ operation: 'create-service', name: 'slow', wait_timeout: '1s' })
  expect(errorOf(result)).toMatch(
    /service \w+ has not settled after \d\.\ds \(seen: [A-Z]+ at .*raise wait_timeout.*goes on costing/,
  )
  const { service_id } = result.outputs
  expect(service_id).toBeDefined()
  expect((await bench.step({ operation: 'get-service', service_id: service_id as string })).exitCode).toBe(0)
})

it('goes on through errors that pass', async () => {
  const troubles = [500, 503, 502, 404]
  bench.strike(({ operation }) => {
    const status = operation === 'get-service' ? troubles.pop() : undefined
    return status === undefined
      ? undefined
      : { kind: 'answer', when: 'before', status, body: { code: 'X', message: 'passing' } }
  })
  expect((await bench.done({ operation: 'create-service', name: 'bumpy' })).outputs.status).toBe('READY')
  expect(troubles).toEqual([])
})

it('fails when the key is refused twice in a row', async () => {
  bench.strike(({ operation }) =>
    operation === 'get-service'
      ? { kind: 'answer', when: 'before', status: 401, body: { code: 'UNAUTHORIZED', message: 'revoked' } }
      : undefined,
  )
  const result = await bench.step({ operation: 'create-service', name: 'revoked' })
  expect(errorOf(result)).toContain('was refused twice')
})

it('warns once of a status that nobody knows, and waits on', async () => {
  let looks = 0
  bench.strike(({ operation, path }) => {
    if (operation !== 'get-service' || ++looks > 2) return undefined
    const service_id = path.split('/').at(-1)
    return { kind: 'answer', when: 'before', status: 200, body: { service_id, status: 'DREAMING' } }
  })
  const { stdout, outputs } = await bench.done({ operation: 'create-service', name: 'dreamer' })
  expect(stdout.match(/::warning title=[^:]*::.*DREAMING/g)).toHaveLength(1)
  expect(outputs.status).toBe('READY')
})

it('fails at once when somebody deletes the service meanwhile', async () => {
  const result = await bench.step(
    { operation: 'create-service', name: 'snatched' },
    {
      onLine(line) {
        // In the emulator itself: a request would race READY.
        const service_id = /service (\w+) is (?:QUEUED|CONFIGURING)/.exec(line)?.[1]
        const { store } = bench.emulator
        if (service_id) store.call('delete-service', { project_id: store.project.id, service_id })
      },
    },
  )
  expect(errorOf(result)).toMatch(/somebody deleted it/)
})

it('takes an HTML 404 for no proof that a service is gone', async () => {
  const { outputs } = await bench.done({ operation: 'create-service', name: 'hidden' })
  bench.strike(({ operation }) =>
    operation === 'get-service'
      ? { kind: 'answer', when: 'before', status: 404, body: '<h1>Not here</h1>' }
      : undefined,
  )
  const result = await bench.step({
    operation: 'delete-service',
    service_id: outputs.service_id as string,
    wait_timeout: '2s',
  })
  expect(errorOf(result)).toContain('is not gone')
})
