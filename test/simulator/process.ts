/** One simulated process of the action. */
import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { AnswerTooLargeError, CancelledError, RequestTimeoutError, TransportError } from '#base/errors'
import type { HttpRequest, HttpResponse, Seam } from '#base/seam'
import { TimelineRecorder } from '#operations/base/timeline'
import { findRoute } from '../../emulator/http/router.ts'
import { Chance } from './chance.ts'
import type { Course } from './faults.ts'
import { ProcessRecord } from './process-record.ts'
import type { Forecast } from './weather.ts'
import { baseUrl, type Sent, type World } from './world.ts'

/** An interruption of a process from outside, at its n-th await. */
export interface Fate {
  kind: 'cancelled' | 'killed'
  /** Counts sleeps, requests and all other awaits. */
  atAwait: number
  /** Milliseconds into that await. */
  delay: number
}

/** The time for a cancelled process (actions/runner, ProcessInvoker.cs): SIGINT, SIGTERM, then a kill. */
const patience = { beforeKill: 10_000 }

/** Milliseconds for an in-flight creating POST after a signal, as in src/action/host/cancellation.ts. */
const grace = 4000

/** The possible errors of a runner's clock; milliseconds. */
const clockErrors = [0, 1000, -90_000, 3_600_000, -86_400_000]

export interface LogLine {
  /** Milliseconds of virtual time. */
  at: number
  line: string
}

/** One process of the action: its awaits settle in virtual time, and never after a kill. */
export class Process implements Seam {
  readonly name: string
  readonly signal: AbortSignal
  readonly creatingSignal: AbortSignal
  /** The time of the cancelling signal; milliseconds of virtual time. */
  cancelledAt: number | undefined
  isKilled = false
  /** Creating requests that were not refused. */
  posts = 0
  /** Includes its error. */
  readonly log: LogLine[] = []
  readonly record: ProcessRecord
  timeline: TimelineRecorder
  /** Ids in readable answers to its creating requests. */
  readonly learned: string[] = []
  hasLostState = false
  /** The time of the last fault of a request; milliseconds of virtual time. */
  lastFault = Number.NEGATIVE_INFINITY
  /** All changing requests. */
  changes = 0
  comments = 0
  readonly #world: World
  readonly #chance: Chance
  readonly #weather: Forecast
  readonly #fate: Fate | undefined
  /** Separate from the chance of faults, so the draws of production code do not shift them. */
  readonly #random: Chance
  readonly #cancellation = new AbortController()
  readonly #creatingCancellation = new AbortController()
  #clockError = 0
  #awaits = 0
  #isAlive = true
  #createdAt: number | undefined
  #onEnd: (how: 'ended' | 'killed') => void = () => {}

  constructor(
    name: string,
    parts: { world: World; chance: Chance; weather: Forecast; fate?: Fate | undefined },
  ) {
    this.name = name
    this.record = new ProcessRecord(name, parts.world)
    this.#world = parts.world
    this.timeline = new TimelineRecorder(this)
    this.#chance = parts.chance
    this.#weather = parts.weather
    this.#fate = parts.fate
    this.#random = new Chance(parts.world.secondChance.whole(0, 2 ** 30))
    this.#clockError = parts.chance.hits(0.4) ? parts.chance.pick(clockErrors) : 0
    this.signal = this.#cancellation.signal
    this.creatingSignal = this.#creatingCancellation.signal
  }

