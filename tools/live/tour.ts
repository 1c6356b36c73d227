import { randomBytes } from 'node:crypto'
import { replicaSetChanges, serviceChanges } from '../../emulator/store/progress/change.ts'
import type { Endpoint, EndpointParameters } from '../../src/api/endpoint.ts'
import { type EndpointName, type Endpoints, endpoints } from '../../src/api/endpoints.ts'
import type { Address, Service } from '../../src/api/records.ts'
import type { AnyRecord } from '../../src/api/resource.ts'
import { isEnding } from '../../src/api/service-states.ts'
import { ApiError, messageOf } from '../../src/base/errors.ts'
import type { Seam } from '../../src/base/seam.ts'
import type { CallResult, Client } from '../../src/client/client.ts'
import type { Ids } from '../../src/operations/base/outcome.ts'
import { isDeleted, isUnlisted, readShown, statusOf } from '../../src/operations/base/read-record.ts'
import { LoginRefusedError } from '../../src/postgres/login-refused.ts'
import { type Session, withSession } from '../../src/postgres/session.ts'
import { asWord } from './described.ts'
import type { Course, Findings } from './findings.ts'
import { isOurs } from './names.ts'
import { passedOf } from './report.ts'

/** What a step of the walk works with. */
export interface Tour {
  client: Client
  seam: Seam
  findings: Findings
  signal: AbortSignal
  /** The beginning of all names. */
  run: string
  project_id: string
  /** A moment of the seam's `now`, after which nothing new is begun. */
  deadline: number
  /** Milliseconds between two looks. */
  every: number
  /** Whether databases are to be opened. Where the first one cannot be, no other is tried. */
  withDatabases: boolean
  hasReached: boolean
  withVpc: boolean
  /** The way to the service for steps of a workflow. */
  door: Door
  say(line: string): void
}

export interface Door {
  baseUrl: string
  publicKey: string
  secretKey: string
  /** The input `list_lag`. */
  listLag: string
}

/** The statuses that the emulator passes through: what the report compares with. */
const usualStatuses: Partial<Record<EndpointName, readonly string[]>> = {
  'create-service': serviceChanges.create,
  'fork-service': serviceChanges.fork,
  'start-service': serviceChanges.start,
  'stop-service': serviceChanges.stop,
  'resize-service': serviceChanges.resize,
  'delete-service': serviceChanges.delete,
  'create-replica': [replicaSetChanges.create],
  'delete-replica': [replicaSetChanges.delete],
}

/** Whether all of these are among the others, in that order. */
const isPartOf = (some: string[], all: readonly string[]) => {
  let from = 0
  return some.every(one => {
    const at = all.indexOf(one, from)
    from = at + 1
    return at >= 0
  })
}

const listed = (statuses: readonly string[]) => statuses.join(', ') || 'none'

function compareCourse({ findings }: Tour, course: Course) {
  const { operation } = course
  const usual = usualStatuses[operation] ?? []
  const passed = passedOf(course).map(([status]) => status)
  if (isPartOf(passed, usual)) return
  findings.differ(`${operation}: passes through ${listed(passed)}; the emulator through ${listed(usual)}`)
}

/** Waits until what a call started is done, and notes the statuses on the way. Gives the record, if it is to be there. */
export async function settle(
  tour: Tour,
  operation: EndpointName,
  asked: Ids & Record<string, unknown>,
  before?: string,
): Promise<AnyRecord | undefined> {
  const { client, seam, findings, every, signal } = tour
  const { goal, creates }: Endpoint = endpoints[operation]
  if (goal === undefined) return undefined
  const since = seam.now()
  const isGone = goal.until === 'gone'
  const course: Course = { operation, before, isGone, statuses: [], done: undefined }
  findings.courses.push(course)
  for (;;) {
    const record = await readShown(client, goal.record, asked)
    const at = Math.round(seam.now() - since)
    // It may be any text, and is told where it is a word.
    const status = record && (asWord(statusOf(record)) ?? '(no word)')
    if (status && course.statuses.at(-1)?.status !== status) course.statuses.push({ status, at })
    let isDone = false
    if (isGone) {
      if (record && isDeleted(record))
        findings.differ(`${operation}: what is deleted is still shown, as DELETED`)
      isDone = record ? isDeleted(record) : await isUnlisted(client, goal.record, asked)
    } else if (record) {
      const verdict = goal.judge(record, asked)
      if (typeof verdict === 'object') throw new Error(`${operation}: ${verdict.failed}`)
      isDone = verdict === 'settled'
    } else if (!creates || at > 60_000) throw new Error(`${operation}: the record is not there`)
    else findings.differ(`${operation}: the new record is not found at once by its id`)
    if (isDone) {
      course.done = at
      compareCourse(tour, course)
      return record
    }
    if (at > goal.minutes * 60_000 || seam.now() > tour.deadline)
      throw new Error(`${operation}: not done after ${Math.round(at / 60_000)} min`)
    await seam.sleep(every, signal)
  }
}

