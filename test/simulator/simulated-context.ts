/** The context of an operation in the simulated world. */
import type { Address, Service } from '#api/records'
import { ActionError } from '#base/errors'
import { createClient } from '#client/client'
import type { SeedFile } from '#contents/sql/seeds'
import type { AllSettings, DatabaseContext } from '#database/context'
import type { Journal } from '#operations/base/context'
import type { Journaled } from '#operations/base/journaled'
import type { Outcome } from '#operations/base/outcome'
import { TimelineRecorder } from '#operations/base/timeline'
import { reportPauses } from '#operations/wait/wait-log'
import type { Activity } from '#postgres/activity'
import type { Connection } from '#postgres/connection'
import { PasswordRefusedError } from '#postgres/login-refused'
import type { GitHub, PullRequest, WorkflowEvent } from '#preview/base/github'
import { derivePassword } from '#preview/base/password'
import { checkPublications, openContents, type PublicationCheck } from './contents.ts'
import { type GitHubCaller, InjectedRefusal, waitForLimit } from './github-limit.ts'
import type { Process } from './process.ts'
import { watchSettings } from './watch-settings.ts'
import type { Forecast } from './weather.ts'
import { baseUrl, keys, type World } from './world.ts'

class InjectedError extends ActionError {
  constructor(what: string) {
    super(`injected by the simulator: ${what}`, 'nothing: it is a simulation')
  }
}

/** The state of a step for its post step, and its announced intent. */
export interface Notes extends Journaled {
  announced?: Outcome
  /** The time of the announcement; milliseconds of virtual time. */
  announcedAt?: number
}

interface ContextParts {
  world: World
  process: Process
  weather: Forecast
  notes: Notes
  operation: string
  settings: AllSettings
  event: WorkflowEvent
  seeds?: SeedFile[]
  /** Milliseconds for all of it. */
  patience: number
}

/** The context of an operation: production code around a virtual edge. */
export function createContext(parts: ContextParts): DatabaseContext {
  const { world, process, weather, notes, operation, settings, event, seeds = [], patience } = parts
  const { signal, creatingSignal } = process
  const deadline = process.now() + patience
  const write = (mark: string) => (line: string) => {
    process.write(mark, line)
    publications.text(line, 'a line of the log')
  }
  const log = { info: write('|'), notice: write('|'), debug: () => {}, warning: write('!') }
  const timeline = new TimelineRecorder(process)
  process.timeline = timeline
  const pauses = reportPauses({ log, timeline })
  const publications = checkPublications(world, process, { settings, seeds })
  const databases = logins(parts)
  const watched = watchSettings(settings, operation, world.readings)
  return {
    client: createClient({
      ...{ seam: process, baseUrl, credentials: keys, maxAttempts: 5, deadline, signal, creatingSignal },
      redact: text => text,
      ...pauses,
    }),
    seam: process,
    timeline,
    log,
    signal,
    journal: journal(notes, process, weather, publications),
    settings: watched,
    deadline,
    event,
    github: github({ world, process, deadline, onLimit: pauses.onLimit }, weather, publications),
    async readSeeds() {
      // As src/action/step.ts, which opens the files of this setting.
      void watched.preview.seedFile
      return seeds
    },
    readMaskFile: async () => watched.preview.maskFile && { name: watched.preview.maskFile.join(), text: '' },
    derivePassword: serviceId => derivePassword(keys.secretKey, serviceId),
    mask: () => {},
    probe: (connection, _, options) => databases.probe(connection, options?.leavesMarker),
    withSession: () => Promise.reject(new Error('the databases of the simulator run no SQL')),
    workspace: '.',
    runCommand: () => Promise.reject(new Error('nothing runs commands in the simulator')),
    readActivity: databases.readActivity,
    openContents: openContents({ world, process, weather, logIn: databases.logIn }),
  }
}

/** The state file, whose content survives the process. */
function journal(notes: Notes, process: Process, weather: Forecast, publications: PublicationCheck): Journal {
  const save = <Value>(value: Value): Value => {
    if (weather.fails('state cannot be written')) {
      process.hasLostState = true
      throw new InjectedError('state cannot be written')
    }
    return JSON.parse(JSON.stringify(value)) as Value
  }
  return {
    intend(intent) {
      notes.intent = save(intent)
    },
    withdraw() {
      notes.intent = undefined
    },
    announce(record, outcome) {
      publications.outcome(outcome, 'the first outputs')
      notes.announced = outcome
      notes.announcedAt = process.now()
      // As in src/action/step.ts, before the state is written.
      const { replica_set_id, peering_id, vpc_id, service_id } = outcome.ids
      process.write(
        '|',
        `${outcome.operation} created ${replica_set_id ?? peering_id ?? vpc_id ?? service_id}`,
      )
      notes.created = save(record)
    },
    publish: outcome => publications.outcome(outcome, 'the outputs of a failure'),
  }
}

const day = 86_400_000

/** GitHub's answer about a pull request. One closed from the start was closed a day before. */
function pullRequestShown(world: World, number: number): PullRequest {
  const shown = world.pullRequests.shown(number)
  if (shown === undefined) return { state: 'missing', labels: [], draft: false }
  const start = world.date() - world.time.now
  const closedAt = start + (Number.isFinite(shown.since) ? shown.since : -day)
  const { state, labels, draft } = shown
  const { updated } = shown
  const updatedAt = updated === undefined ? undefined : start + Math.max(updated, -day)
  return { state, labels, draft, updatedAt, closedAt: state === 'closed' ? closedAt : undefined }
}

