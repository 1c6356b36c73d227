/** The state that the steps of one reconciliation share. */
import type { Service } from '#api/records'
import { type ActionError, ApiError } from '#base/errors'
import type { SeedFile } from '#contents/sql/seeds'
import type { Previews } from '../base/context.ts'
import type { Owner } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { Preparation } from '../prepare/preparation.ts'
import type { ForkStrategy } from '../services/create.ts'
import type { Desired } from './next-step.ts'
import { Observer } from './observer.ts'

/** Why a database is not deleted after all, asked right before each deletion; undefined to delete it. */
export type ReasonToStay = () => Promise<string | undefined>

interface Asked {
  given?: PreviewParameters
  reasonToStay?: ReasonToStay
  reasonByEvent?: string | undefined
  seeds?: SeedFile[]
}

export class Run {
  readonly observer: Observer
  /** The parent and the fork strategy of a database that this run created. */
  parent: Preview
  strategy: ForkStrategy | undefined
  replaced: Service[] = []
  /** Databases whose deletion was accepted: those of a reset, and those of a preview that must not exist. */
  readonly deleted: { replaced: string[]; refused: string[] } = { replaced: [], refused: [] }
  /** A reset has failed after its first deletion. */
  halfway: (ActionError & { what: string }) | undefined
  /** Why the preview is reset without a request. */
  resetReason: string | undefined
  /** Databases that were kept although the preview must not exist, with the reason. */
  readonly kept: { id: string; reason: string }[] = []
  readonly planned: string[] = []
  /** The comment reports that this run creates a database. */
  isCreating = false
  /** Databases that other runs deleted while this run prepared them. */
  losses = 0
  readonly #preparations = new Map<string, Preparation>()
  readonly context: Previews
  readonly preview: Preview
  readonly asked: Asked
  desired: Desired
  /** The reason against the preview that counts if GitHub does not answer the first question. */
  reasonByEvent: string | undefined

  constructor(context: Previews, preview: Preview, desired: Desired, asked: Asked = {}) {
    this.context = context
    this.preview = preview
    this.desired = desired
    this.asked = asked
    this.reasonByEvent = asked.reasonByEvent
    this.parent = preview
    this.observer = new Observer(context, preview)
  }

  preparationOf(id: string): Preparation {
    const known = this.#preparations.get(id) ?? new Preparation(this.context, this.preview, this.asked.seeds)
    this.#preparations.set(id, known)
    return known
  }

  readonly idsOf = (service_id: string) => ({ project_id: this.preview.projectId, service_id })

  /** The random name identifies a database of this run, even while its record names no parent. */
  ownerOf(id: string): Owner {
    return this.observer.isCreatedHere(id) ? { ...this.preview, parentId: undefined } : this.preview
  }

  refuse(reason: string): void {
    const { observer, desired, context } = this
    if (!desired.onlyConnects) context.log.info(`${reason} now, so its preview is deleted again`)
    observer.refusal = reason
    observer.outdateList()
  }

  lose(id: string): void {
    this.context.log.info(`service ${id} was deleted in the meantime; reading the list again`)
    this.observer.noteGone(id)
    this.observer.noteInterruption()
  }
}

export const hasStatus = (failure: unknown, ...statuses: number[]) =>
  failure instanceof ApiError && statuses.includes(failure.status)
