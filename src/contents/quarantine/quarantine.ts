/** Disables the jobs, logins, subscriptions and foreign servers that a fork inherits from its parent. */
import { isRefusedByServer } from '#postgres/login-refused'
import type { OpenSession, Session } from '#postgres/session'
import { type DatabaseQuarantine, type Facts, readFacts, runQuery } from './database.ts'
import { findJobs, findObjects, type Role } from './discover.ts'
import { findUnknownNames, isKept, type KeepActive } from './keep-active.ts'
import { callers, timescaledbRuns } from './objects.ts'
import {
  type Caller,
  type EarlierRun,
  nounOf,
  type QuarantineFailure,
  type QuarantineReport,
} from './report.ts'
import { type Refusal, runTasks, type Target, terminateSessions, toItem, withRights } from './task.ts'

interface QuarantineRequest {
  keepActive: KeepActive
  /** An earlier report. Only the objects that it names are disabled: the pull request created the others. */
  earlier?: QuarantineReport | undefined
}

interface Run extends QuarantineRequest {
  report: QuarantineReport
  /** All objects found in any database, active or not. */
  found: Target[]
  /** The ids in the report of the earlier quarantine. */
  earlierIds: Set<string> | undefined
}

/** Advice by PostgreSQL's error code (documentation, appendix A). */
function adviseOn({ code, target: { kind, names, owner } }: Refusal, user: string): string {
  const kept = `${kind}:${names[0]}`
  if (code === '55P03') return 'run the step again: another session holds a lock'
  if (code !== '42501') return `disable it by hand in the preview, or accept it by keep_active: ${kept}`
  const role = kind === 'login' ? names[0] : owner
  return `have ${role} granted to ${user} with ADMIN OPTION in the parent, or accept it by keep_active: ${kept}`
}

function describeRefusal(refusal: Refusal, user: string): QuarantineFailure {
  const { target, reason } = refusal
  const { kind, name, database } = target
  const what = `${nounOf(kind)} ${name}${database && ` in ${database}`}`
  return { item: toItem(target), what, reason, next: adviseOn(refusal, user) }
}

const idsOf = ({ quarantined, kept, undone }: QuarantineReport) =>
  [...quarantined, ...kept, ...undone.flatMap(({ item = [] }) => item)].map(({ id }) => id)

/** Disables objects, except those in `keep_active`. Returns all that are disabled now, including earlier ones. */
async function disableObjects(
  { session, facts }: DatabaseQuarantine,
  run: Run,
  objects: Target[],
): Promise<Target[]> {
  const { report, earlierIds, keepActive } = run
  run.found.push(...objects)
  const active = objects.filter(({ isActive, id }) => isActive && (earlierIds?.has(id) ?? true))
  report.kept.push(...active.filter(target => isKept(keepActive, target)).map(toItem))
  const targets = active.filter(target => !isKept(keepActive, target))
  const refusals = await runTasks(
    session,
    // A role has no owner: altering it requires the right to administer it.
    targets.map(target =>
      target.kind === 'login' ? { target, statements: target.statements } : withRights(target),
    ),
  )
  report.undone.push(...refusals.map(refusal => describeRefusal(refusal, facts.user)))
  const refused = new Set(refusals.map(({ target }) => target))
  const disabled = targets.filter(target => !refused.has(target))
  report.quarantined.push(...disabled.map(toItem))
  const disabledEarlier = objects.filter(({ isActive, id }) => !isActive && earlierIds?.has(id))
  return [...disabled, ...disabledEarlier]
}

/** True if jobs to disable could run as this role, because its login stays active. */
function staysActive({ keepActive, earlierIds }: Run, { id, name }: Role): boolean {
  const isInherited = earlierIds?.has(id) ?? true
  return (
    isInherited && !keepActive.kinds.includes('job') && isKept(keepActive, { kind: 'login', names: [name] })
  )
}

