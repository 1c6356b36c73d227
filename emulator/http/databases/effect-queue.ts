/** Runs effects in the background. */
import { messageOf } from '#base/unknown-values'
import type { Address, DataPlane, Statistics } from '../../data-plane.ts'
import type { Effect } from '../../store/effect.ts'
import type { Store } from '../../store/store.ts'

const noAddress = () => undefined

/** Resolves when the effect is complete, to the address that it opened, if any. */
function runEffect(dataPlane: DataPlane, effect: Effect): Promise<Address | undefined> {
  switch (effect.kind) {
    case 'create-service':
      return dataPlane.createService(effect.serviceId, effect.password, effect)
    case 'fork-service':
      return dataPlane.forkService(effect.serviceId, effect.parentId, effect.point, effect.password, effect)
    case 'start-service':
      return dataPlane.startService(effect.serviceId)
    case 'create-replica':
      return dataPlane.createReplicaSet(effect.replicaSetId, effect.serviceId, effect.sizes)
    case 'open-forwarder':
      return dataPlane.openForwarder(effect.targetId, effect.purpose)
    case 'stop-service':
      return dataPlane.stopService(effect.serviceId).then(noAddress)
    case 'resize-service':
      return dataPlane.resizeService(effect.serviceId, effect.sizes)
    case 'set-ha':
      return dataPlane.setStandbys(effect.serviceId, effect.haReplicas).then(noAddress)
    case 'resize-replica':
      return dataPlane.resizeReplicaSet(effect.replicaSetId, effect.sizes)
    case 'set-password':
      return dataPlane.setPassword(effect.serviceId, effect.password).then(noAddress)
    case 'delete-service':
      return dataPlane.deleteService(effect.serviceId).then(noAddress)
    case 'delete-replica':
      return dataPlane.deleteReplicaSet(effect.replicaSetId).then(noAddress)
    case 'close-forwarder':
      return dataPlane.closeForwarder(effect.targetId, effect.purpose).then(noAddress)
  }
}

const opensDatabase: Partial<Record<Effect['kind'], true>> = {
  'create-service': true,
  'fork-service': true,
  'start-service': true,
}

/** The statistics of a database that the effect has opened. */
function measureDatabase(
  dataPlane: DataPlane,
  { kind, serviceId }: Effect,
): Promise<Statistics | undefined> | undefined {
  return opensDatabase[kind] && dataPlane.readStatistics(serviceId).catch(() => undefined)
}

/**
 * Runs effects in the background, those of one service one after the other, and reports each to the store.
 * Never rejects: a failure goes to the store and to `report`.
 */
export class EffectQueue {
  readonly #dataPlane: DataPlane
  readonly #store: Store
  readonly #report: (line: string) => void
  /** The newest effect of each service, finished or not. */
  readonly #tails = new Map<string, Promise<unknown>>()
  /** Not reported yet, oldest first. */
  readonly #pending = new Map<string, Effect>()
  readonly #save: () => Promise<void>
  #isClosed = false

  /** `save` resolves when the current state is safe on disk; no database changes before. */
  constructor(dataPlane: DataPlane, store: Store, report: (line: string) => void, save: () => Promise<void>) {
    this.#save = save
    this.#dataPlane = dataPlane
    this.#store = store
    this.#report = report
  }

  /** The effects that are not reported to the store yet, oldest first. */
  get pending(): Effect[] {
    return [...this.#pending.values()]
  }

  /** Queues an effect; resolves to whether it succeeded. */
  add(effect: Effect): Promise<boolean> {
    this.#pending.set(effect.id, effect)
    const services = effect.kind === 'fork-service' ? [effect.serviceId, effect.parentId] : [effect.serviceId]
    const before = services.map(id => this.#tails.get(id))
    const done = Promise.all(before).then(() => this.#run(effect))
    for (const id of services) this.#follow(id, done)
    return done
  }

  /** Starts no more effects; resolves when those that have started are over. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#tails.values())
  }

  #follow(serviceId: string, done: Promise<unknown>): void {
    this.#tails.set(serviceId, done)
    void done.then(() => {
      if (this.#tails.get(serviceId) === done) this.#tails.delete(serviceId)
    })
  }

  async #run(effect: Effect): Promise<boolean> {
    if (this.#isClosed) return false
    try {
      await this.#save()
      const address = await runEffect(this.#dataPlane, effect)
      const statistics = await measureDatabase(this.#dataPlane, effect)
      // Saved before the effect is reported, so that another emulator does not repeat it.
      await this.#save()
      this.#store.completed(effect.id, { address, statistics })
      this.#forget(effect)
      return true
    } catch (error) {
      // A failure because the emulator is stopping is not final: the next emulator may repeat the effect.
      if (this.#isClosed) return false
      const message = messageOf(error)
      this.#store.failed(effect.id, message)
      this.#forget(effect)
      this.#report(`${effect.kind} of service ${effect.serviceId} failed: ${message}`)
      return false
    }
  }

  #forget(effect: Effect): void {
    this.#pending.delete(effect.id)
    this.#save().catch(error => this.#report(`the state could not be saved: ${error.message}`))
  }
}
