/** Runs the steps of masking in order: drop obstacles, change rows, clean up, renew statistics, restore obstacles. */
import type { OpenSession, Session } from '#postgres/session'
import { tableName } from '../plan/catalog.ts'
import type { Plan, PlannedTable } from '../plan/planned.ts'
import { compress, derive, rewrite } from './clean-up.ts'
import { dropBlankRows, dropRows, insertBlankRows } from './drop-rows.ts'
import { findObstacles } from './obstacles.ts'
import { type MaskingOptions, withProgress } from './progress.ts'
import { checkStatistics, renewStatistics } from './statistics.ts'
import { findDropped, findMasked, updateOf } from './update.ts'
import { during, inParallel, inSession } from './work.ts'

async function updateAll(open: OpenSession, plan: Plan, effort: MaskingOptions): Promise<number> {
  const tables = findMasked(plan).toSorted((one, other) => other.rows - one.rows)
  let changed = 0
  await withProgress(open, 'masking', tables, effort, () =>
    inParallel(open, effort.sessions, tables, async (session, table) => {
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
export async function maskRows(open: OpenSession, plan: Plan, effort: MaskingOptions): Promise<number> {
  const { sessions } = effort
  const obstacles = findObstacles(plan)
  const one = (what: string, act: (session: Session) => Promise<void>) => inSession(open, what, act)
  await one('dropping constraints and triggers', async session => {
    for (const { lift } of obstacles) await session.query(lift)
  })
  await one('dropping rows', async session => {
    await dropRows(session, plan)
    await insertBlankRows(session, plan)
  })
  const changed = await updateAll(open, plan, effort)
  const each = (tables: PlannedTable[], act: (session: Session, table: PlannedTable) => Promise<void>) =>
    inParallel(open, sessions, tables, (session, table) =>
      during(`cleaning up ${tableName(table)}`, () => act(session, table)),
    )
  await each([...findMasked(plan), ...findDropped(plan)], rewrite)
  const renewal = { open, plan, sessions }
  const compressed = findMasked(plan).filter(({ isCompressed }) => isCompressed)
  const ids = compressed.map(({ id }) => id)
  if (ids.length > 0) await renewStatistics(renewal, ids)
  await each(compressed, (session, table) => compress(session, plan, table))
  await one('refreshing the data computed from masked rows', session => derive(session, plan))
  await renewStatistics(renewal)
  await checkStatistics(renewal)
  await one('dropping rows', session => dropBlankRows(session, plan))
  await one('restoring constraints and triggers', async session => {
    for (const { restore } of obstacles.toReversed()) await session.query(restore)
  })
  return changed
}
