/** The steps of a service's life. */
import type { EndpointParameters } from '#api/endpoint'
import type { EndpointName, Endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { ApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { PasswordRefusedError } from '#postgres/login-refused'
import { queryRow } from '#postgres/session'
import { nameOf } from '../names.ts'
import { addressOf, createService } from './create.ts'
import { newPassword, open, reach } from './login.ts'
import { tryRights } from './rights.ts'
import { change, settle } from './settle.ts'
import type { Main, Tour } from './tour.ts'

/** The smallest sizes, and the next ones. */
const sizes = { cpu_millis: '500', memory_gbs: '2' }
export const larger = { cpu_millis: '1000', memory_gbs: '4' }

export async function readAccount({ client, project_id }: Tour): Promise<void> {
  await client.call('get-auth-info', {})
  await client.call('list-projects', {})
  await client.call('list-vpcs', { project_id })
}

export async function create(tour: Tour): Promise<Main> {
  const { project_id, run } = tour
  const asked = { project_id, name: nameOf(run, 'main'), addons: ['time-series' as const], ...sizes }
  const { id, login } = await createService(tour, ['create-service', asked], 'a new service')
  return { ids: { project_id, service_id: id }, login, readyAt: tour.seam.now() }
}

export async function rename({ client, run, findings }: Tour, { ids }: Main): Promise<void> {
  const name = nameOf(run, 'renamed')
  await client.call('rename-service', { ...ids, name })
  if ((await client.call('get-service', ids)).name !== name)
    findings.differ('rename-service: the record does not have the new name at once')
}

const factsQuery = `select current_setting('server_version') as "PostgreSQL",
  (select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension) as "extensions of a new database"`

export async function examineDatabase(tour: Tour, { login }: Main): Promise<void> {
  const { findings } = tour
  const facts = await open(tour, login, session => queryRow<Record<string, string>>(session, factsQuery))
  for (const [fact, text] of Object.entries(facts)) findings.facts[fact] = findings.clean(text)
  for (const right of await open(tour, login, tryRights, 300_000)) {
    const problem = right.problem && findings.clean(right.problem)
    findings.rights.push({ ...right, problem })
    if (right.isTried && problem)
      findings.differ(`in the database, for ${right.needed}: cannot ${right.what}: ${problem}`)
  }
}

export async function setPassword(tour: Tour, main: Main): Promise<void> {
  const { client, findings } = tour
  const before = main.login
  const password = newPassword(tour)
  await client.call('update-password', { ...main.ids, password })
  main.login = { ...before, password }
  if (!tour.withDatabases) return
  await reach(tour, 'a new password', main.login)
  try {
    await open(tour, before, async () => {})
    findings.differ('update-password: the old password still opens the database')
  } catch (error) {
    if (!(error instanceof PasswordRefusedError)) throw error
  }
}

export async function readLogsAndMetrics({ client, seam, findings }: Tour, { ids }: Main): Promise<void> {
  const { entries = [] } = await client.call('get-service-logs', ids)
  if (entries.length === 0) findings.differ('get-service-logs: no entries')
  const [metric_name] = await client.call('list-metric-series', ids)
  if (metric_name === undefined) return findings.differ('list-metric-series: no series')
  const [from = '', to = ''] = [3_600_000, 0].map(ago => new Date(seam.date() - ago).toISOString())
  await client.call('get-metric-details', { ...ids, metric_name })
  await client.call('get-metric-series', { ...ids, metric_name, from, to, bucket_seconds: 60 })
}

export async function switchPooler(tour: Tour, { ids, login }: Main): Promise<void> {
  const record = (await change(tour, 'enable-pooler', ids)) as Service
  const address = record.connection_pooler?.endpoint
  if (address) await reach(tour, 'the pooler', { ...login, address })
  await change(tour, 'disable-pooler', ids)
}

/** Forks by the last snapshot are refused until there is one. */
async function untilSnapshot<Result>(
  { seam, signal, findings, deadline, every }: Tour,
  { readyAt }: Main,
  act: () => Promise<Result>,
): Promise<Result> {
  const since = seam.now()
  for (let tries = 1; ; tries++) {
    const triedAt = seam.now()
    try {
      const result = await act()
      // If there is a snapshot at once, its time is unknown.
      if (tries > 1) findings.snapshotAfter ??= Math.round(triedAt - readyAt)
      return result
    } catch (error) {
      const isKnown = error instanceof ApiError && /backups or snapshots available/.test(error.serverMessage)
      if (!isKnown || seam.now() > deadline || seam.now() - since > 15 * 60_000) throw error
      await seam.sleep(5 * every, signal)
    }
  }
}

/** Forks the service by both strategies at once: with the parent, three services. */
export const fork = (from: 'running' | 'paused') => async (tour: Tour, main: Main) => {
  const forkBy = (fork_strategy: 'NOW' | 'LAST_SNAPSHOT', part: 'fork' | 'paused' | 'snapshot') => {
    const asked = { ...main.ids, fork_strategy, name: nameOf(tour.run, part) }
    return createService(tour, ['fork-service', asked], `a fork of a ${from} service, ${fork_strategy}`)
  }
  const forks = await Promise.allSettled([
    forkBy('NOW', from === 'paused' ? 'paused' : 'fork'),
    untilSnapshot(tour, main, () => forkBy('LAST_SNAPSHOT', 'snapshot')),
  ])
  for (const one of forks)
    if (one.status === 'fulfilled')
      await change(tour, 'delete-service', { ...main.ids, service_id: one.value.id })
  const failures = forks.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (failures.length > 1)
    tour.findings.differ(`both forks fail: ${tour.findings.clean(messageOf(failures[1]))}`)
  if (failures.length > 0) throw failures[0]
}

/** Sends a call that must be refused, with this status and message. */
async function expectRefusal<Name extends EndpointName>(
  { client, findings }: Tour,
  [name, parameters]: [Name, EndpointParameters<Endpoints[Name]>],
  when: string,
  [status, words]: [number, RegExp] = [400, /./],
): Promise<void> {
  try {
    await client.call(name, parameters, { attempts: 1 })
    findings.differ(`${name} ${when}: is not refused`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (status !== error.status)
      findings.differ(`${name} ${when}: refused with ${error.status}, not ${status}`)
    if (!words.test(error.serverMessage))
      findings.differ(`${name} ${when}: in other words: ${findings.clean(error.serverMessage)}`)
  }
}

/** A needless call is refused with 400 (docs/internals/api.md, "Already as requested"). */
export async function stop(tour: Tour, { ids }: Main): Promise<void> {
  await change(tour, 'stop-service', ids)
  await expectRefusal(tour, ['stop-service', ids], 'of a paused service')
}

export async function start(tour: Tour, main: Main): Promise<void> {
  const { ids } = main
  const record = (await change(tour, 'start-service', ids)) as Service
  main.login = { ...main.login, address: addressOf(record) }
  await reach(tour, 'a service that was paused', main.login)
  await expectRefusal(tour, ['start-service', ids], 'of what runs')
}

export async function end(tour: Tour, { ids }: Main): Promise<void> {
  await change(tour, 'delete-service', ids)
  const missing: [number, RegExp] = [404, /no service with that id exists/]
  await expectRefusal(tour, ['get-service', ids], 'of a deleted service', missing)
}

export async function walkReplicaSet(tour: Tour, { ids, login }: Main): Promise<void> {
  const { client, run, findings } = tour
  const asked = { name: nameOf(run, 'replica'), nodes: 1, cpu_millis: 500, memory_gbs: 2 }
  const { id } = await client.call('create-replica', { ...ids, ...asked })
  const own = { ...ids, replica_set_id: id }
  await settle(tour, 'create-replica', own)
  const set = (await client.call('list-replicas', ids)).find(one => one.id === id)
  if (set?.endpoint) await reach(tour, 'a replica set', { ...login, address: set.endpoint })
  else findings.differ('list-replicas: an active replica set without endpoint')
  await change(tour, 'enable-replica-pooler', own)
  await change(tour, 'disable-replica-pooler', own)
  await change(tour, 'resize-replica', { ...own, ...larger })
  await change(tour, 'set-replica-environment', { ...own, environment: 'DEV' })
  await change(tour, 'delete-replica', own)
}
