/** Quarantines a fork before its connection is published. */
import { ActionError } from '#base/errors'
import type { OpenDatabase } from '#contents/open-database'
import { keepNothing } from '#contents/quarantine/keep-active'
import {
  type QuarantineReport,
  renderDetails,
  renderFailure,
  renderQuarantine,
  renderRuns,
} from '#contents/quarantine/report'
import type { Databases, Waiting, WithSettings } from './base/context.ts'
import type { Outcome } from './base/outcome.ts'
import { openIfReachable } from './wait/connect.ts'
import { targetsOf } from './wait/targets.ts'

/** Milliseconds to try a new fork that the runner need not reach. */
const reachPatience = 30_000

/** @throws ActionError if the quarantine must be complete and is not */
export function assertStrict(
  { settings }: WithSettings<'quarantine'>,
  serviceId: string,
  { undone }: QuarantineReport,
): void {
  const [first, ...others] = undone
  if (settings.quarantine !== 'strict' || first === undefined) return
  const more = others.length > 0 ? `; and ${others.length} more in the log` : ''
  throw new ActionError(
    `service ${serviceId} is not completely quarantined: ${first.what}: ${first.reason}${more}`,
    `${first.next}; or set quarantine: true to make this a warning`,
  )
}

/** GitHub shows ten warnings of a step; the others become lines of the log. */
const mostWarnings = 5

/** Quarantines an open database, and logs the report. */
export async function quarantine(
  context: Waiting & WithSettings<'keepActive'>,
  serviceId: string,
  database: OpenDatabase,
  before?: QuarantineReport,
): Promise<QuarantineReport> {
  const { settings, log } = context
  const report = await context.timeline.time('quarantine', () =>
    database.quarantine(settings.keepActive ?? keepNothing, before),
  )
  log.info(`service ${serviceId} is quarantined: ${renderQuarantine(report)}`)
  for (const line of [...renderRuns(report), ...renderDetails(report)]) log.info(`  ${line}`)
  for (const remark of report.remarks.slice(0, mostWarnings)) log.warning(remark, 'keep_active')
  for (const object of report.undone.slice(0, mostWarnings))
    log.warning(`service ${serviceId}: ${renderFailure(object)}`, 'not quarantined')
  for (const object of report.undone.slice(mostWarnings)) log.info(`  ${renderFailure(object)}`)
  return report
}

/** Warns that a database was not quarantined, or fails with `strict`. */
export function reportUnreachable(
  { settings, log }: Waiting & WithSettings<'quarantine'>,
  serviceId: string,
  reason: string,
): void {
  const message = `service ${serviceId} is not quarantined: ${reason}`
  if (settings.quarantine === 'strict')
    throw new ActionError(
      message,
      'run the step where the database is reachable (VPC, firewall), or with quarantine: true',
    )
  log.warning(
    `${message}; the jobs, logins and subscriptions of its parent stay active in it`,
    'not quarantined',
  )
}

/**
 * Quarantines a new fork, and returns the report; undefined if the runner cannot reach the database and need not.
 * @throws ActionError if `strict` is set and the quarantine is incomplete; UnreachableError
 */
export async function quarantineFork(
  context: Databases & WithSettings<'keepActive' | 'quarantine'>,
  outcome: Outcome,
): Promise<QuarantineReport | undefined> {
  const { password } = outcome
  const serviceId = outcome.ids.service_id ?? ''
  if (password === undefined) {
    reportUnreachable(context, serviceId, 'its password is unknown')
    return undefined
  }
  const [target] = targetsOf(outcome)
  const onUnreachable = async (reason: string) => reportUnreachable(context, serviceId, reason)
  const policy = { patience: reachPatience, onUnreachable }
  return await openIfReachable(context, { target, serviceId, password }, policy, async database => {
    const report = await quarantine(context, serviceId, database)
    assertStrict(context, serviceId, report)
    return report
  })
}
