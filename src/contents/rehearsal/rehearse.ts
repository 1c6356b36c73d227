/** Runs a migration, and measures its effects on a database. */
import { ActionError } from '#base/errors'
import { poll } from '#base/poll'
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import { queryRow, queryValue, type Session } from '#postgres/session'
import type { SqlFile } from '../sql/sql-error.ts'
import { type CheckedStatement, findViolations } from './judge/check-limits.ts'
import { readPlaces } from './judge/places.ts'
import { highestIdOf, readCatalog } from './measure/catalog.ts'
import { findEffects } from './measure/effects.ts'
import { readFingerprints, rereadFingerprints } from './measure/fingerprints.ts'
import { walPosition } from './measure/locks.ts'
import { Recorder } from './measure/recorder.ts'
import { createSampler } from './measure/sampler.ts'
import { addShortLocks } from './measure/short-locks.ts'
import { addUncounted, findChanges } from './measure/table-changes.ts'
import { findUnseen } from './measure/unseen.ts'
import { watchSessions } from './measure/watching.ts'
import type { Limits } from './result/limits.ts'
import { hashOf, idOf, shorten } from './result/statement-text.ts'
import type { Rehearsal, StatementPlace } from './result/stored.ts'
import type { Watch } from './tap/watch.ts'

type Clock = Pick<Seam, 'now' | 'sleep'>

/** Runs the migration. Without a watch, nothing is measured. @throws ActionError if the migration is wrong */
type Run = (watch?: Watch) => Promise<void>

interface RehearsalTask {
  limits: Limits
  /** The files in which to find the place of each statement. */
  files: SqlFile[]
  run: Run
}

/** The measurements, and the error of the migration if it failed. */
export interface Rehearsed {
  rehearsal: Rehearsal
  failure: ActionError | undefined
  /** Malformed comments that look like a request to ignore a finding. */
  malformed: StatementPlace[]
}

/** Facts that the server reports about itself. */
const readServer = (session: Session) =>
  queryRow<{ at: string; version: string; wal: number; temporaryBytes: number }>(
    session,
    `select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
       split_part(current_setting('server_version'), ' ', 1) as version,
       (${walPosition})::float8 as wal,
       (select temp_bytes from pg_stat_database where datname = current_database())::float8 as "temporaryBytes"`,
  )

/** The other client sessions of this user. */
const othersQuery = `
  select from pg_stat_activity where datname = current_database() and usename = current_user
    and backend_type = 'client backend' and pid <> pg_backend_pid()`

/** Waits for the migration and returns its error. Throws any other error. */
const failureOf = (running: Promise<void>): Promise<ActionError | undefined> =>
  running.then(
    () => undefined,
    error => {
      if (error instanceof ActionError) return error
      throw error
    },
  )

/** Milliseconds until PostgreSQL 14 shows the counters of a session: the session and the collector each wait up to 500 ms. */
const collectorDelay = 1100

/** PostgreSQL 15 and later keep counters in shared memory and show them at once. */
async function waitForCollector(session: Session, seam: Clock): Promise<void> {
  const isOlder = "select current_setting('server_version_num')::int < 150000"
  if (await queryValue<boolean>(session, isOlder)) await seam.sleep(collectorDelay)
}

/** Reads the state of the database before the migration. */
async function readBefore(session: Session, seam: Clock) {
  // The second session must neither wait for the migration nor block it.
  await session.query("set lock_timeout = '1s'; set search_path = ''")
  await session.attempt("set client_connection_check_interval = '500ms'")
  await waitForCollector(session, seam)
  const catalog = await readCatalog(session)
  const fingerprints = await readFingerprints(session, seam, catalog)
  return { catalog, fingerprints, server: await readServer(session) }
}

type Before = Awaited<ReturnType<typeof readBefore>>

/** Runs the migration and records its statements. */
async function watchRun(session: Session, seam: Clock, { catalog, server }: Before, run: Run) {
  const sampler = createSampler(session, seam, highestIdOf(catalog))
  const recorder = new Recorder(catalog, sampler, server.wal)
  const watching = watchSessions(session, seam, recorder, sampler)
  const sampling = sampler
    .run()
    .catch(error => watching.onProblem(`the locks could not be watched to the end: ${messageOf(error)}`))
  const failure = await failureOf(run(watching)).finally(() => sampler.stop())
  recorder.close(seam.now())
  await sampling
  return { recorder, failure, problem: watching.problem }
}

/** In milliseconds: the longest wait for sessions to end, and the interval of the poll. */
const sessionEnd = { timeout: 2000, interval: 20 }

