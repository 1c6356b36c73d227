// The steps of a service's life.

import type { Service } from '#api/records'
import { ApiError, messageOf } from '#base/errors'
import { PasswordRefusedError } from '#postgres/login-refused'
import { nameOf } from '../names.ts'
import { type Login, newPassword, open, reach } from './login.ts'
import { addressOf, make, makeRoom, remove } from './make.ts'
import { expectRefusal, noteRefusal } from './refusals.ts'
import { tryRights } from './rights.ts'
import { settle } from './settle.ts'
import type { Tour } from './tour.ts'

/** The smallest sizes, and the next ones. */
const sizes = { cpu_millis: '500', memory_gbs: '2' }
const larger = { cpu_millis: '1000', memory_gbs: '4' }

/** The service of the walk. */
export interface Main {
  ids: { project_id: string; service_id: string }
  record: Service
  login: Login
  /** On the clock of the seam's `now`. */
  readyAt: number
}

export async function readAccount({ client, project_id }: Tour): Promise<void> {
  await client.call('get-auth-info', {})
  await client.call('list-projects', {})
  await client.call('list-vpcs', { project_id })
}

export async function create(tour: Tour): Promise<Main> {
  const { project_id, run } = tour
  const asked = { project_id, name: nameOf(run, 'main'), addons: ['time-series' as const], ...sizes }
  const { id, record, login } = await make(tour, ['create-service', asked], 'a new service')
  return { ids: { project_id, service_id: id }, record, login, readyAt: tour.seam.now() }
}

export async function rename({ client, run, findings }: Tour, { ids }: Main): Promise<void> {
  const name = nameOf(run, 'renamed')
  await client.call('rename-service', { ...ids, name })
  if ((await client.call('get-service', ids)).name !== name)
    findings.differ('rename-service: the record does not have the new name at once')
}

