import type { Service } from '../../api/records.ts'
import { renderDuration } from '../../base/duration.ts'
import { ActionError } from '../../base/errors.ts'
import { keepNothing } from '../../contents/quarantine/keep-active.ts'
import type { OpenDatabase, SeedFile } from '../../operations/base/contents.ts'
import { timed } from '../../operations/base/parts.ts'
import { assertStrict, quarantine, tellOutOfReach } from '../../operations/quarantine.ts'
import { UnreachableError, untilLetIn } from '../../operations/wait/connect.ts'
import { type Target, targetsOf } from '../../operations/wait/targets.ts'
import { waitUpTo } from '../../operations/wait/wait-log.ts'
import { LoginRefusedError } from '../../postgres/login-refused.ts'
import { ageOf } from '../base/age.ts'
import type { PreviewContext } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { PreviewError } from '../base/preview-error.ts'
import type { Migrations } from './history.ts'
import { notable, reasonToReset } from './migrations.ts'
import { newState, type PreviewState, readState } from './state.ts'

/** Milliseconds to try a database that the runner need not reach. */
const shortPatience = 10_000

/** Milliseconds to try one in which nothing is to be done but to note that. */
const leastPatience = 1500

/** Milliseconds for which a login may be refused: a password that was just set may take a moment to work. */
const refusalPatience = 15_000

/** Milliseconds between two looks at what another run is doing. */
const pause = 2000

/** Milliseconds after its creation in which a database without a note may still be in the hands of the run that makes it. */
const making = 5 * 60_000

/** A visit to the database: what it is, and what earlier runs noted in it. */
interface Visit {
  database: OpenDatabase
  state: PreviewState
  /** Whether any run has noted anything. */
  isNoted: boolean
  startedAt: string
}

/** How a run found the database, once it has done its part. */
export type Finished = { state: PreviewState | undefined } | { outdated: string }

/** Keeps for others why the database is not finished. Where that fails, they see that it is not. */
async function noteProblem(database: OpenDatabase, state: PreviewState, { message }: Error): Promise<void> {
  await database.write(JSON.stringify({ ...state, problem: message.slice(0, 300) })).catch(() => {})
}

/** What is done in the database of a preview before anybody is given the way in. */
export class Preparation {
  /** When this run first looked into the database of the preview; a moment of the seam's `now`. */
  #lookedSince: number | undefined
  /** The runner has tried to reach the database for long enough. */
  #isOutOfReach = false
  readonly #context: PreviewContext
  readonly #preview: Pick<Preview, 'base' | 'parentId'>
  readonly #seeds: SeedFile[]

  /** `seeds`: the files that fill a new one, in order. */
  constructor(context: PreviewContext, preview: Pick<Preview, 'base' | 'parentId'>, seeds: SeedFile[] = []) {
    this.#seeds = seeds
    this.#context = context
    this.#preview = preview
  }

