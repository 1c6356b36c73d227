import type { Incident } from '../../data-plane.ts'
import { ClosedError, describeError } from '../errors.ts'
import type { Cluster } from '../server/cluster.ts'
import { Revival } from '../server/revival.ts'
import type { ReplicaSet } from './replica-set.ts'
import type { Standbys } from './standbys.ts'

/** What a rescue needs from the service. */
export interface RescueParts {
  id: string
  cluster: Cluster
  standbys: Standbys
  start: () => Promise<unknown>
  /** Called when the service continues with the data of a standby. */
  hasFailedOver: () => Promise<void>
  report: (incident: Incident) => void
}

/** Brings back databases that ended unexpectedly. Every method runs as one of the service's jobs. */
export class Rescue {
  readonly #parts: RescueParts
  readonly #revival = new Revival()

  constructor(parts: RescueParts) {
    this.#parts = parts
  }

  /** Starts the primary again. If it cannot start any more, a standby takes its place. */
  async primary(): Promise<void> {
    const { id, cluster, start } = this.#parts
    try {
      await this.#revival.attempt(start).catch(error => this.failOver(error))
      const { address } = cluster
      if (address) this.#parts.report({ kind: 'found', id, address })
    } catch (error) {
      this.#giveUp(error, '')
    }
  }

  async standby(standby: ReplicaSet): Promise<void> {
    try {
      await this.#parts.standbys.revive(standby)
      this.#parts.report({ kind: 'changed' })
    } catch (error) {
      this.#giveUp(error, 'one of its standbys cannot be brought back: ')
    }
  }

  /** Continues with the data of a standby; rejects with `failure` if there is none. */
  async failOver(failure: unknown): Promise<void> {
    if (failure instanceof ClosedError || !(await this.#parts.standbys.takeOver())) throw failure
    await this.#parts.hasFailedOver()
  }

  #giveUp(error: unknown, what: string): void {
    if (error instanceof ClosedError) return
    this.#parts.report({ kind: 'lost', id: this.#parts.id, problem: `${what}${describeError(error)}` })
  }
}
