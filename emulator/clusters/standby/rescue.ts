/** Restores databases that ended unexpectedly. */
import { messageOf } from '#base/unknown-values'
import type { Incident } from '../../data-plane.ts'
import { ClosedError } from '../errors.ts'
import type { Cluster } from '../server/cluster.ts'
import { RestartPolicy } from '../server/restart-policy.ts'
import type { HotStandby } from './hot-standby.ts'
import type { ReplicaSets } from './replica-sets.ts'
import type { Standbys } from './standbys.ts'

/** The parts of the service for a rescue. */
interface RescueParts {
  id: string
  cluster: Cluster
  standbys: Standbys
  replicaSets: ReplicaSets
  start: () => Promise<unknown>
  /** Called after a standby has replaced the primary. */
  onFailover: () => Promise<void>
  report: (incident: Incident) => void
}

/**
 * Restores databases that ended unexpectedly. Call each method from the queue of the service, so that no other change
 * runs at the same time.
 */
export class Rescue {
  readonly #parts: RescueParts
  readonly #restartPolicy = new RestartPolicy()

  constructor(parts: RescueParts) {
    this.#parts = parts
  }

  /** Starts the primary again. If it cannot start, a standby replaces it. */
  async restorePrimary(): Promise<void> {
    const { id, cluster, start } = this.#parts
    await this.#restore(id, cluster, () =>
      this.#restartPolicy.attempt(start).catch(error => this.failOver(error)),
    )
  }

  /** Starts a read replica set again. */
  async restoreReplicaSet(id: string): Promise<void> {
    const standby = this.#parts.replicaSets.all.get(id)
    if (standby) await this.#restore(id, standby.cluster, () => standby.revive())
  }

  /** Starts a standby again, or creates another one. */
  async restoreStandby(standby: HotStandby): Promise<void> {
    try {
      await this.#parts.standbys.revive(standby)
      this.#parts.report({ kind: 'changed' })
    } catch (error) {
      this.#reportLoss(this.#parts.id, error, 'one of its standbys cannot be restored: ')
    }
  }

  /** Continues with the data of a standby; rejects with `failure` if there is none. */
  async failOver(failure: unknown): Promise<void> {
    if (failure instanceof ClosedError || !(await this.#parts.standbys.takeOver())) throw failure
    await this.#parts.onFailover()
  }

  async #restore(id: string, cluster: Cluster, job: () => Promise<void>): Promise<void> {
    try {
      await job()
      const { address } = cluster
      if (address) this.#parts.report({ kind: 'found', id, address })
    } catch (error) {
      this.#reportLoss(id, error)
    }
  }

  #reportLoss(id: string, error: unknown, context = ''): void {
    if (error instanceof ClosedError) return
    this.#parts.report({ kind: 'lost', id, problem: `${context}${messageOf(error)}` })
  }
}
