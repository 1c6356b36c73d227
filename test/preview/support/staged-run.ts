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
    const given = createContext({
      world,
      process: this,
      weather,
      notes,
      operation,
      settings,
      seeds,
      event,
      patience,
    })
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
      this.#throwIfError('readActivity', this.#answer('readActivity', connection.host))
      return await given.readActivity(connection, timeout)
    }
    const github = this.#github(given.github, parts.writeComment)
    const openContents: DatabaseContext['openContents'] = async (connection, timeout, use) => {
      this.#throwIfError('openContents', this.#answer('openContents', connection.host))
      return await given.openContents(connection, timeout, database =>
        use({
          ...database,
          mask: async request => {
            this.#throwIfError('mask', this.#answer('mask', connection.host))
            return await database.mask(request)
          },
          quarantine: async (...asked) => {
            this.#throwIfError('quarantine', this.#answer('quarantine', connection.host))
            return await database.quarantine(...asked)
          },
          seed: async (...asked) => {
            this.#throwIfError('seed', this.#answer('seed', connection.host))
            return await database.seed(...asked)
          },
        }),
      )
    }
    this.context = {
      ...given,
      log,
      mask,
      derivePassword,
      readActivity,
      openContents,
      github,
    }
  }

  /** Records a call. Returns the answer of the test. */
  #answer(name: string, id: string, body: Record<string, unknown> = {}): Course | Error | undefined {
    const call = { name, id, body }
    this.calls.push(call)
    this.#onCall()
    return this.#respond(call)
  }

  /**
   * Only a request to the API has a course. An error thrown here would look like one of GitHub, so the stage fails the
   * test.
   */
  #throwIfError(name: string, answer: Course | Error | undefined): void {
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

  #github(github: GitHub, writeComment: GitHub['writeComment']): GitHub {
    const ask = (name: string, id: string, body?: Record<string, unknown>) => {
      this.#throwIfError(name, this.#answer(name, id, body))
    }
    return {
      readPullRequest: async number => {
        ask('readPullRequest', String(number))
        return await github.readPullRequest(number)
      },
      listPullRequests: async oldest => {
        ask('listPullRequests', String(oldest))
        return await github.listPullRequests(oldest)
      },
      readFiles: async of => {
        ask('readFiles', typeof of === 'object' ? 'base' : String(of))
        return await github.readFiles(of)
      },
      readChangedFiles: async number => {
        ask('readChangedFiles', String(number))
        return await github.readChangedFiles(number)
      },
      listQueueHeads: async () => {
        ask('listQueueHeads', '')
        return await github.listQueueHeads()
      },
      writeComment: async (number, report, options) => {
        ask('writeComment', String(number), { ...report })
        return await writeComment(number, report, options)
      },
      writeMigrations: github.writeMigrations,
      readShownLoss: github.readShownLoss,
      readApproval: github.readApproval,
    }
  }
}
