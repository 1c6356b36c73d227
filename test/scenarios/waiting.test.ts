/** Runs steps that wait. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type Resource, resources } from '#api/resource'
import { rowOperations } from '#operations/endpoint-operation'
import { validText } from '../../tools/reference/example-values.ts'
import { requiredFields } from '../../tools/reference/tables.ts'
import { answer, onOperations } from '../support/api-faults.ts'
import { errorOf, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented', readyAfter: 60_000 })
beforeEach(() => bench.injectFaults(() => undefined))

it('fails at the deadline with the history, the id and the next step, and deletes nothing', async () => {
  const result = await bench.step({ operation: 'create-service', name: 'slow', wait_timeout: '30s' })
  expect(errorOf(result)).toMatch(
    /waited \d+s without success for service \w+ to be READY \(seen: [A-Z]+ at .*raise wait_timeout.*still costs money/,
  )
  const { service_id, initial_password, status } = result.outputs
  expect(service_id).toBeDefined()
  expect(initial_password).toBeDefined()
  expect(status).toBe(/ ([A-Z]+) at [^,]*\)/.exec(errorOf(result))?.[1])
  expect((await bench.step({ operation: 'get-service', service_id: service_id as string })).exitCode).toBe(0)
})

describe('outputs hold the known values after an unsuccessful wait', () => {
  const rows: Record<string, Endpoint> = endpoints
  const waiting = rowOperations.filter(({ name }) => rows[name]?.goal && !rows[name]?.creates)
  const seen = { status: 'CONFIGURING', name: 'shop' }
  /** How every record looks that is waited for: as no operation asks for. */
  const stuck: Record<Resource, object> = {
    service: { ...seen, service_id: 's1' },
    replica_set: { ...seen, id: 'r1' },
    vpc: { id: '7', name: 'shop' },
    peering: { id: '8', status: 'CONFIGURING' },
  }

  /** A pooler that goes, and an attachment that ends, would be missing from the start. */
  const leaving: Record<string, object> = {
    'disable-pooler': { connection_pooler: { endpoint: { host: 'h', port: 1 } } },
    'disable-replica-pooler': { connection_pooler: { endpoint: { host: 'h', port: 1 } } },
    'detach-vpc': { vpcEndpoint: { vpc_id: '7', host: 'h', port: 1 } },
  }

  it.each(waiting.map(operation => [operation.name, operation] as const))(
    'for %s',
    async (name, operation) => {
      const { goal } = endpoints[name as keyof typeof endpoints] as Endpoint
      if (goal === undefined) throw new Error(`${name} waits for nothing`)
      const { label, id, list } = resources[goal.record]
      const record = { ...stuck[goal.record], ...leaving[name] }
      bench.injectFaults(({ operation: asked }) => answer(200, asked === list ? [record] : record))
      const fields = [...requiredFields(operation), ...(name === 'set-ha' ? ['replica_count'] : [])]
      const given = Object.fromEntries(fields.map(field => [field, validText(field)]))
      const result = await bench.step({ ...given, project_id: 'p1', operation: name, wait_timeout: '2s' })
      const known = validText(id)
      const awaited = goal.awaited(given as never)
      expect(errorOf(result)).toMatch(`s without success for ${label} ${known} to ${awaited} (seen: `)
      const { status } = record as { status?: string }
      expect(errorOf(result)).toMatch(new RegExp(`seen: ${status ?? 'none'} at \\d\\.\\ds\\)`))
      expect(result.outputs).toMatchObject({
        [id]: known,
        changed: 'true',
        deleted: 'false',
        created: 'false',
      })
      expect(result.outputs.status).toBe(status)
      expect(Number(result.outputs.wait_seconds)).toBeGreaterThan(0)
      expect(JSON.parse(result.outputs.result as string)).toMatchObject(stuck[goal.record])
    },
  )

  it('for a preview', async () => {
    const { outputs } = await bench.runSuccessfully({ operation: 'create-service', name: 'paused' })
    const { service_id = '' } = outputs
    const pausing = { service_id, status: 'CONFIGURING', name: 'paused' }
    const endpoint = { host: 'db.example', port: 5432 }
    bench.injectFaults(onOperations({ 'get-service': answer(200, { ...pausing, endpoint }) }))
    const result = await bench.step({ operation: 'get-connection', service_id, wait_timeout: '2s' })
    expect(errorOf(result)).toContain(
      `without success for service ${service_id} to be READY (seen: CONFIGURING at`,
    )
    expect(result.outputs).toMatchObject({ service_id, status: 'CONFIGURING' })
    // It may be a fork without a quarantine.
    expect(result.outputs.host ?? '').toBe('')
    expect(JSON.parse(result.outputs.result as string)).toEqual(pausing)
  })
})
