/** Runs the steps of masking in order: drop obstacles, change rows, clean up, renew statistics, restore obstacles. */
import type { OpenSession, Session } from '#postgres/session'
import { tableName } from '../plan/catalog.ts'
import type { Plan, PlannedTable } from '../plan/planned.ts'
import { compressChunks, refreshDerived, vacuumTable } from './clean-up.ts'
import { dropBlankRows, dropRows, insertBlankRows } from './drop-rows.ts'
import { findObstacles } from './obstacles.ts'
import { type MaskingOptions, withProgress } from './progress.ts'
import { checkStatistics, renewStatistics } from './statistics.ts'
import { findDropped, findMasked, updateOf } from './update.ts'
import { during, runInParallel, runInSession } from './work.ts'

/** Masks all tables, the largest first. Returns the number of changed rows. */
async function updateTables(open: OpenSession, plan: Plan, options: MaskingOptions): Promise<number> {
  const tables = findMasked(plan).toSorted((first, second) => second.rows - first.rows)
  let changed = 0
  await withProgress(open, 'masking', tables, options, () =>
    runInParallel(open, options.sessions, tables, async (session, table) => {
      // Other sessions change the count during the wait, so the sum is read afterwards.
      const { rowCount } = await during(`masking ${tableName(table)}`, () => session.query(updateOf(table)))
      changed += rowCount
    }),
  )
  return changed
}

/**
 * Masks all rows by the plan, and refreshes the data computed from them. Restores foreign keys and triggers at the end.
 * After a failure they are missing, and the copy is unusable. Returns the number of changed rows.
 * @throws MaskingError
 */
export async function maskRows(open: OpenSession, plan: Plan, options: MaskingOptions): Promise<number> {
  const { sessions } = options
  const obstacles = findObstacles(plan)
  const run = (task: string, act: (session: Session) => Promise<void>) => runInSession(open, task, act)
  await run('dropping constraints and triggers', async session => {
    for (const { lift } of obstacles) await session.query(lift)
  })
  await run('dropping rows', async session => {
    await dropRows(session, plan)
    await insertBlankRows(session, plan)
  })
  const changed = await updateTables(open, plan, options)
  const cleanUpEach = (
    tables: PlannedTable[],
    act: (session: Session, table: PlannedTable) => Promise<void>,
  ) =>
    runInParallel(open, sessions, tables, (session, table) =>
      during(`cleaning up ${tableName(table)}`, () => act(session, table)),
    )
  await cleanUpEach([...findMasked(plan), ...findDropped(plan)], vacuumTable)
  const renewal = { open, plan, sessions }
  const compressed = findMasked(plan).filter(({ isCompressed }) => isCompressed)
  const ids = compressed.map(({ id }) => id)
  if (ids.length > 0) await renewStatistics(renewal, ids)
  await cleanUpEach(compressed, (session, table) => compressChunks(session, plan, table))
  await run('refreshing the data computed from masked rows', session => refreshDerived(session, plan))
  await renewStatistics(renewal)
  await checkStatistics(renewal)
  await run('dropping rows', session => dropBlankRows(session, plan))
  await run('restoring constraints and triggers', async session => {
    for (const { restore } of obstacles.toReversed()) await session.query(restore)
  })
  return changed
}
