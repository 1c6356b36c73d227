/** Runs an operation with a test that answers its calls to the API, GitHub and databases. */
import type { HttpRequest, HttpResponse } from '#base/seam'
import type { SeedFile } from '#contents/sql/seeds'
import type { AllSettings, DatabaseContext } from '#database/context'
import type { GitHub, WorkflowEvent } from '#preview/base/github'
import { findRoute } from '../../../emulator/http/router.ts'
import type { Course } from '../../simulator/faults.ts'
import { Process } from '../../simulator/process.ts'
import { createContext, type Notes } from '../../simulator/simulated-context.ts'
import { baseUrl, type World } from '../../simulator/world.ts'
import { normalCourse } from './courses.ts'
import type { SteadyChance } from './steady-chance.ts'

/** A call of a run to the API, GitHub or a database. */
export interface Call {
  /** The operation of the API, or the method of the client. */
  name: string
  /** The id of the service, or the number of the pull request; empty without one. */
  id: string
  body: Record<string, unknown>
}

/** Answers a call: with the course of a request to the API, with an error, or with undefined for the usual answer. */
export type Responder = (asked: Call) => Course | Error | undefined

/** The id in the first argument of each recorded method. */
type Ids<Part> = {
  [Method in keyof Part]?: Part[Method] extends (first: infer First, ...rest: never[]) => unknown
    ? (first: First) => string
    : never
}

/** The surroundings of a run. */
export interface Surroundings {
  name: string
  operation: string
  world: World
  chance: SteadyChance
  settings: AllSettings
  seeds: SeedFile[]
  event: WorkflowEvent
  /** Milliseconds until the deadline of the run. */
  patience: number
  respond: Responder
  /** Killed `after` milliseconds after its n-th call. */
  killed: { call: number; after: number } | undefined
  writeComment: GitHub['writeComment']
}

/** A process of the simulator that records every call, and lets the test answer it. */
export class StagedRun extends Process {
  readonly calls: Call[] = []
  readonly lines: string[] = []
  readonly notices: string[] = []
  readonly warnings: string[] = []
  readonly masked: string[] = []
  /** The state for the post step, and the intent announced before any wait. */
  readonly notes: Notes = { intent: undefined, created: undefined }
  readonly context: DatabaseContext
  /** A call that the test answered with a course of the API, though only an error can answer it. */
  misplacedCourse: string | undefined
  readonly #respond: Responder
  readonly #courses: Course[]
  readonly #onCall: () => void

  constructor(parts: Surroundings) {
    const { name, operation, world, chance, settings, seeds, event, patience } = parts
    const courses: Course[] = []
    const weather = { forecast: () => courses.pop() ?? normalCourse, fails: () => false, isCalm: true }
    super(name, { world, chance, weather })
    this.#courses = courses
    this.#respond = parts.respond
    this.#onCall = () => {
      if (this.calls.length === parts.killed?.call) world.time.schedule(parts.killed.after, () => this.kill())
    }
    const { notes } = this
    const about = { world, process: this, weather, notes }
    const given = createContext({ ...about, operation, settings, seeds, event, patience })
    const log = {
      info: (line: string) => void this.lines.push(line),
      warning: (line: string) => void this.warnings.push(line),
      notice: (line: string) => void this.notices.push(line),
      debug: () => {},
    }
    const mask = (secret: string) => void this.masked.push(secret)
    // A derived password is masked at once, as by src/action/step.ts.
    const derivePassword = (id: string) => {
      const password = given.derivePassword(id)
      mask(password)
      return password
    }
    const readActivity: DatabaseContext['readActivity'] = async (connection, timeout) => {
      this.#ask('readActivity', connection.host)
      return await given.readActivity(connection, timeout)
    }
    const openContents: DatabaseContext['openContents'] = async (connection, timeout, use) => {
      const ofHost = () => connection.host
      this.#ask('openContents', connection.host)
      return await given.openContents(connection, timeout, database =>
        use(this.#record(database, { mask: ofHost, quarantine: ofHost, seed: ofHost })),
      )
    }
    const github = this.#record<GitHub>(
      { ...given.github, writeComment: parts.writeComment },
      {
        ...{ readPullRequest: String, listPullRequests: String, readChangedFiles: String },
        readFiles: of => (typeof of === 'object' ? 'base' : String(of)),
        listQueueHeads: () => '',
        writeComment: String,
      },
    )
    this.context = { ...given, log, mask, derivePassword, readActivity, openContents, github }
  }

  /** Records a call. Returns the answer of the test. */
  #answer(name: string, id: string, body: Record<string, unknown> = {}): Course | Error | undefined {
    const call = { name, id, body }
    this.calls.push(call)
    this.#onCall()
    return this.#respond(call)
  }

  /**
   * A call that only an error can answer. Only a request to the API has a course. An error thrown here would look like
   * one of GitHub, so the stage fails the test.
   */
  #ask(name: string, id: string, body?: Record<string, unknown>): void {
    const answer = this.#answer(name, id, body)
    if (answer instanceof Error) throw answer
    if (answer !== undefined) this.misplacedCourse = name
  }

  override send(request: HttpRequest): Promise<HttpResponse> {
    const route = findRoute(request.method, request.url.slice(baseUrl.length).replace(/\?.*/, ''))
    if (!route || !('operation' in route)) throw new Error(`no such endpoint: ${request.url}`)
    const body = request.body ? JSON.parse(request.body) : {}
    const answer = this.#answer(route.operation, route.path.service_id ?? '', body)
    if (answer instanceof Error) throw answer
    this.#courses.push(answer ?? normalCourse)
    return super.send(request)
  }

  /** Records the calls of these methods by an id in their first argument, and lets the test answer them. */
  #record<Part extends object>(part: Part, ids: Ids<Part>): Part {
    const recorded = Object.entries<(argument: never) => string>(ids as never).map(([name, idOf]) => {
      const call = part[name as keyof Part] as (...given: unknown[]) => unknown
      const record = async (...given: unknown[]) => {
        const [first, second] = given
        this.#ask(name, idOf(first as never), { ...(name === 'writeComment' && (second as object)) })
        return await call(...given)
      }
      return [name, record]
    })
    return { ...part, ...Object.fromEntries(recorded) }
  }
}
