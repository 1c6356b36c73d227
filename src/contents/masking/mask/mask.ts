/** Runs the steps of masking in order: drop obstacles, change rows, clean up, renew statistics, restore obstacles. */
import { type OpenSession, queryTexts, type Session } from '#postgres/session'
import { quoteText } from '#postgres/sql'
import { quotedName, tableName } from '../plan/catalog.ts'
import { findDropped, findMasked, type Plan, type PlannedTable } from '../plan/plan.ts'
import { dropBlankRows, insertBlankRows } from './blank-rows.ts'
import { findShortened } from './drop-chunks.ts'
import { aggregatesQuery, dropRows } from './drop-rows.ts'
import { findObstacles } from './obstacles.ts'
import { type MaskingOptions, withProgress } from './progress.ts'
import { checkStatistics, renewStatistics } from './statistics.ts'
import { updateOf } from './update.ts'
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

const compressedChunks = `
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`

/** Vacuums a table, so that no row version with an original remains. */
async function vacuumTable(session: Session, table: PlannedTable): Promise<void> {
  await session.query(`vacuum ${quotedName(table)}`)
}

/** Compresses the chunks of a hypertable. ANALYZE reads no rows in a compressed chunk, so it must run before. */
async function compressChunks(session: Session, plan: Plan, table: PlannedTable): Promise<void> {
  for (const chunk of await queryTexts(session, compressedChunks, [table.schema, table.name]))
    await session.query(
      `select ${plan.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,
      [chunk],
    )
  await vacuumTable(session, table)
}

const compressedTables = `
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`

/** Also refreshes ranges without recorded changes, with values of rows deleted long ago. New in TimescaleDB 2.18. */
const forceArgument = `
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`

/** Refreshes materialized views and continuous aggregates, each after those that it reads. */
async function refreshDerived(session: Session, plan: Plan): Promise<void> {
  const { derived, timescaledb } = plan
  if (findMasked(plan).some(({ isCompressed }) => isCompressed))
    for (const name of await queryTexts(session, compressedTables)) await session.query(`vacuum ${name}`)
  const [argument = ''] = await queryTexts(session, forceArgument)
  const ids = findShortened(plan).map(({ id }) => id)
  const ofShortened = ids.length > 0 ? await queryTexts(session, aggregatesQuery, [ids]) : []
  for (const { name, stored, isAggregate } of derived)
    await during(`refreshing ${name}`, async () => {
      // Tiered rows of a shortened hypertable must not come back into its aggregates.
      if (ofShortened.includes(name)) await session.attempt('set timescaledb.enable_tiered_reads = off')
      if (isAggregate)
        await session.query(
          `call ${timescaledb}.refresh_continuous_aggregate(${quoteText(name)}, null, null${argument})`,
        )
      else await session.query(`refresh materialized view ${name}`)
      await session.query(`vacuum ${stored}`)
      if (ofShortened.length > 0) await session.attempt('reset timescaledb.enable_tiered_reads')
    })
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
