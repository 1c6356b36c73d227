import { type Answer, type Session, StatementError } from '../../postgres/session.ts'
import { askAll, type Question } from './ask.ts'
import type { Facts } from './facts.ts'
import { cronJobs, cronRoles, cronRuns, timescaledbJobs, timescaledbRuns } from './jobs.ts'
import { callers, logins, subscriptions, userMappings } from './objects.ts'
import type { Caller, EarlierRun, Undone } from './report.ts'
import type { Target } from './task.ts'

/** Rows of the queries of this folder have their shape from their SQL. */
const toTargets = (rows: Answer['rows']) => rows as unknown as Target[]

/** The jobs that pg_cron shows to another role only. */
async function findCronJobsOf(session: Session, role: Record<string, unknown>): Promise<Target[]> {
  const { become, borrow, giveBack } = role as { become: string; borrow: string[]; giveBack: string[] }
  const before = [...borrow, become]
  const after = ['set local role none', ...giveBack]
  const answers = await session.queryAll([...before, cronJobs, ...after].join(';\n'))
  const jobs = answers.find(({ columns }) => columns.includes('isActive'))?.rows ?? []
  return toTargets(jobs).map(job => ({ ...job, borrow: before, giveBack: after }))
}

async function findCronJobsOfOthers(session: Session, facts: Facts, undone: Undone[]): Promise<Target[]> {
  const about = `the roles that may have jobs of pg_cron in ${facts.database}`
  const [roles = []] = await askAll(session, [{ about, sql: cronRoles(facts) }], undone)
  const found: Target[] = []
  for (const role of roles) {
    try {
      found.push(...(await findCronJobsOf(session, role)))
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      const what = `the jobs of pg_cron that ${role.name} may have`
      undone.push({ what, reason: error.message, next: `log in as ${role.name} and look at cron.job` })
    }
  }
  return found
}

/** All jobs of the database that are not the service's own. */
export async function findJobs(session: Session, facts: Facts, undone: Undone[]): Promise<Target[]> {
  const { database, timescaledb, hasCron } = facts
  const questions: Question[] = []
  if (timescaledb !== null)
    questions.push({ about: `the jobs of TimescaleDB in ${database}`, sql: timescaledbJobs(facts) })
  if (hasCron) questions.push({ about: `the jobs of pg_cron in ${database}`, sql: cronJobs })
  const own = (await askAll(session, questions, undone)).flatMap(toTargets)
  return hasCron ? [...own, ...(await findCronJobsOfOthers(session, facts, undone))] : own
}

/** What else may do harm in the database; the logins only where they are asked for, since they are of all databases. */
export async function findObjects(
  session: Session,
  facts: Facts,
  withLogins: boolean,
  undone: Undone[],
): Promise<Target[]> {
  const { database } = facts
  const questions = [
    { about: `the subscriptions of ${database}`, sql: subscriptions(facts) },
    { about: `the user mappings of ${database}`, sql: userMappings(facts) },
  ]
  if (withLogins) questions.unshift({ about: 'the logins', sql: logins(facts) })
  return (await askAll(session, questions, undone)).flatMap(toTargets)
}

export async function findRuns(session: Session, facts: Facts, undone: Undone[]): Promise<EarlierRun[]> {
  const { database, timescaledb, hasCron } = facts
  const about = `the earlier runs of jobs in ${database}`
  const questions: Question[] = []
  if (timescaledb !== null) questions.push({ about, sql: timescaledbRuns(facts) })
  if (hasCron) questions.push({ about, sql: cronRuns })
  return (await askAll(session, questions, undone)).flat() as unknown as EarlierRun[]
}

export async function findCallers(
  session: Session,
  { database }: Facts,
  undone: Undone[],
): Promise<Caller[]> {
  const about = `functions of ${database} that call out`
  return (await askAll(session, [{ about, sql: callers }], undone)).flat() as unknown as Caller[]
}