/** A GitHub with lagging answers. */
function github(asking: GitHubCaller, weather: Forecast, publications: PublicationCheck): GitHub {
  const { world, process } = asking
  const ask = async <Value>(what: string, answer: () => Value, isOptional = false) => {
    await waitForLimit(asking, what, isOptional)
    return await process.wait<Value>(process.signal, settle => {
      settle.at(200, () => {
        const { gitHub } = world
        if (gitHub.refuses) settle.reject(new InjectedRefusal(what, 'lasts'))
        else if (gitHub.requestsLeft <= 0) settle.reject(new InjectedRefusal(what, 'limit'))
        else if (weather.fails('GitHub unreachable')) settle.reject(new InjectedError(what))
        else settle.resolve(answer())
        gitHub.requestsLeft -= 1
      })
    })
  }
  const askAndNote = async <Value>(what: string, answer: () => Value): Promise<Value> => {
    const { record } = process
    try {
      const told = await ask(what, answer)
      record.answers += 1
      return told
    } catch (failure) {
      record.hasMissedGitHub = true
      if (failure instanceof InjectedRefusal) record.refused = failure.outlook
      throw failure
    }
  }
  return {
    async readPullRequest(number) {
      const reading = askAndNote('read the pull request', () => pullRequestShown(world, number))
      const told = await reading.catch(() => undefined)
      process.record.notePullRequest(number, told)
      return await reading
    },
    listPullRequests: oldest =>
      askAndNote('list pull requests', () => {
        const shown = world.pullRequests.numbers
          .filter(number => number >= oldest)
          .map(number => [number, pullRequestShown(world, number)] as const)
        return new Map(shown.filter(([, { state }]) => state !== 'missing'))
      }),
    listQueueHeads: () =>
      askAndNote('list the merge queue', () => {
        const heads = new Set(world.queue)
        process.record.noteQueue(heads)
        return heads
      }),
    readFiles: of =>
      ask('read the files', () => new Map(typeof of === 'object' ? world.baseFiles : world.files)),
    async readChangedFiles(number) {
      process.record.files = 'unanswered'
      const files = await ask('read the changed files', () => world.pullRequests.shown(number)?.files ?? [])
      process.record.files = files
      return files
    },
    writeComment(number, report) {
      publications.comment(report)
      process.comments += 1
      process.trace(`writes the comment on pull request ${number}`)
      return ask('write the comment', () => 'https://github.example/comment', true)
    },
    // No operation of previews reports migrations.
    writeMigrations: () => Promise.reject(new Error('not simulated')),
    readShownLoss: () => Promise.reject(new Error('not simulated')),
    readApproval: () => Promise.reject(new Error('not simulated')),
  }
}

/** As Node.js reports it. */
function connectionRefused({ host, port }: Connection): Error {
  const code = 'ECONNREFUSED'
  return Object.assign(new Error(`connect ${code} ${host}:${port}`), { code, syscall: 'connect' })
}

/** The logins of a process at databases. */
function logins({ world, process, weather }: Pick<ContextParts, 'world' | 'process' | 'weather'>) {
  const serviceAt = ({ host, port }: Connection): string => {
    const asked = ({ endpoint }: Service) => endpoint?.host === host && endpoint.port === port
    return world.services().find(asked)?.service_id ?? ''
  }

  /** A login at the address: succeeds once the service is READY, with the current password. */
  const logIn = async (connection: Connection): Promise<string> => {
    await process.wait<void>(process.signal, settle => {
      settle.at(30, () => {
        const isAsked = (address: Address | undefined) =>
          address?.host === connection.host && address.port === connection.port
        const service = world
          .services()
          .find(found => isAsked(found.endpoint) || isAsked(found.connection_pooler?.endpoint))
        const password = service && world.ledger.passwords.get(service.service_id)
        if (service?.status !== 'READY' || weather.fails('no connection to the database'))
          settle.reject(connectionRefused(connection))
        else if (connection.password !== undefined && connection.password !== password)
          settle.reject(new PasswordRefusedError('password authentication failed'))
        else settle.resolve(undefined)
      })
    })
    return serviceAt(connection)
  }

  return {
    logIn,
    /** A login that may leave a usage marker. A database that cannot store it causes no failure. */
    async probe(connection: Connection, leavesMarker = false): Promise<void> {
      const id = await logIn(connection)
      if (connection.password === undefined) return
      const isRefused = !weather.isCalm && world.thirdChance.hits(0.2)
      process.record.noteLogin(id, !isRefused)
      if (leavesMarker && !isRefused) world.usageMarkers.set(id, world.time.now)
    },
    /** The use of the database, by its own answer, if it accepts the login. */
    async readActivity(connection: Connection): Promise<Activity> {
      const id = await logIn(connection)
      const publishedAt = world.usageMarkers.get(id)
      const publishedFor = publishedAt === undefined ? undefined : world.time.now - publishedAt
      const activity = { sessions: world.sessions.get(id) ?? 0, upFor: world.upFor(id), publishedFor }
      process.record.noteActivity(id, activity)
      return activity
    },
  }
}