export async function examineDatabase(tour: Tour, { login }: Main): Promise<void> {
  const { findings } = tour
  await open(tour, login, async session => {
    const { rows } = await session.query(`select current_setting('server_version') as version,
      (select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension) as extensions`)
    findings.facts.PostgreSQL = findings.clean(String(rows[0]?.version))
    findings.facts['extensions of a new database'] = findings.clean(String(rows[0]?.extensions))
  })
  const tried = await open(tour, login, tryRights, 300_000)
  for (const right of tried) {
    const refusal = right.refusal && findings.clean(right.refusal)
    const notTried = right.notTried && findings.clean(right.notTried)
    findings.rights.push({ ...right, ...(refusal && { refusal }), ...(notTried && { notTried }) })
    if (refusal) findings.differ(`in the database, for ${right.needed}: cannot ${right.what}: ${refusal}`)
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
  await open(tour, before, () => Promise.resolve()).then(
    () => findings.differ('update-password: the old password still opens the database'),
    error => {
      if (!(error instanceof PasswordRefusedError)) throw error
    },
  )
}

export async function readLogsAndMetrics({ client, seam, findings }: Tour, { ids }: Main): Promise<void> {
  const { entries = [] } = await client.call('get-service-logs', ids)
  if (entries.length === 0) findings.differ('get-service-logs: no entries')
  const [metric_name] = await client.call('list-metric-series', ids)
  if (metric_name === undefined) {
    findings.differ('list-metric-series: no series')
    return
  }
  const [from, to] = [3_600_000, 0].map(ago => new Date(seam.date() - ago).toISOString())
  await client.call('get-metric-details', { ...ids, metric_name })
  if (from && to)
    await client.call('get-metric-series', { ...ids, metric_name, from, to, bucket_seconds: 60 })
}

export async function setEnvironment(tour: Tour, { ids }: Main): Promise<void> {
  for (const environment of ['PROD', 'DEV'] as const) {
    await tour.client.call('set-environment', { ...ids, environment })
    await settle(tour, 'set-environment', { ...ids, environment }, 'READY')
  }
}

export async function enableTiering(tour: Tour, { ids }: Main): Promise<void> {
  await tour.client.call('enable-data-tiering', ids)
  await settle(tour, 'enable-data-tiering', ids, 'READY')
}

export async function switchPooler(tour: Tour, { ids, login }: Main): Promise<void> {
  await tour.client.call('enable-pooler', ids)
  const record = (await settle(tour, 'enable-pooler', ids, 'READY')) as Service
  const address = record.connection_pooler?.endpoint
  if (address) await reach(tour, 'the pooler', { ...login, address })
  await tour.client.call('disable-pooler', ids)
  await settle(tour, 'disable-pooler', ids, 'READY')
}

/** Forks by the last snapshot are refused until there is one. */
async function untilSnapshot<Result>(
  tour: Tour,
  { readyAt }: Main,
  act: () => Promise<Result>,
): Promise<Result> {
  const { seam, signal, findings, deadline, every } = tour
  const since = seam.now()
  for (let tries = 1; ; tries++) {
    const triedAt = seam.now()
    try {
      const result = await act()
      // If there is a snapshot at once, its time is unknown.
      if (tries > 1) findings.snapshotAfter ??= Math.round(triedAt - readyAt)
      return result
    } catch (error) {
      if (!(error instanceof ApiError) || error.call.operation !== 'fork-service') throw error
      if (tries === 1) noteRefusal(tour, 'without a snapshot', error)
      const isKnown = /backups or snapshots available/.test(error.serverMessage)
      if (!isKnown || seam.now() > deadline || seam.now() - since > 15 * 60_000) throw error
      await seam.sleep(5 * every, signal)
    }
  }
}

/** Both at once: with the parent, three services. */
export async function fork(tour: Tour, main: Main, from: 'running' | 'paused'): Promise<void> {
  const forkBy = (fork_strategy: 'NOW' | 'LAST_SNAPSHOT', part: 'fork' | 'paused' | 'snapshot') => {
    const asked = { ...main.ids, fork_strategy, name: nameOf(tour.run, part) }
    return make(tour, ['fork-service', asked], `a fork of a ${from} service, ${fork_strategy}`)
  }
  await makeRoom(tour, 2)
  const made = await Promise.allSettled([
    forkBy('NOW', from === 'paused' ? 'paused' : 'fork'),
    untilSnapshot(tour, main, () => forkBy('LAST_SNAPSHOT', 'snapshot')),
  ])
  for (const one of made) if (one.status === 'fulfilled') await remove(tour, one.value.id)
  const failures = made.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (failures.length > 1)
    tour.findings.differ(`both forks fail: ${tour.findings.clean(messageOf(failures[1]))}`)
  if (failures.length > 0) throw failures[0]
}

/** A needless call is refused (docs/internals/api.md, "Already as requested"). */
const already = { status: 400 }

export async function stop(tour: Tour, { ids }: Main): Promise<void> {
  await tour.client.call('stop-service', ids)
  await settle(tour, 'stop-service', ids, 'READY')
  await expectRefusal(tour, ['stop-service', ids], { when: 'of a paused service', ...already })
}

export async function start(tour: Tour, main: Main): Promise<void> {
  const { ids } = main
  await tour.client.call('start-service', ids)
  const record = (await settle(tour, 'start-service', ids, 'PAUSED')) as Service
  main.login = { ...main.login, address: addressOf(record) }
  await reach(tour, 'a service that was paused', main.login)
  await expectRefusal(tour, ['start-service', ids], { when: 'of what runs', ...already })
}

export async function resize(tour: Tour, { ids }: Main): Promise<void> {
  const asked = { ...ids, ...larger }
  const answer = await tour.client.call('resize-service', asked)
  tour.findings.facts['status in the answer to resize-service'] = tour.findings.clean(answer?.status ?? '')
  await settle(tour, 'resize-service', asked, 'READY')
}

export async function end(tour: Tour, { ids }: Main): Promise<void> {
  await remove(tour, ids.service_id)
  const gone = { when: 'of a deleted service', status: 404, words: /no service with that id exists/ }
  await expectRefusal(tour, ['get-service', ids], gone)
}
