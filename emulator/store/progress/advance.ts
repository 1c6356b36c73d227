/** Advances the state to the current time. */
import { writeLog } from '../service-log.ts'
import type { Forwarding, ReplicaSetState, ServiceState, State, VpcState } from '../state.ts'
import type { Timing } from './timing.ts'
import { endOf } from './work.ts'

function isOver(end: number | undefined, now: number): end is number {
  return end !== undefined && end <= now
}

function freeVpc(state: State, vpcId: string | undefined, busyUntil: number): void {
  const vpc = vpcId === undefined ? undefined : state.vpcs.get(vpcId)
  if (vpc) vpc.busyUntil = Math.max(vpc.busyUntil, busyUntil)
}

function advanceService(state: State, service: ServiceState, timing: Timing, now: number): void {
  const { work } = service
  if (work === undefined) return
  const end = endOf(work)
  if (!isOver(end, now)) return
  const { change } = work
  service.work = undefined
  if (change.kind === 'delete') {
    // Its log is no longer readable over the API, but code that still holds the service finds the time of its
    // deletion there.
    writeLog(service, end, 'service is gone')
    state.services.delete(service.id)
    freeVpc(state, service.attachment?.vpcId, end + timing.vpcBusyFor)
    return
  }
  if (change.kind === 'resize') service.sizes = change.sizes
  if (change.kind === 'set-ha') service.haReplicas = change.haReplicas
  service.rest = change.kind === 'stop' ? 'PAUSED' : 'READY'
  if (service.rest === 'READY') service.readyAt ??= end
  writeLog(service, end, `service is ${service.rest} after ${change.kind}`)
}

/** Ends finished work on a second address. Returns the end of a finished closing, otherwise undefined. */
function closedAt(forwarding: Forwarding, now: number): number | undefined {
  if (forwarding.work === undefined) return undefined
  const end = endOf(forwarding.work)
  if (!isOver(end, now)) return undefined
  const { kind } = forwarding.work.change
  forwarding.work = undefined
  return kind === 'close' ? end : undefined
}

function advancePooler(owner: { pooler: Forwarding | undefined }, now: number): void {
  if (owner.pooler && closedAt(owner.pooler, now) !== undefined) owner.pooler = undefined
}

function advanceReplicaSet(service: ServiceState, replicaSet: ReplicaSetState, now: number): void {
  advancePooler(replicaSet, now)
  const { work } = replicaSet
  if (work === undefined) return
  const end = endOf(work)
  if (!isOver(end, now)) return
  const { change } = work
  replicaSet.work = undefined
  if (change.kind === 'delete') {
    service.replicaSets.delete(replicaSet.id)
    writeLog(service, end, `replica set ${replicaSet.id} is gone`)
    return
  }
  if (change.kind === 'resize') {
    replicaSet.cpuMillis = change.cpuMillis
    replicaSet.memoryGbs = change.memoryGbs
  }
  replicaSet.rest = 'active'
  writeLog(service, end, `replica set ${replicaSet.id} is active after ${change.kind}`)
}

function advanceAttachment(state: State, service: ServiceState, timing: Timing, now: number): void {
  const { attachment, work } = service
  if (attachment === undefined) return
  // Counts only if it ended before the service was deleted: the deletion itself ends the attachment as well.
  const deleted = work?.change.kind === 'delete' ? endOf(work) : undefined
  const end = closedAt(attachment, Math.min(now, deleted ?? Infinity))
  if (end === undefined) return
  service.attachment = undefined
  freeVpc(state, attachment.vpcId, end + timing.vpcBusyFor)
}

function advanceVpc(state: State, vpc: VpcState, now: number): void {
  if (vpc.work === undefined || !isOver(endOf(vpc.work), now)) return
  if (vpc.work.change.kind === 'delete') state.vpcs.delete(vpc.id)
  vpc.work = undefined
}

/** Applies the changes that ended by `now`, each with the time of its own end, whenever the state is read. */
export function advance(state: State, timing: Timing, now: number): void {
  for (const service of state.services.values()) {
    for (const replicaSet of service.replicaSets.values()) advanceReplicaSet(service, replicaSet, now)
    advancePooler(service, now)
    advanceAttachment(state, service, timing, now)
    advanceService(state, service, timing, now)
  }
  for (const vpc of state.vpcs.values()) advanceVpc(state, vpc, now)
}
