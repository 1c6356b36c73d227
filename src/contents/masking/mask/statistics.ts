/** Replaces or deletes every statistic of masked tables, so that none is older than the masking. */
import { cap } from '#base/bytes'
import { type OpenSession, queryTexts, type Session } from '#postgres/session'
import { isSystemSchema } from '../plan/catalog-queries.ts'
import { workSchema } from '../plan/expressions.ts'
import { findDropped, findMasked, type Plan } from '../plan/plan.ts'
import { versionWithStatisticsClearing } from './blank-rows.ts'
import { hasNoShapes, holdsShapes } from './shape-statistics.ts'
import { liftTargets, remedies, retypeShapes, runSteps, setProbes } from './stale-statistics.ts'
import { during, MaskingError, runInParallel, runInSession } from './work.ts'

/** The first version that shows the bounds of ranges (PostgreSQL 17 release notes). */
const versionWithRangeBounds = 170_000

/** Tables of users, the tables that inherit from them, and their indexes. Tables of the service belong to superusers. */
const relations = `
  with recursive tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select inhrelid from pg_inherits)
    union select root, inhrelid from tree join pg_inherits on inhparent = id),
  relation as (
    select distinct on (class.oid) class.oid as relation, root, nspname as schema, relname as name,
      pg_has_role(relowner, 'usage') as is_owned
    from (select id, root from tree union all select indexrelid, root from tree join pg_index on indrelid = id) as found
      join pg_class as class on class.oid = found.id join pg_namespace as space on space.oid = relnamespace
      join pg_roles as owner on owner.oid = relowner
    where not ${isSystemSchema}
      and (not rolsuper or pg_has_role(relowner, 'usage'))
    order by class.oid, root)`

/** Earlier versions hide the bounds of ranges, so every statistic of a range may contain some. */
const isRange = `exists (select from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = relation and pg_attribute.attname = pg_stats.attname and typanalyze::text ~ 'range_typanalyze')`

/** A common table of the statistics that contain values. The others may be old. */
const holding = ({ version }: Pick<Plan, 'version'>) => `${relations},
  holding as (
    select relation, attname, inherited, schema, name from pg_stats join relation on schema = schemaname and name = tablename
    where most_common_vals is not null or histogram_bounds is not null or most_common_elems is not null
      or ${version >= versionWithRangeBounds ? 'range_bounds_histogram is not null' : isRange} or ${holdsShapes})`

/** Adds the descendants of the given tables to the work table `renewed`, or all remaining relations if no table is given. */
const addRenewed = `${relations}
  insert into ${workSchema}.renewed select relation, root from relation
  where is_owned and ($1::text[] is null or root::text = any ($1)) and relation not in (select relation from ${workSchema}.renewed)
  returning relation::text as id`

/** Tables that have statistics or were masked. The other tables had no statistics in production. */
const toAnalyze = `${relations}
  select distinct root::text as root from relation where relation::text = any ($1)
    and (root::text = any ($2) or root in (select to_regclass(name) from unnest($3::text[]) as stored(name))
      or (schema, name) in (select schemaname, tablename from pg_stats))`

/** Statements that recreate extended statistics, because no command clears them. */
const recreateExtended = `
  select concat_ws('; ', format('drop statistics %I.%I', nspname, stxname), pg_get_statisticsobjdef(stat.oid),
    format('alter statistics %I.%I set statistics %s', nspname, stxname, coalesce(stxstattarget, -1)),
    format('comment on statistics %I.%I is %L', nspname, stxname, obj_description(stat.oid, 'pg_statistic_ext'))) as act
  from pg_statistic_ext as stat join pg_namespace on pg_namespace.oid = stxnamespace where stxrelid::text = any ($1)`

const clear = `${relations}
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join relation on schema = schemaname and name = tablename where relation::text = any ($1)`

const addStale = (plan: Plan) => `${holding(plan)}
  insert into ${workSchema}.stale select relation, attname, inherited from holding where relation::text = any ($1)`

/** Statistics without a value need no renewal. */
const dropBlank = (plan: Plan) => `${holding(plan)}
  delete from ${workSchema}.stale as old where not exists (select from holding
    where relation = old.relation and attname = old.attname and inherited = old.inherited)`

/** Analyzing a table above a foreign table would read the foreign table. */
const aboveForeign = `
  with recursive above(id) as (
    select oid from pg_class where relkind = 'f' union select inhparent from above join pg_inherits on inhrelid = id)
  select id from above`

/**
 * ANALYZE replaces the statistics of a relation if its sample has rows, and computes `reltuples` from that sample
 * (PostgreSQL, analyze.c). A probe has data only if the sample of the whole tree has rows. In PostgreSQL 14, that is true only
 * for a partitioned table: the probe of another table has data from its own rows.
 */