async function quarantineDatabase(session: Session, run: Run, isFirst: boolean): Promise<Facts> {
  const { report } = run
  const facts = await readFacts(session)
  const { database } = facts
  const context: DatabaseQuarantine = { session, facts, failures: report.undone }
  // Jobs come first, because they start by themselves.
  const { jobs, runs } = await findJobs(context, role => staysActive(run, role))
  const disabled = await disableObjects(context, run, jobs)
  const objects = await findObjects(context, isFirst)
  for (const ofKind of Map.groupBy(objects, ({ kind }) => kind).values())
    disabled.push(...(await disableObjects(context, run, ofKind)))
  await terminateSessions(context, disabled)
  // A fork of a paused service inherits the texts of its statements, such as ALTER ROLE … PASSWORD.
  if (facts.pgStatStatements !== null && !run.earlier)
    await session.attempt(`select ${facts.pgStatStatements}.pg_stat_statements_reset()`)
  // Runs are read after the jobs are stopped, so that none is missing.
  const earlierRuns = `the earlier runs of TimescaleDB's jobs in ${database}`
  if (facts.timescaledb !== null)
    runs.push(...(await runQuery<EarlierRun>(context, earlierRuns, timescaledbRuns(facts))))
  // The earlier report contains the runs before that quarantine.
  const sinceEarlier = run.earlier ? facts.at - run.earlier.at : Number.POSITIVE_INFINITY
  report.ran.push(...runs.filter(({ before }) => before < sinceEarlier))
  const functions = `functions of ${database} that call out`
  report.callers.push(...(await runQuery<Caller>(context, functions, callers)))
  return facts
}

async function quarantineOtherDatabase(open: OpenSession, database: string, run: Run): Promise<void> {
  try {
    await open(session => quarantineDatabase(session, run, false), database)
  } catch (error) {
    if (!isRefusedByServer(error)) throw error
    const next = `let the owner of the service log in to ${database}`
    run.report.undone.push({ what: `the database ${database}`, reason: error.message, next })
  }
}

/** A hint for each kept job whose owner cannot log in: TimescaleDB and pg_cron start no job of such a role. */
function findJobsWithoutLogin({ report: { kept, quarantined }, found }: Run): string[] {
  const disabledLogins = new Set(quarantined.filter(({ kind }) => kind === 'login').map(({ name }) => name))
  const keptIds = new Set(kept.map(({ id }) => id))
  return found
    .filter(({ kind, id, owner }) => kind === 'job' && keptIds.has(id) && disabledLogins.has(owner))
    .map(({ name, owner }) => `keep_active: job ${name} cannot run without its owner: add login:${owner}`)
}

function mergeReports(earlier: QuarantineReport, now: QuarantineReport): QuarantineReport {
  const ids = new Set([...now.kept, ...now.quarantined].map(({ id }) => id))
  return {
    ...now,
    quarantined: [...earlier.quarantined.filter(({ id }) => !ids.has(id)), ...now.quarantined],
    ran: [...earlier.ran, ...now.ran],
  }
}

/**
 * Disables every job, login, subscription and foreign server that a fork inherits, in all databases of the service. The
 * report names the objects that could not be disabled. Idempotent.
 * @throws errors of `open`, and all others except refusals by the server
 */
export async function quarantine(open: OpenSession, request: QuarantineRequest): Promise<QuarantineReport> {
  const report = { at: 0, quarantined: [], kept: [], undone: [], ran: [], callers: [], remarks: [] }
  const earlierIds = request.earlier && new Set(idsOf(request.earlier))
  const run: Run = { ...request, earlierIds, found: [], report }
  const { at, others } = await open(session => quarantineDatabase(session, run, true))
  for (const database of others) await quarantineOtherDatabase(open, database, run)
  const remarks = [...findUnknownNames(request.keepActive, run.found), ...findJobsWithoutLogin(run)]
  const now = { ...run.report, at, remarks }
  return request.earlier ? mergeReports(request.earlier, now) : now
}
