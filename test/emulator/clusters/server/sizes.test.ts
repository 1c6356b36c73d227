/** Tests the settings for the sizes of services. */
import { beforeAll, describe, expect, it, test } from 'vitest'
import { serviceSizes } from '#api/sizes'
import { sizeSettings } from '../../../../emulator/clusters/server/size-settings.ts'
import type { Address } from '../../../../emulator/data-plane.ts'
import { eventually } from '../../support/eventually.ts'
import { newId, query, useClusters, withClient } from '../support.ts'

const plane = useClusters({ snapshotAfter: 60_000 })

const size = (cpuMillis: number) => ({ cpuMillis, memoryGbs: serviceSizes[cpuMillis] })
const names = ['shared_buffers', 'work_mem', 'effective_cache_size', 'max_connections']

async function settings(address: Address): Promise<string[]> {
  const sql = `SELECT current_setting(name) AS value FROM unnest(ARRAY['${names.join("','")}']) AS name`
  return (await query<{ value: string }>(address, 'p', sql)).map(({ value }) => value)
}

const asDefault = ['16MB', '5242kB', '1536MB', '100']

describe('the size of a service determines the settings of PostgreSQL', () => {
  const [service, replica] = [newId(), newId()]
  let address: Address
  let standby: Address
  beforeAll(async () => {
    address = await plane().createService(service, 'p')
    standby = await plane().createReplicaSet(replica, service, size(1000))
  })

  it('from the start, for a replica set as well', async () => {
    expect(await settings(address)).toEqual(asDefault)
    expect(await settings(standby)).toEqual(['32MB', '10485kB', '3GB', '100'])
  })

  it('after a resize, which ends its sessions, and its replica set continues to follow', async () => {
    await withClient(address, 'p', async client => {
      expect(await plane().resizeService(service, size(4000))).toEqual(address)
      await expect(client.query('SELECT')).rejects.toThrow()
    })
    expect(await settings(address)).toEqual(['128MB', '10485kB', '12GB', '400'])
    // A standby must not allow fewer sessions than its primary.
    expect((await settings(standby))[3]).toBe('400')
    await query(address, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
    await eventually(async () => expect(await query(standby, 'p', 'SELECT i FROM t')).toEqual([{ i: 1 }]))
  })

  it('after a smaller resize: the replica set allows fewer sessions after its next start', async () => {
    await plane().resizeService(service, size(500))
    expect(await settings(address)).toEqual(asDefault)
    await plane().resizeReplicaSet(replica, size(2000))
    expect(await settings(standby)).toEqual(['64MB', '10485kB', '6GB', '200'])
    await plane().resizeReplicaSet(replica, size(500))
    expect(await settings(standby)).toEqual(asDefault)
  })

  it('after a stop, and in a fork with its own size', async () => {
    await plane().resizeService(service, size(1000))
    await plane().stopService(service)
    expect((await settings(await plane().startService(service)))[0]).toBe('32MB')
    const fork = await plane().forkService(newId(), service, { strategy: 'NOW' }, 'p', { sizes: size(500) })
    expect(await settings(fork)).toEqual(asDefault)
  })
})

test('no size takes more than its share of a laptop', () => {
  const buffers = Object.keys(serviceSizes).map(cpu => sizeSettings(size(Number(cpu))).shared_buffers)
  expect(buffers).toEqual(['16MB', '32MB', '64MB', '128MB', '256MB', '512MB', '1024MB'])
  expect(sizeSettings({ cpuMillis: undefined, memoryGbs: undefined })).toEqual(sizeSettings(size(500)))
})