/** A session adds its changes to the counters before it ends. Waits for the end of this user's other sessions. */
async function waitForCounters(session: Session, seam: Clock): Promise<void> {
  const haveEnded = async () => (await session.query(othersQuery)).rows.length === 0 || undefined
  await poll(
    { seam },
    { interval: sessionEnd.interval, until: seam.now() + sessionEnd.timeout, check: haveEnded },
  )
  await waitForCollector(session, seam)
}

/** Compares the database with its state before the migration, and the measurements with the limits. */
async function evaluateRun(
  session: Session,
  seam: Clock,
  { limits, files }: RehearsalTask,
  before: Before,
  { recorder, failure, problem: unwatched }: Awaited<ReturnType<typeof watchRun>>,
  places: ReturnType<typeof readPlaces>,
): Promise<Rehearsal> {
  await waitForCounters(session, seam)
  // Reading rows for the first time writes WAL, so the end of the WAL is read first.
  const server = await readServer(session)
  const after = await readCatalog(session)
  const catalogs = { before: before.catalog, after }
  const fingerprints = {
    before: before.fingerprints,
    after: await rereadFingerprints(session, seam, before.fingerprints, catalogs),
  }
  const changes = findChanges({ ...catalogs, fingerprints }, recorder)
  addUncounted(before.catalog, changes, recorder)
  addShortLocks(before.catalog, after, recorder)
  const problem = unwatched ?? findUnseen(before.catalog, after, recorder)
  const effects = await findEffects({ session, ...catalogs, recorder, fingerprints, changes })
  const { from, until } = recorder.span ?? { from: 0, until: 0 }
  const duration = Math.max(0, until - from - recorder.measured)
  const measured = { duration, wal: Math.max(0, server.wal - before.server.wal) }
  const checked = recorder.statements.map(
    ({ sql, sentAt: _sent, startedAt: _started, endedAt: _ended, ...recorded }): CheckedStatement => {
      const { place, ignores } = places.find(sql)
      const statement = { ...recorded, text: shorten(sql) }
      return { sql, ignores, statement: place ? { ...statement, place } : statement }
    },
  )
  const version = Number.parseInt(server.version, 10)
  const violations = findViolations({ limits, catalog: before.catalog, version, ...measured }, checked)
  const texts = files.length > 0 ? files.map(({ text }) => text) : checked.map(({ sql }) => sql)
  const isPassed = failure === undefined && violations.every(({ ignored }) => ignored !== undefined)
  const measuredVerdict = isPassed ? 'passed' : 'failed'
  return {
    verdict: problem === undefined ? measuredVerdict : 'not measured',
    violations,
    statements: checked.map(({ sql, statement }) => ({ ...statement, id: idOf(sql, statement) })),
    effects,
    unfinished: [...after.constraints.values(), ...after.indexes.values()].map(({ name }) => name),
    destructive: effects.some(({ destructive }) => destructive),
    migrationHash: hashOf(texts),
    ...measured,
    temporaryBytes: Math.max(0, server.temporaryBytes - before.server.temporaryBytes),
    measuredOn: { serverVersion: server.version, at: before.server.at },
    problem: problem ?? failure?.message,
  }
}

/** The effects are unknown, so the migration counts as destructive. */
const notMeasured = (files: SqlFile[], error: unknown): Rehearsal => ({
  verdict: 'not measured',
  violations: [],
  statements: [],
  effects: [],
  destructive: true,
  migrationHash: hashOf(files.map(({ text }) => text)),
  duration: 0,
  wal: 0,
  temporaryBytes: 0,
  measuredOn: { serverVersion: '', at: '' },
  problem: messageOf(error),
})

/**
 * Runs a migration, and measures its effects on the database of `session`. If measuring fails, the verdict is `not measured` and
 * the migration continues.
 */
export async function rehearse(session: Session, seam: Clock, task: RehearsalTask): Promise<Rehearsed> {
  const places = readPlaces(task.files)
  const { malformed } = places
  const before = await readBefore(session, seam).catch(messageOf)
  if (typeof before === 'string')
    return { failure: await failureOf(task.run()), rehearsal: notMeasured(task.files, before), malformed }
  const watched = await watchRun(session, seam, before, task.run)
  const { failure } = watched
  const evaluating = evaluateRun(session, seam, task, before, watched, places)
  const rehearsal = await evaluating.catch(error => notMeasured(task.files, error))
  return { failure, rehearsal, malformed }
}
