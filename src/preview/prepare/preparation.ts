/** Prepares the database of a preview: quarantine, schema baseline, seed files, notes. */
import type { Service } from '#api/records'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { PreviewNote } from '#contents/notes/preview-note'
import type { SeedFile } from '#contents/sql/seeds'
import type { Calls, Databases } from '#operations/base/context'
import { reportUnreachable } from '#operations/quarantine'
import { waitFor } from '#operations/wait/wait-log'
import { ageOf, mayNameParentLate } from '../base/age.ts'
import type { WithSettings } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { previewBaseOf } from '../base/name.ts'
import { PreviewError } from '../base/preview-error.ts'
import { type Effort, type Visit, visitDatabase } from './database-access.ts'
import { fill, keepSchema } from './fill.ts'
import type { Migrations } from './history.ts'
import { requireMaskingStamp } from './masking.ts'
import { notable, reasonToReset } from './migrations.ts'
import { warnOfMissingNote } from './note.ts'
import { isToBeQuarantined, secure } from './quarantine.ts'
import { readAgain } from './read-again.ts'

/** Milliseconds to try a database that need not be reachable. */
const shortPatience = 10_000

/** Milliseconds to try a database that only needs a note. */
const leastPatience = 1500

/** Milliseconds between two checks of the work of another run. */
const pause = 2000

/** Milliseconds after creation for which a database without a note may still be in preparation by its own run. */
const preparationTime = 5 * 60_000

/** The need for a quarantine is unknown: the database is unreachable, and its record names no parent yet. */
export class QuarantineUnknownError extends Error {
  override name = 'QuarantineUnknownError'
}

/** The state in which a run found the database, after its own preparation. */
export type Finished =
  | { state: PreviewNote | undefined; stamp?: MaskingStamp | undefined }
  | { outdated: string }

export type Preparing = Calls & Databases & WithSettings<'keepActive' | 'preview' | 'quarantine' | 'wait'>

type Prepared = Pick<Preview, 'base' | 'parentId' | 'maskedFrom'>

/** The details to note with a finished preview. */
export interface Given {
  migrations?: Migrations | undefined
  fork?: PreviewNote['fork']
}

export class Preparation {
  /** When this run first tried the database; a moment of the seam's `now`. */
  #firstTriedAt: number | undefined
  readonly #context: Preparing
  readonly #preview: Prepared
  readonly #seeds: SeedFile[]

  /** `seeds`: the files that fill a new database, in order. */
  constructor(context: Preparing, preview: Prepared, seeds: SeedFile[] = []) {
    this.#seeds = seeds
    this.#context = context
    this.#preview = preview
  }

