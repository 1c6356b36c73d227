/** Finds the objects of a fork that a quarantine must disable, and the jobs that already ran. */
import { asRows, type Session, StatementError } from '#postgres/session'
import { askAll, askOne, type Question, type Visit } from './ask.ts'
import {
  cronJobs,
  cronRoles,
  cronRuns,
  logins,
  subscriptions,
  timescaledbJobs,
  userMappings,
} from './objects.ts'
import type { EarlierRun, Undone } from './report.ts'
import type { Target } from './task.ts'

interface Jobs {
  jobs: Target[]
  runs: EarlierRun[]
}

/** A role, with the id of its login in a report. */
export type Role = Pick<Target, 'id' | 'name'>

interface CronRole extends Role, Pick<Target, 'borrow' | 'giveBack'> {
  /** The statement with which the session acts as the role. */
  become: string
  canLogin: boolean
  /** The role can read its jobs by its own rights. */
  canRead: boolean
  /** The role can read its jobs, perhaps after a grant by the current role. */
  isReadable: boolean
}

/** True if the login of the role stays active. pg_cron starts no job of a role that cannot log in. */
type StaysActive = (role: Role) => boolean

/** pg_cron shows these jobs only to their owner. */
async function findCronJobsOf(session: Session, { become, borrow, giveBack }: CronRole): Promise<Jobs> {
  const before = [...borrow, become]
  const after = ['set local role none', ...giveBack]
  const answers = await session.queryAll([...before, cronJobs, cronRuns, ...after].join(';\n'))
  const [jobs = [], runs = []] = answers.filter(({ command }) => command === 'SELECT').map(({ rows }) => rows)
  return {
    jobs: asRows<Target>(jobs).map(job => ({ ...job, borrow: before, giveBack: after })),
    runs: asRows(runs),
  }
}

const toUnread = (name: string, reason: string, next = `log in as ${name} and look at cron.job`): Undone => ({
  what: `the jobs of pg_cron that ${name} may have`,
  reason,
  next,
})

async function findCronJobs(visit: Visit, staysActive: StaysActive): Promise<Jobs> {
  const { session, facts, undone } = visit
  const about = `the jobs of pg_cron in ${facts.database}`
  const questions = [cronJobs, cronRuns, cronRoles(facts)].map((sql): Question => [about, sql])
  const [own = [], runs = [], roles = []] = await askAll(visit, questions)
  const found: Jobs = { jobs: asRows(own), runs: asRows(runs) }
  for (const role of asRows<CronRole>(roles)) {
    const { name, canRead, canLogin, isReadable } = role
    if (!canRead && !(canLogin && staysActive(role))) continue
    if (!isReadable) {
      const next = `grant ${name} usage on schema cron in the parent, or remove login:${name} from keep_active`
      undone.push(toUnread(name, `${name} may not use the schema cron, but its jobs run`, next))
      continue
    }
    try {
      const others = await findCronJobsOf(session, role)
      found.jobs.push(...others.jobs)
      found.runs.push(...others.runs)
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      undone.push(toUnread(name, error.message))
    }
  }
  return found
}

/** All jobs of the database, except those of the service. */
export async function findJobs(visit: Visit, staysActive: StaysActive): Promise<Jobs> {
  const { facts } = visit
  const found: Jobs = facts.hasCron ? await findCronJobs(visit, staysActive) : { jobs: [], runs: [] }
  if (facts.timescaledb === null) return found
  const about = `the jobs of TimescaleDB in ${facts.database}`
  const jobs = await askOne<Target>(visit, about, timescaledbJobs(facts))
  return { ...found, jobs: [...jobs, ...found.jobs] }
}

/** The other objects to disable. Logins belong to all databases, so they are read only on request. */
export async function findObjects(visit: Visit, withLogins: boolean): Promise<Target[]> {
  const { facts } = visit
  const questions: Question[] = [
    [`the subscriptions of ${facts.database}`, subscriptions(facts)],
    [`the user mappings of ${facts.database}`, userMappings(facts)],
  ]
  if (withLogins) questions.unshift(['the logins', logins(facts)])
  return asRows((await askAll(visit, questions)).flat())
}