  /** Runs the process; resolves with its result, or with undefined after a kill. */
  run<Result>(main: () => Promise<Result>): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#onEnd = how => {
        this.#isAlive = false
        if (how === 'killed') resolve(undefined)
      }
      const over = (settle: () => void) => {
        if (!this.#isAlive) return
        this.#onEnd('ended')
        settle()
      }
      main().then(
        result => over(() => resolve(result)),
        error => over(() => reject(error)),
      )
    })
  }

  now(): number {
    return this.#world.time.now
  }

  /** The runner's clock differs from the server's, and is set at intervals. */
  date(): number {
    if (this.#chance.hits(0.01)) {
      this.#clockError = this.#chance.pick(clockErrors)
      this.trace(`its clock jumps by ${this.#clockError / 1000} s`)
    }
    return this.#world.date() + this.#clockError
  }

  random(): number {
    return this.#random.next()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.wait<void>(signal, settle => settle.at(ms, () => settle.resolve(undefined)))
  }

  after(ms: number, act: () => void): () => void {
    return this.#world.time.schedule(ms, () => {
      if (this.#isAlive) act()
    })
  }

  trace(line: string): void {
    this.#world.trace(this.name, line)
  }

  /** Writes a line of its log, in which people can find the records left behind. */
  write(mark: string, line: string): void {
    this.log.push({ at: this.now(), line })
    this.trace(`${mark} ${line}`)
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    const found = findRoute(request.method, request.url.slice(baseUrl.length).replace(/\?.*/, ''))
    const route = found && 'operation' in found ? found : undefined
    const operation = route?.operation
    const creates = operation !== undefined && (endpoints[operation] as Endpoint).creates !== undefined
    const now = this.now()
    if (request.method !== 'GET') this.changes += 1
    const id = Object.values(route?.path ?? {}).at(-1) ?? ''
    if (request.method === 'DELETE') this.record.noteDeletion(id)
    if (operation === 'stop-service') this.record.notePause(id)
    if (operation === 'rename-service') this.#world.ledger.renamers.add(this.name)
    const sinceCreated = this.#createdAt === undefined ? undefined : now - this.#createdAt
    const course = this.#weather.forecast({
      operation,
      creates,
      sinceCreated,
      now: this.#world.date(),
      retryAfter: this.#world.climate.retryAfter,
      elapsed: now,
    })
    this.trace(`${operation ?? request.url}${course.kind === 'none' ? '' : `: ${course.kind}`}`)
    if (course.kind !== 'none') this.lastFault = now
    if (creates) this.record.noteCreation()
    if (creates) this.#world.onCreating()
    if (creates && course.end !== 'refused') this.posts += 1
    if (course.end === 'refused') return this.#connect(course, request)
    const sent = { by: this.name, sent: now, request, route }
    return this.wait(request.signal, settle => this.#play(course, sent, creates, settle))
  }

  /** A request that cannot be sent ends by its first event, as in src/client/network/transport.ts. */
  #connect({ ended }: Course, { timeout, untilSent, signal }: HttpRequest): Promise<HttpResponse> {
    const limits = [ended, timeout, untilSent?.timeout].filter(limit => limit !== undefined)
    return this.wait(untilSent?.signal ?? signal, settle =>
      settle.at(Math.min(...limits), () => settle.reject(new TransportError('refused', { neverSent: true }))),
    )
  }

  #play(course: Course, sent: Sent, creates: boolean, settle: Settle<HttpResponse>): void {
    const { request } = sent
    const { processed, again, ended, end } = course
    let answer: HttpResponse | undefined
    if (processed !== undefined)
      this.#world.time.schedule(processed, () => {
        answer = this.#world.process(
          course.kind === '4xx after processing' ? { ...sent, isUntold: true } : sent,
        )
      })
    if (again !== undefined)
      this.#world.time.schedule(again, () => void this.#world.process({ ...sent, isUntold: true }))
    settle.at(request.timeout, () => settle.reject(new RequestTimeoutError(request.timeout)))
    if (ended === undefined) return
    settle.at(ended, () => {
      if (end === 'reset') return settle.reject(new TransportError('reset', { neverSent: false }))
      if (end === 'too-large')
        return settle.reject(new AnswerTooLargeError(`is larger than ${request.maxBytes} bytes`))
      const given = (course.answer ? course.answer(answer) : answer) as HttpResponse
      if (creates) this.#learn(given)
      settle.resolve(given)
    })
  }

  #learn({ status, headers, body }: HttpResponse): void {
    if (status < 300) {
      this.#createdAt = this.now()
      const id =
        headers['content-type'] === 'application/json' &&
        /^\{.*"(?:service_)?id":"([^"]+)".*\}$/s.exec(body)?.[1]
      if (id && this.#isAlive) this.learned.push(id)
    }
    if (status >= 400 && status < 500 && status !== 408) this.posts -= 1
  }

  /** One await: settles by `start` or by the signal; never after a kill. */
  wait<Value>(signal: AbortSignal | undefined, start: (settle: Settle<Value>) => void): Promise<Value> {
    this.#awaits += 1
    if (this.#fate && this.#awaits === this.#fate.atAwait) this.#scheduleInterruption(this.#fate)
    return new Promise((resolve, reject) => {
      let isOpen = true
      const appointments: (() => void)[] = []
      const close = (act: () => void) => {
        if (!isOpen || !this.#isAlive) return
        isOpen = false
        for (const callOff of appointments) callOff()
        signal?.removeEventListener('abort', onAbort)
        act()
      }
      const onAbort = () => close(() => reject(signal?.reason))
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)
      start({
        resolve: value => close(() => resolve(value)),
        reject: error => close(() => reject(error)),
        at: (delay, act) => void appointments.push(this.#world.time.schedule(delay, act)),
      })
    })
  }

  #scheduleInterruption({ kind, delay }: Fate): void {
    const { time } = this.#world
    time.schedule(delay, () => (kind === 'killed' ? this.kill() : this.cancel()))
  }

  cancel(): void {
    if (!this.#isAlive) return
    this.trace('gets SIGINT')
    this.cancelledAt = this.now()
    const reason = new CancelledError('SIGINT')
    this.#cancellation.abort(reason)
    this.#world.time.schedule(grace, () => this.#creatingCancellation.abort(reason))
    this.#world.time.schedule(patience.beforeKill, () => this.kill())
  }

  kill(): void {
    if (!this.#isAlive) return
    this.trace('is killed')
    this.isKilled = true
    this.#isAlive = false
    this.#onEnd('killed')
  }
}

export interface Settle<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
  at(delay: number, act: () => void): void
}