  #visit<Result>(
    service: Service,
    password: string,
    effort: Effort,
    use: (visit: Visit) => Promise<Result>,
  ): Promise<Result | undefined> {
    return visitDatabase(this.#context, { base: this.#preview.base, service, password }, effort, use)
  }

  #isToBeQuarantined(service: Service): boolean {
    return isToBeQuarantined(this.#context, this.#preview, service)
  }

  #secure(visit: Visit): Promise<PreviewNote> {
    return secure(this.#context, this.#preview, visit)
  }

  /** The patience and the reaction to an unreachable database, by the requested preparation. */
  #effort(service: Service, isToBeQuarantined = async () => this.#isToBeQuarantined(service)): Effort {
    const { resetOn, masked } = this.#context.settings.preview
    const isFilled = this.#seeds.length > 0
    const isNeeded = masked || this.#isToBeQuarantined(service) || isFilled || resetOn !== undefined
    const onFailure = async (reason: string) => {
      const { service_id } = service
      if (masked)
        throw new PreviewError(
          `cannot check whether service ${service_id} is masked: its database is unreachable from this runner: ${reason}`,
          'run the step where the database can be reached (VPC, firewall)',
        )
      if (isFilled)
        throw new PreviewError(
          `service ${service_id} is not filled by seed_file: its database is unreachable from this runner: ${reason}`,
          'run the step where the database can be reached (VPC, firewall), or without seed_file',
        )
      if (await isToBeQuarantined()) reportUnreachable(this.#context, service_id, reason)
    }
    return { patience: isNeeded ? shortPatience : leastPatience, onFailure }
  }

  /** A missing note in an old database was deleted, along with the measurements of earlier runs. */
  #findLoss(visit: Visit): Visit {
    if (visit.isNoted || !this.#isOld(visit.service)) return visit
    warnOfMissingNote(this.#context, visit.service)
    return { ...visit, state: { ...visit.state, notes_lost: true } }
  }

  /**
   * Runs as soon as the database is READY, because copied jobs and subscriptions are active until the quarantine. If the
   * database is unreachable, `finish` does it. Returns false if it is unknown whether the service is a fork.
   * @throws QuarantineError if a strict quarantine fails
   */
  async quarantine(service: Service, password: string, isParentPending: boolean): Promise<boolean> {
    const isNeeded = this.#isToBeQuarantined(service)
    if (!isNeeded && (!isParentPending || this.#context.settings.quarantine === false)) return true
    const isOriginNoted = await this.#visit(service, password, { patience: shortPatience }, async visit => {
      if (isNeeded) await this.#secure(this.#findLoss(visit))
      const { quarantine, ready, fork } = visit.state
      return quarantine !== undefined || (ready && fork === undefined)
    })
    return isNeeded || isOriginNoted === true
  }

  /** Quarantine, schema baseline, seed files once. Idempotent. @throws QuarantineError; SqlFileError if a file fails */
  async finish(service: Service, password: string, { migrations, fork }: Given = {}): Promise<Finished> {
    const { base } = this.#preview
    const effort = this.#effort(service)
    const finished = await this.#visit(service, password, effort, async (found): Promise<Finished> => {
      const visit = this.#findLoss(found)
      const stamp = await requireMaskingStamp(this.#context, this.#preview, visit)
      const secured = await this.#secure(visit)
      const outdated = visit.state.ready
        ? reasonToReset(this.#context, secured.migrations, migrations)
        : undefined
      if (outdated !== undefined) return { outdated }
      const based = await keepSchema(this.#context, visit, secured)
      const filled = await fill(this.#context, visit, based, { seeds: this.#seeds, base })
      const { problem: _, adopted: __, ...seeded } = filled
      const state = {
        ...seeded,
        ready: true,
        migrations: notable(migrations) ?? seeded.migrations,
        fork: seeded.fork ?? fork,
        preview: base,
      }
      const text = JSON.stringify(state)
      if (text !== JSON.stringify(secured)) await visit.database.write(text)
      return { state, stamp }
    })
    return finished ?? { state: undefined }
  }

  /** Whether a run has finished the database, as far as the runner can reach it. Changes nothing. */
  async isFinished(service: Service, password: string): Promise<boolean> {
    const effort = { patience: shortPatience }
    return (await this.#visit(service, password, effort, async ({ state }) => state.ready)) ?? true
  }

  /** Accepts a database without notes as it is, after its quarantine. */
  async #adopt(visit: Visit): Promise<PreviewNote> {
    // A young record may not have named its parent when this run began.
    const service = await readAgain(this.#context, visit.service)
    const preview = previewBaseOf(this.#preview.base)
    const state = {
      ...(await this.#secure({ ...visit, service })),
      ...(preview && { preview }),
      adopted: true,
      notes_lost: true,
    }
    await visit.database.write(JSON.stringify(state))
    const how = state.quarantine ? 'quarantined, but perhaps' : 'perhaps'
    this.#context.log.warning(
      `no run has noted that it finished the database of ${this.#preview.base}: it is published as it is, ${how} without seed_file; create-preview finishes it`,
      'not finished',
    )
    return state
  }

  /** Whether the database is so old that no run can still be preparing it for the first time. */
  #isOld(service: Service): boolean {
    const now = this.#context.seam.now()
    this.#firstTriedAt ??= now
    return (ageOf(this.#context, service) ?? now - this.#firstTriedAt) >= preparationTime
  }

  /** The state for a run that only connects; undefined while the creating run is not done. */
  async #readFinished(visit: Visit): Promise<PreviewNote | undefined> {
    const { state, isNoted, service } = visit
    await requireMaskingStamp(this.#context, this.#preview, visit)
    // The creating run may have requested no quarantine.
    if (state.ready || state.adopted) return state.quarantine ? await this.#secure(visit) : state
    if (state.problem !== undefined)
      throw new PreviewError(
        `the database of ${this.#preview.base} is not finished: ${state.problem}`,
        'correct that, and run create-preview (or preview) again',
      )
    return !isNoted && this.#isOld(service) ? await this.#adopt(visit) : undefined
  }

  /** Whether an unreachable database needs a quarantine. @throws QuarantineUnknownError if waiting may show it */
  async #mayNeedQuarantine(service: Service, mayWait: boolean): Promise<boolean> {
    const record = await readAgain(this.#context, service)
    if (this.#isToBeQuarantined(record)) return true
    const isUnknown = this.#context.settings.quarantine !== false && mayNameParentLate(this.#context, record)
    if (isUnknown && mayWait)
      throw new QuarantineUnknownError(`service ${service.service_id} names no parent yet`)
    if (isUnknown)
      this.#context.log.info(`service ${service.service_id} names no parent yet: it may be a fork`)
    return isUnknown
  }

  /**
   * Waits until the database may be published, for a run that only connects. Quarantines an old one without notes.
   * @param mayWait the caller waits for the parent of a young record that names none
   * @throws PreviewError if it is not finished by the deadline; QuarantineUnknownError
   */
  async await(service: Service, password: string, mayWait = false): Promise<PreviewNote | undefined> {
    const { seam, deadline, settings } = this.#context
    const effort = this.#effort(service, () => this.#mayNeedQuarantine(service, mayWait))
    // A young record may not name its parent yet, and its database may not take connections yet.
    if (!this.#isOld(service)) effort.patience = shortPatience
    const found = await waitFor(this.#context, {
      what: `for the database of ${this.#preview.base} to be finished`,
      why: 'the run that creates it has not quarantined or filled it yet',
      pending: 'it is not finished yet',
      interval: pause,
      until: settings.wait ? deadline : seam.now(),
      check: async () => {
        const visited = await this.#visit(service, password, effort, async visit => ({
          state: await this.#readFinished(visit),
        }))
        if (visited === undefined) return { state: undefined }
        return visited.state === undefined ? undefined : visited
      },
    })
    if (found !== undefined) return found.state
    throw new PreviewError(
      `the database of ${this.#preview.base} is not finished: no run has prepared it to the end`,
      'run create-preview (or preview) for it, then run the step again',
    )
  }
}
