/** Tests snapshots of databases. */
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { openRoot } from '../../../support/database-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { query } from '../support.ts'

test('a service with many writes gets base backups, and only the log since the older of two stays', async () => {
  await using root = await openRoot()
  const plane = await openClusters({ root: root.path, snapshotAfter: 20, snapshotEvery: 20 })
  try {
    const address = await plane.createService('s', 'p')
    const created = new Date()
    await query(address, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
    for (let backup = 1; backup <= 3; backup++) {
      // 70 MB of log, but no data.
      const much =
        "SELECT count(pg_logical_emit_message(false, 'x', repeat('x', 1000000))) FROM generate_series(1, 70)"
      await query(address, 'p', much)
      await eventually(async () => expect(await find(`*/c1/snapshot${backup}/backup_label`)).toHaveLength(1))
    }
    await eventually(async () => {
      expect(await find('*/c1/snapshot*')).toHaveLength(2)
      expect((await find('*/c1/archive/0*')).length).toBeLessThan(150)
    })

    const point = { strategy: 'PITR', targetTime: created } as const
    await expect(plane.forkService('a', 's', point, 'q')).rejects.toThrow('the earliest time possible is')
    const forked = await plane.forkService('b', 's', { strategy: 'LAST_SNAPSHOT' }, 'q')
    expect(await query(forked, 'q', 'SELECT i FROM t')).toEqual([{ i: 1 }])
  } finally {
    await plane.close()
  }

  async function find(pattern: string): Promise<string[]> {
    const found: string[] = []
    for await (const file of glob(path.join(root.path, pattern))) found.push(file)
    return found
  }
})
