import { ActionError, messageOf } from '#base/errors'
import { keepNothing } from '#contents/quarantine/keep-active'
import {
  type QuarantineReport,
  renderDetails,
  renderQuarantine,
  renderRuns,
  renderUndone,
} from '#contents/quarantine/report'
import type { OpenDatabase } from './base/contents.ts'
import type { Databases, Waiting, WithSettings } from './base/context.ts'
import type { Outcome } from './base/outcome.ts'
import { timed } from './base/parts.ts'
import { isOutOfReach, untilLetIn } from './wait/connect.ts'
import { targetsOf, withhold } from './wait/targets.ts'

/** A fork cannot be made harmless as strictly as asked, so nobody gets the way in. */
export class QuarantineError extends ActionError {}

/** Milliseconds for which a login may be refused: a password that was just set may take a moment to work. */
const refusalPatience = 15_000

/** Milliseconds to try a new fork that the runner need not reach. */
const reachPatience = 30_000

/** Fails where all had to be possible, and was not. */
export function assertStrict(
  { settings }: WithSettings<'quarantine'>,
  serviceId: string,
  { undone }: QuarantineReport,
): void {
  const [first, ...others] = undone
  if (settings.quarantine !== 'strict' || first === undefined) return
  const more = others.length > 0 ? `; and ${others.length} more, which the log names` : ''
  throw new QuarantineError(
    `service ${serviceId} is not quarantined as strictly as asked: ${first.what}: ${first.reason}${more}`,
    `${first.next}; or take it for a warning with quarantine: true`,
  )
}

/** GitHub shows ten warnings of a step; the others are lines of the log. */
const mostWarnings = 5

/** Quarantines an open database, and says what was done. */
export async function quarantine(
  context: Waiting & WithSettings<'keepActive'>,
  serviceId: string,
  database: OpenDatabase,
  before?: QuarantineReport,
): Promise<QuarantineReport> {
  const { settings, log } = context
  const report = await timed(context, 'quarantine', () =>
    database.quarantine(settings.keepActive ?? keepNothing, before),
  )
  log.info(`service ${serviceId} is quarantined: ${renderQuarantine(report)}`)
  for (const line of [...renderRuns(report), ...renderDetails(report)]) log.info(`  ${line}`)
  for (const remark of report.remarks.slice(0, mostWarnings)) log.warning(remark, 'keep_active')
  for (const one of report.undone.slice(0, mostWarnings))
    log.warning(`service ${serviceId}: ${renderUndone(one)}`, 'not quarantined')
  for (const one of report.undone.slice(mostWarnings)) log.info(`  ${renderUndone(one)}`)
  return report
}

/** Says that a database was not quarantined, or fails where it had to be. */
export function tellOutOfReach(
  { settings, log }: Waiting & WithSettings<'quarantine'>,
  serviceId: string,
  reason: string,
): void {
  const what = `service ${serviceId} is not quarantined: ${reason}`
  if (settings.quarantine === 'strict')
    throw new QuarantineError(
      what,
      'run the step where the database can be reached (VPC, firewall), or with quarantine: true',
    )
  log.warning(
    `${what}; what it copied from its parent, such as jobs and logins, goes on working`,
    'not quarantined',
  )
}

/**
 * Quarantines a new fork, before its outputs hold the way in.
 *
 * @throws QuarantineError where that is asked for strictly and cannot be; UnreachableError
 */
export async function quarantineFork(
  context: Databases & WithSettings<'keepActive' | 'quarantine'>,
  outcome: Outcome,
): Promise<QuarantineReport | undefined> {
  const { settings, deadline, seam, signal, openContents } = context
  const { password } = outcome
  const serviceId = outcome.ids.service_id ?? ''
  const [target] = targetsOf(outcome)
  if (target === undefined || password === undefined) {
    const reason = password === undefined ? 'its password is not known' : 'the record tells no address'
    tellOutOfReach(context, serviceId, reason)
    return undefined
  }
  const { host, port } = target.address
  const mustReach = settings.waitForConnection && !target.isInVpc
  const until = mustReach ? deadline : Math.min(deadline, seam.now() + reachPatience)
  const limits = { patience: refusalPatience, deadline: until }
  try {
    return await untilLetIn(context, withhold(target, serviceId), limits, timeout =>
      openContents({ ...settings.login, host, port, password }, timeout, async database => {
        const report = await quarantine(context, serviceId, database)
        assertStrict(context, serviceId, report)
        return report
      }),
    )
  } catch (failure) {
    signal.throwIfAborted()
    if (mustReach || !isOutOfReach(failure)) throw failure
    tellOutOfReach(context, serviceId, messageOf(failure))
    return undefined
  }
}
