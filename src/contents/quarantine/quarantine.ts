/** Disables the jobs, logins, subscriptions and foreign servers that a fork inherits from its parent. */
import { isRefused } from '#postgres/login-refused'
import type { OpenSession, Session } from '#postgres/session'
import { askOne, type Visit } from './ask.ts'
import { callers } from './callers.ts'
import { findJobs, findObjects, type Role } from './discover.ts'
import { type Facts, prepare } from './facts.ts'
import { findUnknown, isKept, type KeepActive } from './keep-active.ts'
import { timescaledbRuns } from './objects.ts'
import { type Caller, type EarlierRun, nounOf, type QuarantineReport, type Undone } from './report.ts'
import { carryOut, endSessions, type Refusal, type Target, toItem, withRights } from './task.ts'

export interface QuarantineRequest {
  keepActive: KeepActive
  /**
   * The report of an earlier quarantine of this fork. Only the objects that it names are disabled: the pull request
   * created the others.
   */
  again?: QuarantineReport | undefined
}

interface Run extends QuarantineRequest {
  report: QuarantineReport
  /** All objects found, active or not. */
  found: Target[]
  /** The ids in the report of the earlier quarantine. */
  known: Set<string> | undefined
}

/** Advice by PostgreSQL's error code (documentation, appendix A). */
function adviseOn({ code, target: { kind, names, owner } }: Refusal, user: string): string {
  const kept = `${kind}:${names[0]}`
  if (code === '55P03') return 'run the step again: another session holds a lock'
  if (code !== '42501') return `end it by hand in the preview, or accept it by keep_active: ${kept}`
  const role = kind === 'login' ? names[0] : owner
  return `have ${role} granted to ${user} with ADMIN OPTION in the parent, or accept it by keep_active: ${kept}`
}

function toUndone(refusal: Refusal, user: string): Undone {
  const { target, reason } = refusal
  const { kind, name, database } = target
  const what = `${nounOf(kind)} ${name}${database && ` in ${database}`}`
  return { item: toItem(target), what, reason, next: adviseOn(refusal, user) }
}

const idsOf = ({ quarantined, kept, undone }: QuarantineReport) =>
  [...quarantined, ...kept, ...undone.flatMap(({ item = [] }) => item)].map(({ id }) => id)

/**
 * Disables every object found, except those in `keep_active`. Returns the objects that are now disabled, including
 * those from an earlier quarantine.
 */
async function disable({ session, facts }: Visit, run: Run, found: Target[]): Promise<Target[]> {
  const { report, known, keepActive } = run
  run.found.push(...found)
  const active = found.filter(({ isActive, id }) => isActive && (known?.has(id) ?? true))
  report.kept.push(...active.filter(target => isKept(keepActive, target)).map(toItem))
  const targets = active.filter(target => !isKept(keepActive, target))
  const refusals = await carryOut(
    session,
    // A role has no owner: altering it requires the right to administer it.
    targets.map(target =>
      target.kind === 'login' ? { target, statements: target.statements } : withRights(target),
    ),
  )
  report.undone.push(...refusals.map(refusal => toUndone(refusal, facts.user)))
  const refused = new Set(refusals.map(({ target }) => target))
  const disabled = targets.filter(target => !refused.has(target))
  report.quarantined.push(...disabled.map(toItem))
  return [...disabled, ...found.filter(({ isActive, id }) => !isActive && known?.has(id))]
}

/** True if jobs of a role could still run: its login is kept, and its jobs are not. */
function staysActive({ keepActive, known }: Run, { id, name }: Role): boolean {
  const isKnown = known?.has(id) ?? true
  return isKnown && !keepActive.kinds.includes('job') && isKept(keepActive, { kind: 'login', names: [name] })
}

async function quarantineDatabase(session: Session, run: Run, isFirst: boolean): Promise<Facts> {
  const { report } = run
  const facts = await prepare(session)
  const { database } = facts
  const visit: Visit = { session, facts, undone: report.undone }
  // Jobs come first, because they start by themselves.
  const { jobs, runs } = await findJobs(visit, role => staysActive(run, role))
  const disabled = await disable(visit, run, jobs)
  const objects = await findObjects(visit, isFirst)
  for (const found of Map.groupBy(objects, ({ kind }) => kind).values())
    disabled.push(...(await disable(visit, run, found)))
  await endSessions(visit, disabled)
  // A fork of a paused service inherits the texts of its statements, such as ALTER ROLE … PASSWORD.
  if (facts.statements !== null && !run.again)
    await session.attempt(`select ${facts.statements}.pg_stat_statements_reset()`)
  // Runs are read after the jobs are stopped, so that none is missing.
  const aboutRuns = `the earlier runs of TimescaleDB's jobs in ${database}`
  if (facts.timescaledb !== null)
    runs.push(...(await askOne<EarlierRun>(visit, aboutRuns, timescaledbRuns(facts))))
  const since = run.again ? facts.at - run.again.at : Number.POSITIVE_INFINITY
  report.ran.push(...runs.filter(({ before }) => before < since))
  const aboutCallers = `functions of ${database} that call out`
  report.callers.push(...(await askOne<Caller>(visit, aboutCallers, callers(facts))))
  return facts
}

async function quarantineOther(open: OpenSession, database: string, run: Run): Promise<void> {
  try {
    await open(session => quarantineDatabase(session, run, false), database)
  } catch (error) {
    if (!isRefused(error)) throw error
    const next = `let the owner of the service log in to ${database}`
    run.report.undone.push({ what: `the database ${database}`, reason: error.message, next })
  }
}

/** TimescaleDB and pg_cron start no job of a role that cannot log in. */
function findStranded({ report: { kept, quarantined }, found }: Run): string[] {
  const closed = new Set(quarantined.filter(({ kind }) => kind === 'login').map(({ name }) => name))
  const ids = new Set(kept.map(({ id }) => id))
  return found
    .filter(({ kind, id, owner }) => kind === 'job' && ids.has(id) && closed.has(owner))
    .map(({ name, owner }) => `keep_active: job ${name} cannot run without its owner: add login:${owner}`)
}

function merge(earlier: QuarantineReport, now: QuarantineReport): QuarantineReport {
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
 *
 * @throws errors of `open`, and all others except refusals by the server
 */
export async function quarantine(open: OpenSession, request: QuarantineRequest): Promise<QuarantineReport> {
  const report = { at: 0, quarantined: [], kept: [], undone: [], ran: [], callers: [], remarks: [] }
  const known = request.again && new Set(idsOf(request.again))
  const run: Run = { ...request, known, found: [], report }
  const { at, others } = await open(session => quarantineDatabase(session, run, true))
  for (const database of others) await quarantineOther(open, database, run)
  const remarks = [...findUnknown(request.keepActive, run.found), ...findStranded(run)]
  const now = { ...run.report, at, remarks }
  return request.again ? merge(request.again, now) : now
}
