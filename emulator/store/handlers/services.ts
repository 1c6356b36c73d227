/** Handlers of services. */
import type { EndpointName } from '#api/endpoints'
import type { PlannedEffect } from '../effect.ts'
import type { HandlerContext, Handlers } from '../handler.ts'
import type { ServiceChange } from '../progress/change.ts'
import { serviceStatus } from '../progress/status.ts'
import { begin } from '../progress/work.ts'
import { conflict, invalid, noSuchService } from '../refusal.ts'
import { bothSpellings, renderReplicaSetAsService, renderService } from '../render.ts'
import { readLogPage, writeLog } from '../service-log.ts'
import type { ServiceState } from '../state.ts'
import {
  checkProject,
  findLivingService,
  findReadyService,
  findReplicaSetAnywhere,
  findService,
} from './find.ts'
import { closeForwarderWith } from './forwarding.ts'
import { checkReplicas, checkSizes } from './limits.ts'
import { checkDatabaseLimit, countStandbys } from './quota.ts'
import { deleteReplicaSet } from './replica-sets.ts'

function startChange(
  context: HandlerContext,
  service: ServiceState,
  operation: EndpointName,
  change: ServiceChange,
  effects: string[],
): void {
  const { now } = context
  service.work = begin(context, operation, change, effects)
  writeLog(service, now, `service is ${serviceStatus(service, now)} for ${change.kind}`)
}

/** The servers of a service are numbered: 0 is its primary, its standbys follow. */
function checkNode({ haReplicas }: ServiceState, node: number): void {
  const last = haReplicas.replicaCount + haReplicas.syncReplicaCount
  if (node > last) throw invalid(`node: expected a whole number up to ${last}, not ${node}`)
}

/** Starts a change of the database, with the operation of the same name. */
function startDatabaseChange(
  context: HandlerContext,
  service: ServiceState,
  change: ServiceChange,
  effect: Extract<PlannedEffect, { kind: 'stop-service' | 'resize-service' | 'set-ha' }>,
): void {
  startChange(context, service, effect.kind, change, [context.start(effect)])
}

/** Starts to delete a service, with its second addresses and replica sets. */
function deleteService(context: HandlerContext, service: ServiceState): void {
  const { id } = service
  const owner = { id, serviceId: id }
  const effects = [
    ...closeForwarderWith(context, owner, 'pooler', service.pooler),
    ...closeForwarderWith(context, owner, 'vpc', service.attachment),
    ...[...service.replicaSets.values()]
      .filter(replicaSet => replicaSet.work?.change.kind !== 'delete')
      .flatMap(replicaSet => deleteReplicaSet(context, service, replicaSet)),
    context.start({ kind: 'delete-service', serviceId: id }),
  ]
  startChange(context, service, 'delete-service', { kind: 'delete' }, effects)
}

export const services = {
  'list-services': (context, params) => {
    checkProject(context, params)
    return [...context.state.services.values()].map(service => renderService(context, service))
  },
  'get-service': (context, params) => {
    checkProject(context, params)
    const service = context.state.services.get(params.service_id)
    if (service) return renderService(context, service)
    const found = findReplicaSetAnywhere(context, params.service_id)
    if (found) return renderReplicaSetAsService(context, found.service, found.replicaSet)
    throw noSuchService()
  },
  'delete-service': (context, params) => {
    const service = findService(context, params)
    // A repeated request: there is nothing left to do.
    if (service.work?.change.kind !== 'delete') deleteService(context, service)
    return undefined
  },
  'start-service': (context, params) => {
    const service = findLivingService(context, params)
    const { work, rest } = service
    if (!work && rest === 'READY') throw invalid(`service ${service.id} is already running`)
    // Starting its database again may repair an UNSTABLE service.
    if (work || (rest !== 'PAUSED' && rest !== 'UNSTABLE')) {
      const status = serviceStatus(service, context.now)
      throw conflict(`cannot start: service ${service.id} is ${status}, not PAUSED`)
    }
    const effect = context.start({ kind: 'start-service', serviceId: service.id })
    startChange(context, service, 'start-service', { kind: 'start' }, [effect])
    return renderService(context, service)
  },
  'stop-service': (context, params) => {
    const service = findLivingService(context, params)
    const { work, rest } = service
    if (!work && rest === 'PAUSED') throw invalid(`service ${service.id} is already paused`)
    if (work || rest !== 'READY')
      throw conflict(
        `cannot stop: service ${service.id} is ${serviceStatus(service, context.now)}, not READY`,
      )
    startDatabaseChange(context, service, { kind: 'stop' }, { kind: 'stop-service', serviceId: service.id })
    return renderService(context, service)
  },
  'resize-service': (context, params) => {
    const service = findReadyService(context, params, 'resize')
    const sizes = { cpuMillis: Number(params.cpu_millis), memoryGbs: Number(params.memory_gbs) }
    checkSizes(sizes.cpuMillis, sizes.memoryGbs)
    const effect = { kind: 'resize-service', serviceId: service.id, sizes } as const
    startDatabaseChange(context, service, { kind: 'resize', sizes }, effect)
    return renderService(context, service)
  },
  'set-ha': (context, params) => {
    const service = findReadyService(context, params, 'set high availability')
    checkReplicas(params)
    const haReplicas = {
      replicaCount: params.replica_count ?? service.haReplicas.replicaCount,
      syncReplicaCount: params.sync_replica_count ?? service.haReplicas.syncReplicaCount,
    }
    checkDatabaseLimit(context, countStandbys(haReplicas) - countStandbys(service.haReplicas))
    const effect = { kind: 'set-ha', serviceId: service.id, haReplicas } as const
    // Answered with the previous state, as servers may (docs/internals/api.md, "Work that takes time").
    const before = renderService(context, service)
    startDatabaseChange(context, service, { kind: 'set-ha', haReplicas }, effect)
    return before
  },
  'update-password': (context, params) => {
    const service = findReadyService(context, params, 'set the password')
    context.start({ kind: 'set-password', serviceId: service.id, password: params.password })
    writeLog(service, context.now, 'the password is set')
    return undefined
  },
  'set-environment': (context, params) => {
    findLivingService(context, params).environment = params.environment
    return { message: 'Environment set' }
  },
  'enable-data-tiering': (context, params) => {
    const service = findReadyService(context, params, 'enable data tiering')
    service.shown = { ...service.shown, data_tiering: { enabled: true } }
    return renderService(context, service)
  },
  'rename-service': (context, params) => {
    const service = findLivingService(context, params)
    service.name = params.name
    return renderService(context, service)
  },
  'get-service-logs': (context, params) => {
    const service = findService(context, params)
    checkNode(service, params.node ?? 0)
    const lines = [...service.log.toReversed(), ...(context.databases.databaseLog ?? [])]
    const page = readLogPage(lines, params)
    if (page === undefined) throw invalid('cursor, since, until: expected a last_cursor and dates with times')
    const entries = page.lines.map(({ at, severity, message }) => ({
      timestamp: new Date(at).toISOString(),
      message,
      severity,
    }))
    return {
      logs: entries.map(({ timestamp, severity, message }) => `${timestamp} ${severity}: ${message}`),
      entries,
      ...bothSpellings('last_cursor', 'lastCursor', page.cursor),
    }
  },
} satisfies Partial<Handlers>
