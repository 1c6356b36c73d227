/** Tests forks of databases. */
import { describe, expect, test } from 'vitest'
import type { Address } from '../../../../emulator/data-plane.ts'
import { eventually } from '../../support/eventually.ts'
import { knock, newId, query, useClusters, withClient } from '../support.ts'

/** No snapshot comes by itself: each costs as much as a fork. */
const plane = useClusters({ snapshotAfter: 3_600_000 })

async function now(address: Address): Promise<Date> {
  // A Date cannot distinguish two transactions of the same millisecond, so the test asks for the time of the next
  // transaction.
  const [row] = await query<{ time: Date }>(
    address,
    'p',
    "SELECT clock_timestamp() + interval '1 ms' AS time, pg_sleep(0.002)",
  )
  if (!row) throw new Error('No time.')
  return row.time
}

async function tables(address: Address, password: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    address,
    password,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
  )
  return rows.map(row => row.name)
}

describe('NOW', { concurrent: true }, () => {
  test('copies a parent during writes, completely and independently', async () => {
    const [parent, child] = [newId(), newId()]
    const address = await plane().createService(parent, 'p')
    await query(address, 'p', 'CREATE TABLE a (i int); CREATE TABLE b (i int); CREATE ROLE app LOGIN')

    const writing = new AbortController()
    const written = write(writing.signal)
    const rows = async (at: Address, password: string) => {
      const counts = 'SELECT (SELECT count(*)::int FROM a) AS a, (SELECT count(*)::int FROM b) AS b'
      const [row] = await query<{ a: number; b: number }>(at, password, counts)
      return row ?? { a: 0, b: 0 }
    }
    await eventually(async () => expect((await rows(address, 'p')).a).toBeGreaterThan(10))
    const before = await rows(address, 'p')
    const forked = await plane().forkService(child, parent, { strategy: 'NOW' }, 'q')
    writing.abort()
    const total = await written

    // Each transaction put one row into both tables, and none was lost in the parent.
    const copy = await rows(forked, 'q')
    expect(copy.a).toBe(copy.b)
    expect(copy.a).toBeGreaterThanOrEqual(before.a)
    expect(await rows(address, 'p')).toEqual({ a: total, b: total })

    await query(forked, 'q', 'DROP TABLE a')
    expect(await tables(address, 'p')).toEqual(['a', 'b'])
    await expect(query(forked, 'p', 'SELECT')).rejects.toThrow('password authentication failed')
    await plane().deleteService(parent)
    expect(await tables(forked, 'q')).toEqual(['b'])

    async function write(signal: AbortSignal): Promise<number> {
      return withClient(address, 'p', async client => {
        let count = 0
        while (!signal.aborted) {
          await client.query(
            `BEGIN; INSERT INTO a VALUES (${count}); INSERT INTO b VALUES (${count}); COMMIT`,
          )
          count++
        }
        return count
      })
    }
  })

  test('copies a stopped parent, which stays stopped, and a fork of a fork', async () => {
    const [parent, child, grandchild] = [newId(), newId(), newId()]
    const address = await plane().createService(parent, 'p')
    await query(address, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
    await plane().stopService(parent)
    const forked = await plane().forkService(child, parent, { strategy: 'NOW' }, 'q')
    const again = await plane().forkService(grandchild, child, { strategy: 'NOW' }, 'r')
    expect(await knock(address)).toBe('refused')
    expect(await tables(forked, 'q')).toEqual(['t'])
    expect(await tables(again, 'r')).toEqual(['t'])
  })

  test('leaves nothing if the parent does not exist', async () => {
    const child = newId()
    await expect(plane().forkService(child, newId(), { strategy: 'NOW' }, 'q')).rejects.toThrow('no service')
    await expect(plane().startService(child)).rejects.toThrow('no service')
  })
})

describe('LAST_SNAPSHOT', { concurrent: true }, () => {
  test('starts from the data of the snapshot, without later changes', async () => {
    const [parent, child] = [newId(), newId()]
    const address = await plane().createService(parent, 'p')
    await plane().takeSnapshot(parent)
    await query(address, 'p', 'CREATE TABLE later ()')
    const forked = await plane().forkService(child, parent, { strategy: 'LAST_SNAPSHOT' }, 'q')
    expect(await tables(forked, 'q')).toEqual([])
    expect(await query(forked, 'q', 'SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
  })
})

describe('PITR', { concurrent: true }, () => {
  test('restores a dropped table', async () => {
    const [parent, child, later] = [newId(), newId(), newId()]
    const address = await plane().createService(parent, 'p')
    await query(address, 'p', 'CREATE TABLE precious AS SELECT 42 AS i')
    const targetTime = await now(address)
    await query(address, 'p', 'DROP TABLE precious')
    const forked = await plane().forkService(child, parent, { strategy: 'PITR', targetTime }, 'q')
    expect(await query(forked, 'q', 'SELECT i FROM precious')).toEqual([{ i: 42 }])
    await query(forked, 'q', 'INSERT INTO precious VALUES (43)')
    expect(await tables(address, 'p')).toEqual([])

    // Of a time without any later transaction.
    const point = { strategy: 'PITR', targetTime: await now(address) } as const
    expect(await tables(await plane().forkService(later, parent, point, 'q'), 'q')).toEqual([])
  })

  test('works on a stopped parent, and on a restored fork', async () => {
    const [parent, child, grandchild] = [newId(), newId(), newId()]
    const address = await plane().createService(parent, 'p')
    await query(address, 'p', 'CREATE TABLE one ()')
    const first = await now(address)
    await query(address, 'p', 'CREATE TABLE two ()')
    await plane().stopService(parent)
    const forked = await plane().forkService(child, parent, { strategy: 'PITR', targetTime: first }, 'p')
    expect(await tables(forked, 'p')).toEqual(['one'])

    await plane().takeSnapshot(child)
    await query(forked, 'p', 'CREATE TABLE three ()')
    const second = await now(forked)
    await query(forked, 'p', 'DROP TABLE one')
    const again = await plane().forkService(grandchild, child, { strategy: 'PITR', targetTime: second }, 'r')
    expect(await tables(again, 'r')).toEqual(['one', 'three'])
  })

  test('refuses a time before the service existed, one in the future, and a missing snapshot', async () => {
    const parent = newId()
    await plane().createService(parent, 'p')
    const forking = plane().forkService(newId(), parent, { strategy: 'LAST_SNAPSHOT' }, 'q')
    await expect(forking).rejects.toThrow("doesn't yet have any backups or snapshots")
    const forkAt = (offset: number) => {
      const targetTime = new Date(Date.now() + offset)
      return plane().forkService(newId(), parent, { strategy: 'PITR', targetTime }, 'q')
    }
    await expect(forkAt(-60_000)).rejects.toThrow(/the earliest time possible is \d{4}-/)
    await expect(forkAt(60_000)).rejects.toThrow(/is in the future/)
  })
})
