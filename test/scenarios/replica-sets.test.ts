/** Runs the operations on read replica sets. */
import { beforeAll, expect, it } from 'vitest'
import { query, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()
let service_id: string
let primary: Record<string, string>
beforeAll(async () => {
  const { outputs } = await bench.runSuccessfully({
    operation: 'create-service',
    name: 'primary',
    wait_for_connection: 'true',
  })
  service_id = outputs.service_id as string
  primary = outputs
  await query(primary.database_url, 'create table orders as select generate_series(1, 100) as id')
})

const smallSet = { operation: 'create-replica', nodes: '1', cpu_millis: '500', memory_gbs: '2' }

async function createReplicaSet(name: string) {
  const inputs = { ...smallSet, service_id, name, wait_for_connection: 'true' }
  const { outputs } = await bench.runSuccessfully(inputs)
  return outputs as Record<string, string> & { replica_set_id: string }
}

/** The primary's user and password, at another address: a set shares them. */
const at = (port: string | undefined) => primary.database_url?.replace(`:${primary.port}/`, `:${port}/`)

it.concurrent('creates a set that serves rows and refuses writes', async ({ expect }) => {
  const { replica_set_id, port, status } = await createReplicaSet('reader')
  expect(status).toBe('active')
  await expect
    .poll(() => query(at(port), 'select count(*)::int from orders'), { timeout: 20_000 })
    .toEqual([{ count: 100 }])
  await expect(query(at(port), 'delete from orders')).rejects.toThrow('read-only transaction')

  const { outputs } = await bench.runSuccessfully({ operation: 'list-replicas', service_id })
  expect((JSON.parse(outputs.result as string) as { id: string }[]).map(({ id }) => id)).toContain(
    replica_set_id,
  )
})

it.concurrent('enables and disables the pooler of a set', async () => {
  const { replica_set_id } = await createReplicaSet('pooled')
  const on = await bench.runSuccessfully({ operation: 'enable-replica-pooler', service_id, replica_set_id })
  const url = at(on.outputs.pooler_port)
  expect(await query(url, 'select pg_is_in_recovery() as standby')).toEqual([{ standby: true }])
  const off = await bench.runSuccessfully({ operation: 'disable-replica-pooler', service_id, replica_set_id })
  expect(off.outputs.pooler_port).toBeUndefined()
  await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

it.concurrent('deletes a set, and keeps the primary', async () => {
  const { replica_set_id, port } = await createReplicaSet('deleted')
  const { outputs } = await bench.runSuccessfully({ operation: 'delete-replica', service_id, replica_set_id })
  expect(outputs).toMatchObject({ replica_set_id, deleted: 'true' })
  await expect(query(at(port), 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect(await query(primary.database_url, 'select 1 as one')).toEqual([{ one: 1 }])
})
