/** Runs the operations on read replica sets. */
import { expect, it } from 'vitest'
import { query, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()

it('creates a set that serves rows and refuses writes, pools its connections, and deletes it', async () => {
  const connected = { wait_for_connection: 'true' }
  const create = { operation: 'create-service', name: 'primary', ...connected }
  const { outputs: primary } = await bench.runSuccessfully(create)
  const service_id = primary.service_id as string
  await query(primary.database_url, 'create table orders as select generate_series(1, 100) as id')
  /** The primary's user and password, at another address: a set shares them. */
  const at = (port: string | undefined) => primary.database_url?.replace(`:${primary.port}/`, `:${port}/`)

  const small = { nodes: '1', cpu_millis: '500', memory_gbs: '2' }
  const created = await bench.runSuccessfully({
    ...{ operation: 'create-replica', service_id, name: 'reader', ...small, ...connected },
  })
  const { replica_set_id = '', port, status } = created.outputs
  expect(status).toBe('active')
  await expect
    .poll(() => query(at(port), 'select count(*)::int from orders'), { timeout: 20_000 })
    .toEqual([{ count: 100 }])
  await expect(query(at(port), 'delete from orders')).rejects.toThrow('read-only transaction')
  const listed = await bench.runSuccessfully({ operation: 'list-replicas', service_id })
  expect(JSON.parse(listed.outputs.result as string)).toMatchObject([{ id: replica_set_id }])

  const on = await bench.runSuccessfully({ operation: 'enable-replica-pooler', service_id, replica_set_id })
  const pooled = at(on.outputs.pooler_port)
  expect(await query(pooled, 'select pg_is_in_recovery() as standby')).toEqual([{ standby: true }])
  const off = await bench.runSuccessfully({ operation: 'disable-replica-pooler', service_id, replica_set_id })
  expect(off.outputs.pooler_port).toBeUndefined()
  await expect(query(pooled, 'select 1')).rejects.toThrow('ECONNREFUSED')

  const { outputs } = await bench.runSuccessfully({ operation: 'delete-replica', service_id, replica_set_id })
  expect(outputs).toMatchObject({ replica_set_id, deleted: 'true' })
  await expect(query(at(port), 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect(await query(primary.database_url, 'select 1 as one')).toEqual([{ one: 1 }])
})
