/** Applies the reports of the data plane. */
import type { Address, Statistics } from '../../data-plane.ts'
import type { PendingEffect } from '../effect.ts'
import { keepSample } from '../samples.ts'
import { writeLog } from '../service-log.ts'
import type { ReplicaSetState, ServiceState, State } from '../state.ts'
import { reportEffect, type Work } from './work.ts'

function takeEffect(state: State, effectId: string): PendingEffect | undefined {
  const effect = state.effects.get(effectId)
  state.effects.delete(effectId)
  return effect
}

type AnyWork = Work<{ kind: string }>

function listWork(service: ServiceState): (AnyWork | undefined)[] {
  const ofReplicaSets = [...service.replicaSets.values()].flatMap(({ work, pooler }) => [work, pooler?.work])
  return [service.work, service.pooler?.work, service.attachment?.work, ...ofReplicaSets]
}

function setAddress(service: ServiceState, effect: PendingEffect, address: Address): void {
  const target = service.replicaSets.get(effect.targetId) ?? service
  if (effect.purpose === 'vpc') {
    if (service.attachment) service.attachment.address = address
  } else if (effect.purpose === 'pooler') {
    if (target.pooler) target.pooler.address = address
  } else {
    target.address = address
  }
}

/** The address that an effect opened, and the statistics of the database, if any. */
export interface Completion {
  address?: Address | undefined
  statistics?: Statistics | undefined
}

/** Records that an effect is done. */
export function recordCompletion(
  state: State,
  effectId: string,
  { address, statistics }: Completion,
  now: number,
): void {
  const effect = takeEffect(state, effectId)
  const service = effect && state.services.get(effect.serviceId)
  if (!service) return
  for (const work of listWork(service)) reportEffect(work, effectId, now)
  if (address) setAddress(service, effect, address)
  if (statistics) keepSample(service, { at: now, ...statistics })
}

/** Marks the owner as broken, unless it is being deleted: a deletion continues. */
function markBroken(owner: ServiceState | ReplicaSetState): void {
  if (owner.work?.change.kind === 'delete') return
  owner.work = undefined
  owner.rest = 'replicaSets' in owner ? 'UNSTABLE' : 'error'
}

function isAwaiting(work: AnyWork | undefined, effectId: string): boolean {
  return work?.awaits.includes(effectId) ?? false
}

/** Breaks a service or replica set if its own work needed the effect. A missing pooler does not break it. */
function failOwner(owner: ServiceState | ReplicaSetState, effectId: string): void {
  if (isAwaiting(owner.pooler?.work, effectId)) owner.pooler = undefined
  if (isAwaiting(owner.work, effectId)) {
    owner.work = undefined
    markBroken(owner)
  }
}

/** Records a failed effect: the service or replica set that needed it is broken from now on. */
export function recordFailure(state: State, effectId: string, message: string, now: number): void {
  const effect = takeEffect(state, effectId)
  const service = effect && state.services.get(effect.serviceId)
  if (!service) return
  writeLog(service, now, `${effect.kind} of ${effect.targetId} failed: ${message}`, 'ERROR')
  for (const owner of [service, ...service.replicaSets.values()]) failOwner(owner, effectId)
  if (effect.purpose === 'vpc' && isAwaiting(service.attachment?.work, effectId)) {
    service.attachment = undefined
    markBroken(service)
  }
}

function findOwner(state: State, id: string) {
  for (const service of state.services.values()) {
    if (service.id === id) return { service, owner: service }
    const replicaSet = service.replicaSets.get(id)
    if (replicaSet) return { service, owner: replicaSet }
  }
  return undefined
}

/** Records that a database has ended unexpectedly. The service's status shows it, unless other work is in progress. */
export function recordLoss(state: State, id: string, message: string, now: number): void {
  const found = findOwner(state, id)
  if (found === undefined) return
  writeLog(found.service, now, `the database of ${id} is lost: ${message}`, 'ERROR')
  const { owner } = found
  if (owner.work === undefined && owner.rest !== 'PAUSED') markBroken(owner)
}

/** Records that a database runs at this address: a broken service or replica set has recovered. */
export function recordReturn(
  state: State,
  id: string,
  address: Address,
  purpose: 'pooler' | 'vpc' | undefined,
  now: number,
): void {
  const found = findOwner(state, id)
  if (found === undefined) return
  const { service, owner } = found
  if (purpose) {
    const forwarding = purpose === 'vpc' ? service.attachment : owner.pooler
    if (forwarding) forwarding.address = address
    return
  }
  const hasMoved = owner.address !== undefined && owner.address.port !== address.port
  owner.address = address
  if (hasMoved) writeLog(service, now, `the database of ${id} is at port ${address.port} from now on`)
  if (owner.rest === 'UNSTABLE') owner.rest = 'READY'
  else if (owner.rest === 'error') owner.rest = 'active'
  else return
  writeLog(service, now, `the database of ${id} is back`)
}
