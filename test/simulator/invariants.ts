/** The promises about each run, and about all runs of a story. */
import { renderOutputs } from '#action/outputs/output-table'
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import type { JobReport, ProcessReport } from './job-plan.ts'
import { cleanupPatience, postStepOf } from './job-plan.ts'
import {
  createdResource,
  isUnmasked,
  type Played,
  publishedId,
  type Violation,
  violation,
} from './violation.ts'
import { keys } from './world.ts'

/**
 * Milliseconds of overrun: a changing request may finish, which takes up to 60 s. Some twenty requests then list,
 * prepare and report the new record, or delete it.
 */
const overrun = 70_000

/** Milliseconds that remain for a cancelled process. */
const exitWithin = 5_000

/** Milliseconds between two lines of a log. */
const longestSilence = 30_000

function checkProcess(name: string, report: ProcessReport, patience: number): Violation[] {
  const { startedAt, endedAt, cancelledAt, error, log } = report
  const found: Violation[] = []
  const took = endedAt - startedAt
  if (took > patience + overrun) found.push(violation('inTime', `${name} took ${took} ms of ${patience}`))
  if (cancelledAt !== undefined && endedAt - cancelledAt > exitWithin)
    found.push(violation('endsAtSignal', `${name} took ${endedAt - cancelledAt} ms`))
  const moments = [startedAt, ...log.map(({ at }) => at), endedAt]
  const silences = moments.slice(1).map((at, index) => at - (moments[index] ?? at))
  if (Math.round(Math.max(...silences)) > longestSilence)
    found.push(violation('neverSilent', `${name} for ${Math.max(...silences)} ms`))
  if (error !== undefined && !(error instanceof ActionError && error.next !== ''))
    found.push(violation('clearEnd', `${name}: ${(error as Error).stack}`))
  return found
}

function checkOutputs(played: Played, report: JobReport): Violation[] {
  const { plan, ending } = report
  const isOfService = createdResource(plan) === 'service'
  const id = publishedId(report)
  if (ending.kind !== 'succeeded' || id === undefined) return []
  if (!isOfService && plan.operation !== 'get-connection') return []
  const { outcome } = ending
  const outputs = new Map(
    renderOutputs({ outcome, login: plan.settings.login }).map(({ name, value }) => [name, value]),
  )
  const found: Violation[] = []
  if (!outputs.get('service_id')) found.push(violation('clearEnd', `${plan.name} has no output service_id`))
  const told = (outcome.record as Partial<Service> | undefined)?.service_id
  if (told !== undefined && told !== id)
    found.push(violation('rightRecord', `${plan.name}: ${told}, not ${id}`))
  if (!plan.settings.wait) return found
  if (outputs.get('status') !== 'READY')
    found.push(violation('clearEnd', `the status of ${plan.name} is ${outputs.get('status')}`))
  const { passwords, changes } = played.world.ledger
  const password = passwords.get(id)
  // Only runs of the story set the derived password. Any other password is known only to its creator.
  const isDerived = changes.some(change => change.id === id && change.operation === 'update-password')
  if (plan.operation === 'get-connection' && !isDerived) return found
  if (outputs.get('password') !== password)
    found.push(violation('rightPassword', `${plan.name}: of service ${id}`))
  return found
}

function checkNotes({ world }: Played, { plan, notes }: JobReport): Violation[] {
  const { announced, ...state } = notes
  const written = JSON.stringify(state)
  const secrets = [keys.secretKey, ...world.ledger.passwords.values()]
  return secrets.some(secret => written.includes(secret))
    ? [violation('noSecret', `a secret is in the state of ${plan.name}`)]
    : []
}

export function checkRun(played: Played, report: JobReport): Violation[] {
  const { plan, posts, end } = report
  const tooMany = violation('twoPosts', `${plan.name} sent ${posts}`)
  const { world } = played
  const isMadeAgain = world.ledger.createdBy(plan.name).some(id => isUnmasked(world, plan, id))
  return [
    ...checkProcess(plan.name, report, plan.patience),
    ...(end ? checkProcess(postStepOf(plan), end, cleanupPatience) : []),
    ...(posts > (isMadeAgain ? 4 : 2) ? [tooMany] : []),
    ...checkOutputs(played, report),
    ...checkNotes(played, report),
  ]
}

/** Checks the contents of databases by all events of the story. */
export function checkContents({ world }: Played): Violation[] {
  const leaks = world.leaks.map(({ id, by, how, isUnmasked }) =>
    violation(isUnmasked ? 'onlyMasked' : 'onlyQuarantined', `${by}: ${how} of ${id}`),
  )
  const twice = world.filledTwice.map(id => violation('onceFilled', id))
  const wrong = world.wrongSchemas.map(id => violation('rightSchema', id))
  return [...leaks, ...twice, ...wrong]
}
