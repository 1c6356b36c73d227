/** A run whose every question a test can answer. */
import type { HttpRequest, HttpResponse } from '#base/seam'
import type { SeedFile } from '#contents/sql/seeds'
import type { AllSettings, DatabaseContext } from '#database/context'
import type { GitHub, WorkflowEvent } from '#preview/base/github'
import { findRoute } from '../../../emulator/http/router.ts'
import type { Course } from '../../simulator/faults.ts'
import { Process } from '../../simulator/process.ts'
import { createContext, type Notes } from '../../simulator/simulated-context.ts'
import { baseUrl, type World } from '../../simulator/world.ts'
import { fine } from './courses.ts'
import type { SteadyChance } from './steady-chance.ts'

/** A question of a run to the API or GitHub. */
export interface Asked {
  /** The operation of the API, or the method of the GitHub client. */
  what: string
  /** The id of the service, or the number of the pull request; empty without one. */
  id: string
  body: Record<string, unknown>
}

/** The answer to a question: the course of a request to the API, an error of GitHub, or undefined for the usual one. */
export type Befall = (asked: Asked) => Course | Error | undefined

/** The surroundings of a run. */
export interface Surroundings {
  name: string
  world: World
  chance: SteadyChance
  settings: AllSettings
  seeds: SeedFile[]
  event: WorkflowEvent
  /** Milliseconds for all of it. */
  patience: number
  befall: Befall
  /** Killed `after` milliseconds after its n-th question. */
  killed: { question: number; after: number } | undefined
  writeComment: GitHub['writeComment']
}

/** A process of the simulator whose every question a test can see and answer. */
export class StagedRun extends Process {
  readonly questions: Asked[] = []
  readonly lines: string[] = []
  readonly notices: string[] = []
  readonly warnings: string[] = []
  readonly masked: string[] = []
  /** The state for the post step, and the intent announced before any wait. */
  readonly notes: Notes = { intent: undefined, created: undefined }
  readonly context: DatabaseContext
  /** A question that only an error can answer, but that got a course of the API. */
  misplaced: string | undefined
  readonly #befall: Befall
  readonly #courses: Course[]
  readonly #onQuestion: () => void

  constructor(parts: Surroundings) {
    const { name, world, chance, settings, seeds, event, patience } = parts
    const courses: Course[] = []
    const weather = { forecast: () => courses.pop() ?? fine, fails: () => false, isCalm: true }
    super(name, { world, chance, weather })
    this.#courses = courses
    this.#befall = parts.befall
    this.#onQuestion = () => {
      if (this.questions.length === parts.killed?.question)
        world.time.schedule(parts.killed.after, () => this.kill())
    }
    const { notes } = this
    const given = createContext({ world, process: this, weather, notes, settings, seeds, event, patience })
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
      this.#fail('readActivity', this.#ask('readActivity', connection.host))
      return await given.readActivity(connection, timeout)
    }
    const github = this.#github(given.github, parts.writeComment)
    const openContents: DatabaseContext['openContents'] = async (connection, timeout, use) => {
      this.#fail('openContents', this.#ask('openContents', connection.host))
      return await given.openContents(connection, timeout, database =>
        use({
          ...database,
          mask: async request => {
            this.#fail('mask', this.#ask('mask', connection.host))
            return await database.mask(request)
          },
          quarantine: async (...asked) => {
            this.#fail('quarantine', this.#ask('quarantine', connection.host))
            return await database.quarantine(...asked)
          },
          seed: async (...asked) => {
            this.#fail('seed', this.#ask('seed', connection.host))
            return await database.seed(...asked)
          },
        }),
      )
    }
    this.context = { ...given, log, mask, derivePassword, readActivity, openContents, github }
  }

  /** Records a question, and returns its answer. */
  #ask(what: string, id: string, body: Record<string, unknown> = {}): Course | Error | undefined {
    const asked = { what, id, body }
    this.questions.push(asked)
    this.#onQuestion()
    return this.#befall(asked)
  }

  /**
   * Only a request to the API has a course. An error thrown here would look like one of GitHub, so the stage fails the
   * test.
   */
  #fail(what: string, met: Course | Error | undefined): void {
    if (met instanceof Error) throw met
    if (met !== undefined) this.misplaced = what
  }

  override send(request: HttpRequest): Promise<HttpResponse> {
    const route = findRoute(request.method, request.url.slice(baseUrl.length).replace(/\?.*/, ''))
    if (!route || !('operation' in route)) throw new Error(`no such endpoint: ${request.url}`)
    const body = request.body ? JSON.parse(request.body) : {}
    const met = this.#ask(route.operation, route.path.service_id ?? '', body)
    if (met instanceof Error) throw met
    this.#courses.push(met ?? fine)
    return super.send(request)
  }

  #github(github: GitHub, writeComment: GitHub['writeComment']): GitHub {
    const ask = (what: string, id: string, body?: Record<string, unknown>) => {
      this.#fail(what, this.#ask(what, id, body))
    }
    return {
      readPullRequest: async number => {
        ask('readPullRequest', String(number))
        return await github.readPullRequest(number)
      },
      readPullRequests: async numbers => {
        ask('readPullRequests', numbers.join(' '))
        return await github.readPullRequests(numbers)
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
