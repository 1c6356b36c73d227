import { renderOutputs } from '../../src/action/output-table.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import type { ReadReplicaSet, Service } from '../../src/api/records.ts'
import { ActionError } from '../../src/client/errors.ts'
import { isCleanupDue } from '../../src/operations/cleanup.ts'
import { previewBaseOf } from '../../src/preview/name.ts'
import type { JobReport } from './job.ts'
import { previewBase, type Story } from './stories.ts'
import { keys, projectId, type World } from './world.ts'

/** A promise that was broken. */
export interface Violation {
  invariant: string
  detail: string
}

/** A request that changes something is let finish: 60 s (DESIGN rule 10), and a moment to say so. */
const overrun = 65_000

/** DESIGN rule 11. */
const exitWithin = 5_000

const rowOf = (operation: string): Endpoint | undefined => (endpoints as Record<string, Endpoint>)[operation]
const isEnding = ({ status = '' }: { status?: string | undefined }) => /^delet/i.test(status)

function checkEnd({ plan, ending, startedAt, endedAt, cancelledAt, posts }: JobReport): string[][] {
  const found: string[][] = []
  const took = endedAt - startedAt
  if (took > plan.patience + overrun)
    found.push(['a run ends by its deadline', `took ${took} ms of ${plan.patience}`])
  if (cancelledAt !== undefined && endedAt - cancelledAt > exitWithin)
    found.push(['a cancelled run ends within 5 s', `took ${endedAt - cancelledAt} ms`])
  if (posts > 2) found.push(['a run sends two creating requests at most', `${posts} were sent`])
  if (ending.kind === 'failed' && !(ending.error instanceof ActionError && ending.error.next !== ''))
    found.push(['a run ends with outputs or a clear error', String((ending.error as Error)?.stack)])
  return found
}

function checkOutputs(world: World, { plan, ending }: JobReport): string[][] {
  if (ending.kind !== 'succeeded') return []
  const { outcome } = ending
  const outputs = new Map(
    renderOutputs({ outcome, login: plan.settings.login }).map(({ name, value }) => [name, value]),
  )
  const invariant = 'a run ends with outputs or a clear error'
  const found: string[][] = []
  const id = outcome.ids.service_id
  const makesService = plan.operation === 'create-preview' || rowOf(plan.operation)?.creates === 'service'
  if (!makesService || outcome.skipped !== undefined) return found
  if (!outputs.get('service_id')) found.push([invariant, 'there is no output service_id'])
  if (plan.settings.wait && outputs.get('status') !== 'READY')
    found.push([invariant, `the status is ${outputs.get('status')}`])
  if (plan.settings.wait && outputs.get('password') !== world.ledger.passwords.get(id ?? ''))
    found.push(['the password of the outputs is the one in effect', `of service ${id}`])
  return found
}

function checkNotes(world: World, { notes }: JobReport): string[][] {
  const { announced, ...state } = notes
  const written = JSON.stringify(state)
  const secrets = [keys.secretKey, ...world.ledger.passwords.values()]
  return secrets.some(secret => written.includes(secret))
    ? [['the state holds no secret', 'a secret is in the state']]
    : []
}

/** Ids of all that is at the server and not on its way out. */
export function aliveIds(world: World): Set<string> {
  const services = world.services()
  const call = world.store.call.bind(world.store) as (name: string, parameters: object) => { body: unknown }
  const sets = services.flatMap(
    ({ service_id }) => call('list-replicas', { project_id: projectId, service_id }).body as ReadReplicaSet[],
  )
  const vpcs = call('list-vpcs', { project_id: projectId }).body as { id: string }[]
  const peerings = vpcs.flatMap(
    ({ id }) => call('list-peerings', { project_id: projectId, vpc_id: id }).body as { id: string }[],
  )
  return new Set([
    ...services.filter(service => !isEnding(service)).map(({ service_id }) => service_id),
    ...sets.filter(set => !isEnding(set)).map(({ id }) => id),
    ...[...vpcs, ...peerings].map(({ id }) => id),
  ])
}

function checkLeft(world: World, report: JobReport): string[][] {
  const { plan, ending, cleanupError, posts } = report
  if (rowOf(plan.operation)?.creates === undefined) return []
  const alive = aliveIds(world)
  const left = world.ledger.createdBy(plan.name).filter(id => alive.has(id))
  const succeeded = ending.kind === 'succeeded'
  const detail = `${left.join(', ')} of ${posts} requests; cleanup: ${(cleanupError as Error)?.message ?? 'fine'}`
  if (isCleanupDue(plan.settings.cleanup, succeeded ? 'success' : 'failure'))
    return left.length > 0 ? [['nothing is left after the end of the job', detail]] : []
  if (succeeded && left.length !== 1) return [['a run that succeeds leaves exactly one', detail]]
  return []
}

function checkDeletions(world: World, { plan }: JobReport): string[][] {
  const { ledger } = world
  return ledger.deletions
    .filter(({ by }) => by === plan.name || by === `${plan.name} (post)`)
    .flatMap(({ id, pullRequestState }) => {
      const creation = ledger.creations.find(created => created.id === id)
      const invariant = 'nothing is deleted that is not ours'
      if (plan.operation === 'delete-service') return plan.given.service_id === id ? [] : [[invariant, id]]
      if (creation === undefined) return [[invariant, `${plan.name} deleted ${id}`]]
      if (plan.operation === 'prune-previews' && pullRequestState !== 'closed')
        return [['prune deletes only what is closed', `${id}, its pull request is ${pullRequestState}`]]
      const own = creation.by === plan.name || previewBaseOf(creation.name) === previewBase
      return own ? [] : [[invariant, `${plan.name} deleted ${id} of ${creation.by}`]]
    })
}

/** The promises about each run by itself. */
export function checkJob(world: World, report: JobReport): Violation[] {
  const found = [
    ...checkEnd(report),
    ...checkOutputs(world, report),
    ...checkNotes(world, report),
    ...checkLeft(world, report),
    ...checkDeletions(world, report),
  ]
  return found.map(([invariant = '', detail = '']) => ({
    invariant,
    detail: `${report.plan.name}: ${detail}`,
  }))
}

/** What was there before is there still, with the password it had. */
export function checkForeign(world: World, { foreign }: Story): Violation[] {
  const alive = aliveIds(world)
  return foreign
    .filter(id => !alive.has(id))
    .map(id => ({ invariant: 'nothing is deleted that is not ours', detail: `${id} is gone` }))
}

/** The services that carry the preview's name and were made by runs of the action. */
export function livingPreviews(world: World, { foreign }: Story): Service[] {
  return world
    .services()
    .filter(service => previewBaseOf(service.name ?? '') === previewBase && !isEnding(service))
    .filter(({ service_id }) => !foreign.includes(service_id))
}
