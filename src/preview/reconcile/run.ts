/** One reconciliation: its inputs, and the state that its steps share. */
import type { Service } from '#api/records'
import type { SeedFile } from '#contents/sql/seeds'
import type { Previews } from '../base/context.ts'
import type { Owner } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import type { PreparationTask } from '../prepare/database-access.ts'
import type { ForkStrategy } from '../services/create.ts'
import type { Desired } from './next-step.ts'
import { Observer } from './observer.ts'

/** Returns why a database is not deleted after all; undefined to delete it. Called right before each deletion. */
export type ReasonToStay = () => Promise<string | undefined>

interface RunInputs {
  /** The fields that a creating request gets. */
  given?: PreviewParameters
  reasonToStay?: ReasonToStay
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
  /** A database whose deletion by a reset was requested, without a clear answer. */
  mayBeDeleted: string | undefined
  /** Why the preview is reset without a request. */
  resetReason: string | undefined
  /** Databases that were kept although the preview must not exist, with the reason. */
  readonly kept: { id: string; reason: string; isGuarded: boolean }[] = []
  readonly planned: string[] = []
  /** This run has begun to create a database, as the comment reports. */
  isCreating = false
  /** Databases that other runs deleted while this run prepared them. */
  losses = 0
  readonly context: Previews
  readonly preview: Preview
  readonly inputs: RunInputs
  desired: Desired
  /** The reason against the preview if GitHub does not answer the first question. */
  reasonByEvent: string | undefined

  constructor(context: Previews, preview: Preview, desired: Desired, inputs: RunInputs = {}) {
    this.context = context
    this.preview = preview
    this.desired = desired
    this.inputs = inputs
    this.parent = preview
    this.observer = new Observer(context, preview)
  }

  /** Describes the database to prepare. Its first call counts as the first try. */
  preparationTaskOf(id: string): PreparationTask {
    const { observer, preview, context, inputs } = this
    const known = observer.knowledgeOf(id)
    known.firstTriedAt ??= context.seam.now()
    const { password = '', firstTriedAt } = known
    return { ...preview, service: observer.record(id), password, seeds: inputs.seeds, firstTriedAt }
  }

  readonly idsOf = (service_id: string) => ({ project_id: this.preview.projectId, service_id })

  /** The owner by which the guard decides. A database of this run needs no parent: its random name identifies it. */
  ownerOf(id: string): Owner {
    return this.observer.isCreatedHere(id) ? { ...this.preview, parentId: undefined } : this.preview
  }

  /** Notes that the preview must not exist. */
  refuse(reason: string): void {
    const { observer, desired, context } = this
    if (!desired.onlyConnects) context.log.info(`${reason} now, so its preview is deleted again`)
    observer.refusal = reason
    observer.outdateList()
  }

  /** Notes that another run or a person deleted a database. */
  noteLost(id: string): void {
    this.context.log.info(`service ${id} was deleted in the meantime; reading the list again`)
    this.observer.noteGone(id)
    this.observer.noteInterruption()
  }
}