/** Notes how a call was refused. */
export function noteRefusal({ findings }: Tour, when: string, error: ApiError): void {
  const { call, status, code = '', serverMessage } = error
  const operation = call.operation as EndpointName
  const message = findings.clean(serverMessage)
  findings.refusals.push({ operation, when, status, code: findings.clean(code), message })
}

/** Makes a call that is to be refused, with this status and such words. */
export async function expectRefusal<Name extends EndpointName>(
  tour: Tour,
  [name, parameters]: [Name, EndpointParameters<Endpoints[Name]>],
  { when, status, words }: { when: string; status: number; words?: RegExp },
): Promise<void> {
  const { client, findings } = tour
  try {
    await client.call(name, parameters, { attempts: 1 })
    findings.differ(`${name} ${when}: is not refused`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    noteRefusal(tour, when, error)
    if (status !== error.status)
      findings.differ(`${name} ${when}: refused with ${error.status}, not ${status}`)
    if (words && !words.test(error.serverMessage))
      findings.differ(`${name} ${when}: in other words: ${findings.clean(error.serverMessage)}`)
  }
}

export interface Login {
  address: Address
  password: string
}

export function newPassword({ findings }: Tour): string {
  const password = randomBytes(24).toString('hex')
  findings.hide(password, 'password')
  return password
}

/** Opens a session as the owner, for `timeout` milliseconds at most. */
export const open = <Result>(
  { signal }: Tour,
  { address: { host, port }, password }: Login,
  use: (session: Session) => Promise<Result>,
  timeout = 60_000,
): Promise<Result> =>
  withSession(
    { host, port, password, user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
    { timeout, signal, mostBytes: 64 * 1024 * 1024 },
    use,
  )

/** How many looks a database gets to answer, and to know a new password: with a second between them, 2 min and 20 s. */
const patience = { answer: 120, login: 20 }

/** Logs in, as soon as it is possible, and notes how long that took. */
export async function reach(tour: Tour, what: string, login: Login): Promise<void> {
  const { seam, findings, signal, every } = tour
  if (!tour.withDatabases) return
  const since = seam.now()
  for (;;) {
    try {
      await open(tour, login, session => session.query('select 1'), 15_000)
      findings.times[`${what}: until the first session`] = Math.round(seam.now() - since)
      tour.hasReached = true
      return
    } catch (error) {
      signal.throwIfAborted()
      const isRefusal = error instanceof LoginRefusedError
      if (seam.now() - since > every * (isRefusal ? patience.login : patience.answer)) {
        findings.differ(`${what}: no session: ${findings.clean(messageOf(error))}`)
        tour.withDatabases = tour.hasReached
        return
      }
      // Failed logins may lock an account.
      await seam.sleep(isRefusal ? 5 * every : every, signal)
    }
  }
}

/** Where a service is, once it is READY. */
export function addressOf({ endpoint }: Service): Address {
  if (endpoint === undefined) throw new Error('the record has no endpoint')
  return endpoint
}

/** The most services at a time, read replica sets and previews included. */
const most = 3

/** Fails where there are as many of ours as there may be, since an earlier one could not be deleted. */
export async function makeRoom({ client, project_id }: Tour, wanted = 1): Promise<void> {
  const services = (await client.call('list-services', { project_id })).filter(
    one => isOurs(one) && !isEnding(one),
  )
  const sets = services.flatMap(({ read_replica_sets = [] }) => read_replica_sets)
  if (services.length + sets.length + wanted > most) throw new Error(`there are ${most} services already`)
}

type Creating = 'create-service' | 'fork-service'

/** Creates a service, or forks one, and waits until it can be used. */
export async function make<Name extends Creating>(
  tour: Tour,
  [name, parameters]: [Name, EndpointParameters<Endpoints[Name]> & { name: string }],
  what: string,
): Promise<{ id: string; record: Service; login: Login }> {
  const { client, seam, findings, signal, every, project_id } = tour
  const made = (await client.call(name, parameters)) as CallResult<Creating>
  const { service_id: id, initial_password: password, endpoint } = made
  if (endpoint === undefined)
    findings.differ(`${name}: no endpoint in the answer, where official clients read it`)
  if (password === undefined) findings.differ(`${name}: no initial_password in the answer`)
  const since = seam.now()
  const isListed = async () =>
    (await client.call('list-services', { project_id })).some(({ service_id }) => service_id === id)
  for (let looks = 1; !(await isListed()); looks++) {
    if (looks === 1) findings.differ('list-services: does not show at once what was just created')
    if (seam.now() - since > 60_000) break
    await seam.sleep(every, signal)
  }
  findings.times[`${what}: until it is listed`] = Math.round(seam.now() - since)
  const record = (await settle(tour, name, { project_id, service_id: id })) as Service
  const login = { address: addressOf(record), password: password ?? newPassword(tour) }
  if (password === undefined)
    await client.call('update-password', { project_id, service_id: id, password: login.password })
  await reach(tour, what, login)
  return { id, record, login }
}

/** Deletes a service of ours, and waits until it is gone. */
export async function remove(tour: Tour, service_id: string): Promise<void> {
  const ids = { project_id: tour.project_id, service_id }
  await tour.client.call('delete-service', ids)
  await settle(tour, 'delete-service', ids, 'READY')
}
