import type { Service } from '../../api/records.ts'
import { messageOf } from '../../base/errors.ts'
import type { SeedFile } from '../../contents/sql/seed-file.ts'
import { timed } from '../../operations/base/parts.ts'
import { rest } from '../../operations/wait/wait-log.ts'
import { isYoung } from '../base/age.ts'
import type { PreviewContext } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { type Origin, originOf } from '../base/origin.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { setDerivedPassword } from '../connect/login.ts'
import { isGoing, removePreview, waitUntilGone } from '../end/remove.ts'
import { UnmarkedError } from '../prepare/mark.ts'
import { Preparation } from '../prepare/preparation.ts'
import { type Converged, Convergence } from './converge.ts'
import { type HandedOver, handOver } from './hand-over.ts'
import type { ForkStrategy } from './make.ts'
import { assertWanted, makeWanted } from './make-wanted.ts'

/** How many databases may be lost before they are handed over. After more, something keeps undoing the work. */
const mostLost = 3

const cpuOf = ({ resources = [] }: Service) => resources[0]?.spec?.cpu_millis

/** One run's way to a database that it may hand over, also where the first one turns out to be none. */
export class Attempt {
  #convergence: Convergence
  #preparation: Preparation
  /** What the database that this run made was forked from, and how. */
  #making: Preview
  #strategy: ForkStrategy | undefined
  /** Databases that were deleted to be followed by another. */
  readonly #replaced: string[] = []
  #isMadeAgain = false
  readonly #context: PreviewContext
  readonly #preview: Preview
  readonly #given: PreviewParameters
  readonly #seeds: SeedFile[]

  /** `seeds`: the files that fill a new database, in order. */
  constructor(context: PreviewContext, preview: Preview, given: PreviewParameters, seeds: SeedFile[]) {
    this.#context = context
    this.#preview = preview
    this.#given = given
    this.#seeds = seeds
    this.#making = preview
    this.#convergence = this.#converge()
    this.#preparation = this.#prepare()
  }

  /** The database that this run made, unless it was deleted since. */
  get made(): Service | undefined {
    return this.#convergence.made
  }

  #prepare(): Preparation {
    return new Preparation(this.#context, this.#preview, this.#seeds)
  }

  #converge(): Convergence {
    const context = this.#context
    const preview = this.#preview
    return new Convergence(context, preview, {
      make: () =>
        makeWanted(context, preview, this.#given, this.#replaced.length > 0, (strategy, making) => {
          this.#strategy = strategy
          this.#making = making
        }),
      assertWanted: () => assertWanted(context, preview),
      claim: async (service, created) => {
        const password = await timed(context, 'setting the password', () =>
          setDerivedPassword(context, preview, service, created),
        )
        await this.#preparation.quarantine(service, password)
        return password
      },
    })
  }

  /** Notes databases that were deleted, so that another one takes their place. */
  replace(ids: string[]): void {
    this.#replaced.push(...ids)
    this.#convergence.forget(ids)
  }

  #originOf({ service, created }: Converged): Origin {
    const { parentId, parentName } = this.#making
    const origin = originOf(service, parentId, created ? this.#strategy : undefined)
    return { ...origin, parentName: origin.parentId === parentId ? parentName : undefined }
  }

  /** When the data is of, and how strong it is beside its parent: a fork is as strong, unless it was asked for otherwise. */
  async #describeFork({ service, created }: Converged, { data, parentId, createdAt }: Origin) {
    // A masked copy is neither as fresh nor as strong as what it was made from.
    if (parentId === undefined || data === 'empty' || this.#context.settings.preview.masked) return undefined
    const cpu = cpuOf(service)
    const isAlike = created && this.#given.cpu_millis === undefined
    const parent = created && !isAlike ? await this.#readParent(parentId) : undefined
    return {
      data,
      created_at: createdAt,
      cpu_millis: cpu,
      parent_cpu_millis: isAlike ? cpu : parent && cpuOf(parent),
    }
  }

  /** Undefined where that is refused: it only says more. */
  async #readParent(parentId: string): Promise<Service | undefined> {
    const { client, signal } = this.#context
    const ids = { project_id: this.#preview.projectId, service_id: parentId }
    return await client.call('get-service', ids).catch(() => {
      signal.throwIfAborted()
      return undefined
    })
  }

  /** Deletes a database of this run that is not masked; whether another one may follow it. */
  async #giveUp(service: Service, { message }: UnmarkedError): Promise<boolean> {
    const owner = { ...this.#preview, parentId: undefined }
    const { deleted } = await removePreview(this.#context, service, owner, { wait: false })
    if (!deleted || this.#isMadeAgain) return false
    this.#isMadeAgain = true
    this.#context.log.warning(`${message}; it is deleted, and made once more`, 'made once more')
    this.#convergence = this.#converge()
    this.replace([service.service_id])
    return true
  }

  /** Whether another run deletes a database; the run that made one without the mark is just about to. */
  async #isTaken(service: Service, failure: unknown): Promise<boolean> {
    const context = this.#context
    const ids = { project_id: this.#preview.projectId, service_id: service.service_id }
    if (await isGoing(context, ids)) return true
    if (!(failure instanceof UnmarkedError && isYoung(context, service))) return false
    await rest(context, context.settings.listLag, {
      what: `for the run that made service ${service.service_id} to delete it`,
      why: 'it does not bear the mark of a masked copy',
    })
    return await isGoing(context, ids)
  }

  /** Whether there is another database to be handed over, after a failure with this one. */
  async #goesOn({ service, created }: Converged, failure: unknown): Promise<boolean> {
    const context = this.#context
    context.signal.throwIfAborted()
    if (failure instanceof UnmarkedError && created) return await this.#giveUp(service, failure)
    const ids = { project_id: this.#preview.projectId, service_id: service.service_id }
    if (!(await this.#isTaken(service, failure))) return false
    context.log.info(`service ${ids.service_id} is being deleted by another run (${messageOf(failure)})`)
    await waitUntilGone(context, ids)
    this.#convergence.forget([ids.service_id])
    return true
  }

  /**
   * Brings the preview to rest, and hands its database over. Where another run deletes that database meanwhile, as a reset
   * does, its successor is handed over.
   *
   * @throws what converging and handing over throws
   */
  async run(): Promise<HandedOver> {
    for (let lost = 0; ; lost++) {
      const converged = await this.#convergence.run()
      try {
        const origin = this.#originOf(converged)
        const fork = await this.#describeFork(converged, origin)
        return await handOver(this.#context, this.#preview, this.#preparation, converged, origin, fork)
      } catch (failure) {
        if (lost === mostLost || !(await this.#goesOn(converged, failure))) throw failure
      }
      // What it knows is of the database that was lost.
      this.#preparation = this.#prepare()
    }
  }
}
