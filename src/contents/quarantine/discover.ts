/** Finds the objects of a fork that a quarantine must disable, and the jobs that already ran. */
import { inTransaction, orRefusal, queryRows, type Session, StatementError } from '#postgres/session'
import { type DatabaseQuarantine, runQuery } from './database.ts'
import {
  cronJobs,
  cronRoles,
  cronRuns,
  logins,
  subscriptions,
  timescaledbJobs,
  userMappings,
} from './objects.ts'
import type { EarlierRun } from './report.ts'
import type { Target } from './task.ts'

interface Jobs {
  jobs: Target[]
  /** The runs of these jobs in the fork. */
  runs: EarlierRun[]
}

/** A role, with the id of its login in a report. */
export type Role = Pick<Target, 'id' | 'name'>

interface CronRole extends Role, Pick<Target, 'grantRights' | 'revokeRights'> {
  /** The statement with which the session acts as the role. */
  setRole: string
  canLogin: boolean
  /** The role can read its jobs by its own rights. */
  canRead: boolean
  /** The role can read its jobs by its own rights, or after a grant by the current role. */
  canReadAfterGrant: boolean
}

/** True if the login of the role stays active. pg_cron starts no job of a role that cannot log in. */
type StaysActive = (role: Role) => boolean

/** Acts as the role, because pg_cron shows its jobs to no other role. */
async function findCronJobsOf(
  session: Session,
  { setRole, grantRights, revokeRights }: CronRole,
): Promise<Jobs> {
  const before = [...grantRights, setRole]
  const after = ['set local role none', ...revokeRights]
  return await inTransaction(session, async () => {
    await session.query(before.join(';\n'))
    const jobs = await queryRows<Target>(session, cronJobs)
    const runs = await queryRows<EarlierRun>(session, cronRuns)
    await session.query(after.join(';\n'))
    return { jobs: jobs.map(job => ({ ...job, grantRights: before, revokeRights: after })), runs }
  })
}

async function findCronJobs(quarantine: DatabaseQuarantine, staysActive: StaysActive): Promise<Jobs> {
  const { session, facts, failures } = quarantine
  const objects = `the jobs of pg_cron in ${facts.database}`
  const found: Jobs = {
    jobs: await runQuery(quarantine, objects, cronJobs),
    runs: await runQuery(quarantine, objects, cronRuns),
  }
  for (const role of await runQuery<CronRole>(quarantine, objects, cronRoles(facts))) {
    const { name, canRead, canLogin, canReadAfterGrant } = role
    const what = `the jobs of pg_cron that ${name} may have`
    if (!canRead && !(canLogin && staysActive(role))) continue
    if (!canReadAfterGrant) {
      const next = `grant ${name} usage on schema cron in the parent, or remove login:${name} from keep_active`
      failures.push({ what, reason: `${name} may not use the schema cron, but its jobs run`, next })
      continue
    }
    const ofRole = await orRefusal(findCronJobsOf(session, role))
    if (ofRole instanceof StatementError)
      failures.push({ what, reason: ofRole.message, next: `log in as ${name} and read cron.job` })
    else {
      found.jobs.push(...ofRole.jobs)
      found.runs.push(...ofRole.runs)
    }
  }
  return found
}

/** All jobs of the database, except those of the service. Runs of TimescaleDB's jobs are read after they are stopped. */
export async function findJobs(quarantine: DatabaseQuarantine, staysActive: StaysActive): Promise<Jobs> {
  const { facts } = quarantine
  const ofCron: Jobs = facts.hasCron ? await findCronJobs(quarantine, staysActive) : { jobs: [], runs: [] }
  if (facts.timescaledb === null) return ofCron
  const objects = `the jobs of TimescaleDB in ${facts.database}`
  const jobs = await runQuery<Target>(quarantine, objects, timescaledbJobs(facts))
  return { ...ofCron, jobs: [...jobs, ...ofCron.jobs] }
}

/** The other objects to disable. Logins belong to all databases, so only one of their quarantines reads them. */
export async function findObjects(quarantine: DatabaseQuarantine, withLogins: boolean): Promise<Target[]> {
  const { facts } = quarantine
  const find = (objects: string, sql: string) => runQuery<Target>(quarantine, objects, sql)
  return [
    ...(withLogins ? await find('the logins', logins(facts)) : []),
    ...(await find(`the subscriptions of ${facts.database}`, subscriptions(facts))),
    ...(await find(`the user mappings of ${facts.database}`, userMappings(facts))),
  ]
}