  /** Where the owner goes in; undefined if the record tells no address. */
  #target(service: Service): Target | undefined {
    return targetsOf({ operation: '', ids: {}, resource: 'service', record: service })[0]
  }

  /** Waits until no other run prepares the database. */
  async #takeTurn(database: OpenDatabase): Promise<void> {
    const { seam, signal, deadline } = this.#context
    const { base } = this.#preview
    const what = `until the database of ${base} is free`
    await waitUpTo(this.#context, { what, why: 'another run is preparing it' }, async progress => {
      while (!(await database.takeTurn())) {
        const left = deadline - seam.now()
        if (left <= 0)
          throw new PreviewError(
            `another run is still preparing the database of ${base} after ${renderDuration(progress.elapsed)}`,
            'look at the log of that run, or raise wait_timeout',
          )
        progress.name(left)
        progress.remind('another run is still preparing it')
        await seam.sleep(Math.min(pause, left), signal)
      }
    })
  }

  async #enter<Result>(
    service: Service,
    database: OpenDatabase,
    use: (visit: Visit) => Promise<Result>,
  ): Promise<Result> {
    await this.#takeTurn(database)
    const { text, startedAt } = await database.read()
    const state = readState(text, service.service_id)
    const isNoted = state !== undefined
    return await use({ database, startedAt, isNoted, state: state ?? newState(service.service_id) })
  }

  #isToBeQuarantined(service: Service): boolean {
    const isFork = service.forked_from?.service_id !== undefined || this.#preview.parentId !== undefined
    return isFork && this.#context.settings.quarantine !== false
  }

  /** Whether the database is to be changed, or compared with, before it is handed out. */
  #isNeeded(service: Service): boolean {
    const { resetOn } = this.#context.settings.preview
    return this.#isToBeQuarantined(service) || this.#seeds.length > 0 || resetOn !== undefined
  }

  /** What follows when the runner cannot reach the database; how bad that is depends on what was asked for. */
  #giveUp(service: Service, reason: string): void {
    this.#isOutOfReach = true
    const { service_id } = service
    if (this.#seeds.length > 0)
      throw new PreviewError(
        `service ${service_id} is not filled by seed_file, as its database cannot be reached from here: ${reason}`,
        'run the step where the database can be reached (VPC, firewall), or without seed_file',
      )
    if (this.#isToBeQuarantined(service)) tellOutOfReach(this.#context, service_id, reason)
  }

  /** Runs `use` in the database; undefined if the runner cannot reach it, and need not. The first visit is only an early one. */
  async #visit<Result>(
    service: Service,
    password: string,
    use: (visit: Visit) => Promise<Result>,
    isFirst = false,
  ): Promise<Result | undefined> {
    if (this.#isOutOfReach) return undefined
    const { settings, deadline, seam, openContents } = this.#context
    const target = this.#target(service)
    if (target === undefined) {
      if (!isFirst) this.#giveUp(service, 'the record tells no address')
      return undefined
    }
    const mustReach = settings.waitForConnection && !target.isInVpc && !isFirst
    const patience = this.#isNeeded(service) ? shortPatience : leastPatience
    const until = mustReach ? deadline : Math.min(deadline, seam.now() + patience)
    const connection = { ...settings.login, host: target.address.host, port: target.address.port, password }
    try {
      return await untilLetIn(
        this.#context,
        target,
        { patience: mustReach ? refusalPatience : patience / 2, deadline: until },
        timeout => openContents(connection, timeout, database => this.#enter(service, database, use)),
      )
    } catch (failure) {
      this.#context.signal.throwIfAborted()
      const isOutOfReach =
        failure instanceof UnreachableError && !(failure.cause instanceof LoginRefusedError)
      if (isFirst && failure instanceof UnreachableError) return undefined
      if (mustReach || !isOutOfReach) throw failure
      this.#giveUp(service, failure.message)
      return undefined
    }
  }

  get #keepActive(): string {
    return JSON.stringify(this.#context.settings.keepActive ?? keepNothing)
  }

  #isQuarantined({ state: { quarantine }, startedAt }: Visit): boolean {
    const { settings } = this.#context
    if (quarantine === undefined) return false
    const isStrictlyDone = settings.quarantine !== 'strict' || quarantine.report.undone.length === 0
    const isAsAsked = quarantine.keep_active === this.#keepActive
    return isStrictlyDone && isAsAsked && quarantine.started_at === startedAt
  }

  /** Makes sure that the database is quarantined as asked; returns the state with that. */
  async #secure(service: Service, visit: Visit): Promise<PreviewState> {
    const { database, state, startedAt } = visit
    if (!this.#isToBeQuarantined(service) || this.#isQuarantined(visit)) return state
    const report = await quarantine(this.#context, service.service_id, database, state.quarantine?.report)
    const secured = {
      ...state,
      quarantine: { report, keep_active: this.#keepActive, started_at: startedAt },
    }
    await database.write(JSON.stringify(secured))
    assertStrict(this.#context, service.service_id, report)
    return secured
  }

  /**
   * As soon as the database is READY: until then what it copied from its parent works. Where it cannot be reached yet,
   * `finish` does it.
   *
   * @throws QuarantineError where that is asked for strictly and cannot be
   */
  async quarantine(service: Service, password: string): Promise<void> {
    if (this.#isToBeQuarantined(service))
      await this.#visit(service, password, visit => this.#secure(service, visit), true)
  }

  /** The files that are still to be run; says which of a database that was handed out before will not be. */
  #pendingSeeds({ ready, seeds }: PreviewState, given: SeedFile[]): SeedFile[] {
    const pending = given.filter(({ name }) => !seeds.some(({ file }) => file === name))
    const changed = given.filter(({ name, hash }) =>
      seeds.some(one => one.file === name && one.hash !== hash),
    )
    const late = [...changed, ...(ready ? pending : [])].map(({ name }) => name)
    if (late.length > 0)
      this.#context.log.info(
        `${late.join(', ')}: the database was filled before that; reset-preview makes it anew, with it`,
      )
    return ready ? [] : pending
  }

  async #seed({ database }: Visit, state: PreviewState): Promise<PreviewState> {
    const { log } = this.#context
    let seeded = state
    for (const file of this.#pendingSeeds(state, this.#seeds)) {
      const { problem: _, ...rest } = seeded
      const next = { ...rest, seeds: [...seeded.seeds, { file: file.name, hash: file.hash }] }
      try {
        const inEffect = seeded.seeds.map(one => one.file)
        await timed(this.#context, `running ${file.name}`, () =>
          database.seed(file, JSON.stringify(next), inEffect),
        )
      } catch (failure) {
        if (failure instanceof ActionError) await noteProblem(database, seeded, failure)
        throw failure
      }
      seeded = next
      log.info(`ran ${file.name}`)
    }
    return seeded
  }

  /**
   * Does all that is to be done before the database is handed out: quarantine, files that fill it once. Done again, it
   * finds all done. `migrations`: what it is handed out with, where that is to be compared.
   *
   * @throws QuarantineError; SqlFileError when a file fails
   */
  async finish(service: Service, password: string, migrations?: Migrations): Promise<Finished> {
    const finished = await this.#visit(service, password, async (visit): Promise<Finished> => {
      const secured = await this.#secure(service, visit)
      const outdated = visit.state.ready
        ? reasonToReset(this.#context, secured.migrations, migrations)
        : undefined
      if (outdated !== undefined) return { outdated }
      const seeded = await this.#seed(visit, secured)
      const state = { ...seeded, ready: true, migrations: notable(migrations) ?? seeded.migrations }
      const text = JSON.stringify(state)
      if (text !== JSON.stringify(secured)) await visit.database.write(text)
      return { state }
    })
    return finished ?? { state: undefined }
  }

  /** Whether a run has finished the database, as far as the runner can reach it. Changes nothing. */
  async isFinished(service: Service, password: string): Promise<boolean> {
    const visit = this.#visit(service, password, async ({ state }) => state.ready, true)
    return (await visit) ?? true
  }

  /** What a run that makes no preview finds: undefined while the run that makes it is not done. */
  async #look(service: Service, visit: Visit): Promise<{ state: PreviewState } | undefined> {
    const { state, isNoted } = visit
    // Whoever made it may have asked for no quarantine.
    if (state.ready) return { state: state.quarantine ? await this.#secure(service, visit) : state }
    if (state.problem !== undefined)
      throw new PreviewError(
        `the database of ${this.#preview.base} is not finished: ${state.problem}`,
        'correct that, and run create-preview (or preview) again',
      )
    const now = this.#context.seam.now()
    this.#lookedSince ??= now
    const isOld = (ageOf(this.#context, service) ?? now - this.#lookedSince) >= making
    return !isNoted && isOld ? { state: await this.#secure(service, visit) } : undefined
  }

  /**
   * Waits until the database may be handed out, for a run that only connects to it. One in which no run has noted
   * anything, an older one, is quarantined here.
   *
   * @throws PreviewError when it is not finished by the deadline
   */
  async await(service: Service, password: string): Promise<PreviewState | undefined> {
    const { seam, signal, deadline, settings } = this.#context
    const what = `for the database of ${this.#preview.base} to be finished`
    const why = 'the run that makes it has not quarantined or filled it yet'
    return await waitUpTo(this.#context, { what, why }, async progress => {
      for (;;) {
        const found = await this.#visit(service, password, async visit => ({
          looked: await this.#look(service, visit),
        }))
        if (found === undefined) return undefined
        if (found.looked !== undefined) return found.looked.state
        const left = deadline - seam.now()
        if (left <= 0 || !settings.wait)
          throw new PreviewError(
            `the database of ${this.#preview.base} is not finished: no run has prepared it to the end`,
            'run create-preview (or preview) for it, then run the step again',
          )
        progress.name(left)
        progress.remind('it is not finished yet')
        await seam.sleep(Math.min(pause, left), signal)
      }
    })
  }
}