const dropReplaced = ({ version }: Plan) => `
  delete from ${workSchema}.stale using pg_class left join pg_index on indexrelid = pg_class.oid
    where pg_class.oid = relation and not inherited and relkind in ('r', 'm', 'i') and reltuples > 0 and not ${hasNoShapes}
      and coalesce(indrelid, relation) not in (${aboveForeign});
  delete from ${workSchema}.stale using pg_class, pg_stats_ext_exprs as probe
    where pg_class.oid = relation and stale.inherited and ${version >= 150_000 ? 'probe.inherited' : "relkind = 'p'"}
      and statistics_schemaname = '${workSchema}' and statistics_name = 'probe_' || relation and not ${hasNoShapes}`

/** ANALYZE of a table includes its attached partitions, and ANALYZE of a hypertable its chunks. */
const analyzed = `
  select format('%I.%I', nspname, relname) as name from ${workSchema}.renewed join pg_class as class on class.oid = relation
    join pg_namespace on pg_namespace.oid = relnamespace
  where root = $1::oid and relkind in ('r', 'p', 'm') and relation not in (${aboveForeign})
    and (relation = root or not $2::boolean and not relispartition or root in (${aboveForeign}))`

async function analyzeTree(session: Session, plan: Plan, root: string): Promise<void> {
  const isHypertable = plan.tables.some(
    ({ id, isHypertable, extension }) => id === root && isHypertable && !extension,
  )
  const names = await queryTexts(session, analyzed, [root, isHypertable])
  if (names.length > 0) await session.query(`analyze ${names.join(', ')}`)
}

const staleRoots = `select distinct root::text as root from ${workSchema}.stale join ${workSchema}.renewed using (relation)`

const task = 'the statistics of masked tables'

interface Renewal {
  open: OpenSession
  plan: Plan
  sessions: number
}

/** Analyzes these tables, and removes blank or replaced statistics from the list of stale ones. */
async function analyze({ open, plan, sessions }: Renewal, roots: readonly string[]): Promise<string[]> {
  const restoreTargets = await runInSession(open, task, async session => {
    await session.query(dropBlank(plan))
    await runSteps(session, setProbes)
    return await runSteps(session, liftTargets)
  })
  await runInParallel(open, sessions, roots, (session, root) =>
    during(task, () => analyzeTree(session, plan, root)),
  )
  return await runInSession(open, task, async session => {
    await session.query(dropReplaced(plan))
    for (const restore of restoreTargets) await session.query(restore)
    return await queryTexts(session, staleRoots)
  })
}

/** Replaces or deletes the statistics of these tables, or of all not renewed. `checkStatistics` names the rest. */
export async function renewStatistics(renewal: Renewal, tables?: string[]): Promise<void> {
  const { open, plan } = renewal
  const add = (session: Session) => queryTexts(session, addRenewed, [tables ?? null])
  // A change of a column recreates its indexes on expressions.
  const repair = async (session: Session, steps: string) => {
    const undo = await runSteps(session, steps)
    await add(session)
    return undo
  }
  let roots = await runInSession(open, task, async session => {
    const ids = await add(session)
    const changed = [...findMasked(plan), ...findDropped(plan)].map(({ id }) => id)
    const stored = plan.derived.map(({ stored }) => stored)
    const found = await queryTexts(session, toAnalyze, [ids, changed, stored])
    for (const recreate of await queryTexts(session, recreateExtended, [ids])) await session.query(recreate)
    if (plan.version >= versionWithStatisticsClearing) await session.query(clear, [ids])
    await session.query(addStale(plan), [ids])
    // A sample of ANALYZE may miss the only rows with values.
    for (const undo of await repair(session, retypeShapes)) await session.query(undo)
    return found
  })
  roots = await analyze(renewal, roots)
  for (const remedy of remedies) {
    if (roots.length === 0) return
    const undo = await runInSession(open, task, session => repair(session, remedy(plan)))
    roots = await analyze(renewal, roots)
    await runInSession(open, task, async session => {
      for (const statement of undo) await session.query(statement)
    })
  }
}

const remaining = (plan: Plan) => `${holding(plan)}
  select distinct format('%s.%s.%s', schema, name, attname) as place from holding
  where relation not in (select relation from ${workSchema}.renewed)
    or exists (select from ${workSchema}.stale as old
      where old.relation = holding.relation and old.attname = holding.attname and old.inherited = holding.inherited)
  union select format('%s.%s', statistics_schemaname, statistics_name) from pg_stats_ext
    join relation on schema = schemaname and name = tablename
  where relation not in (select relation from ${workSchema}.renewed)
  order by place`

/** Checks that no statistic is older than the masking. @throws MaskingError naming the stale statistics */
export async function checkStatistics({ open, plan }: Omit<Renewal, 'sessions'>): Promise<void> {
  const places = await runInSession(open, task, session => queryTexts(session, remaining(plan)))
  if (places.length === 0) return
  throw new MaskingError(
    `statistics from before the masking can neither be replaced nor deleted: ${cap(places).join(', ')}`,
    'in the parent, insert a row into the table, analyze it, and delete the row; or drop the table. The login also needs the rights of its owner',
  )
}
