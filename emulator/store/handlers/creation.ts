/** Creates and forks services. */
import type { EndpointParameters } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import { serviceSizes } from '#api/sizes'
import type { ForkPoint, HaReplicas, Sizes } from '../../data-plane.ts'
import type { HandlerContext, Handlers } from '../handler.ts'
import { serviceStatus } from '../progress/status.ts'
import { begin } from '../progress/work.ts'
import { createPassword, createServiceId } from '../random-values.ts'
import { conflict, invalid } from '../refusal.ts'
import { renderService } from '../render.ts'
import { writeLog } from '../service-log.ts'
import type { ServiceState } from '../state.ts'
import { checkProject, findService } from './find.ts'
import { checkRegion, checkReplicas, checkSizes, cpuFor } from './limits.ts'
import { checkServiceLimit } from './quota.ts'

/** The API does not document its defaults (docs/internals/api.md, "Choices of the emulator"). */
const defaultSizes: Sizes = { cpuMillis: 500, memoryGbs: 2 }
const defaultRegion = 'us-east-1'

/** Starts to create the standbys of a new service. */
function startStandbys(context: HandlerContext, { id, haReplicas }: ServiceState): string[] {
  if (haReplicas.replicaCount === 0) return []
  return [context.start({ kind: 'set-ha', serviceId: id, haReplicas })]
}

/** The choices for a new service; everything else starts the same for all services. */
interface NewService {
  id: string
  name: string
  regionCode: string
  type: ServiceState['type']
  environment: string
  sizes: Sizes
  haReplicas: HaReplicas
  forkedFrom: string | undefined
}

/** Adds a service without any work. */
function addService(context: HandlerContext, fields: NewService): ServiceState {
  const service: ServiceState = {
    ...fields,
    created: context.now,
    rest: 'QUEUED',
    work: undefined,
    readyAt: undefined,
    address: context.addressFor(fields.id),
    pooler: undefined,
    attachment: undefined,
    replicaSets: new Map(),
    log: [],
    samples: [],
  }
  context.state.services.set(service.id, service)
  writeLog(service, context.now, `service ${service.id} is QUEUED`)
  return service
}

/** The add-on `ai` has no effect (docs/internals/api.md, "Services"). */
const typeFor = (addons: string[]): ServiceState['type'] =>
  addons.includes('time-series') ? 'TIMESERIESDB' : 'POSTGRES'

function readSizes(
  asked: { cpu_millis?: string | undefined; memory_gbs?: string | undefined },
  otherwise: Sizes,
) {
  const { cpu_millis, memory_gbs } = asked
  if (cpu_millis === 'shared' || memory_gbs === 'shared') {
    if ((cpu_millis ?? 'shared') !== (memory_gbs ?? 'shared')) {
      throw invalid('cpu_millis, memory_gbs: expected both "shared" or neither')
    }
    return { cpuMillis: undefined, memoryGbs: undefined }
  }
  if (cpu_millis === undefined && memory_gbs === undefined) return otherwise
  const cpuMillis = cpu_millis === undefined ? cpuFor(Number(memory_gbs)) : Number(cpu_millis)
  const memoryGbs = memory_gbs === undefined ? serviceSizes[Number(cpu_millis)] : Number(memory_gbs)
  checkSizes(cpuMillis, memoryGbs)
  return { cpuMillis, memoryGbs }
}

function checkForkable({ now }: HandlerContext, parent: ServiceState): void {
  const { work, rest } = parent
  if (work || (rest !== 'READY' && rest !== 'PAUSED')) {
    const status = serviceStatus(parent, now)
    throw conflict(`cannot fork: service ${parent.id} is ${status}; it must be running or paused`)
  }
}

function checkTargetTime({ now }: HandlerContext, parent: ServiceState, target: string): void {
  const time = Date.parse(target)
  if (time > now) throw invalid(`target_time: expected a time in the past, not ${target}`)
  if (!(time >= parent.created)) {
    const created = new Date(parent.created).toISOString()
    throw invalid(`target_time: expected a time since the service was created (${created}), not ${target}`)
  }
}

function findLastSnapshot(
  { databases, timing, now }: HandlerContext,
  service: ServiceState,
): number | undefined {
  if (databases.lastSnapshot) return databases.lastSnapshot(service.id)
  const first = (service.readyAt ?? Infinity) + timing.snapshotAfter
  return first <= now ? first : undefined
}

function readForkPoint(
  context: HandlerContext,
  parent: ServiceState,
  { fork_strategy, target_time = '' }: EndpointParameters<Endpoints['fork-service']>,
): ForkPoint {
  if (fork_strategy === 'NOW') return { strategy: 'NOW' }
  if (fork_strategy === 'PITR') checkTargetTime(context, parent, target_time)
  if (findLastSnapshot(context, parent) === undefined) {
    throw invalid(
      `service ${parent.id} doesn't yet have any backups or snapshots available; try again in a minute`,
    )
  }
  if (fork_strategy === 'LAST_SNAPSHOT') return { strategy: 'LAST_SNAPSHOT' }
  return { strategy: 'PITR', targetTime: new Date(target_time) }
}

/** The longest name of a service (docs/internals/api.md, "Names"). */
const longestName = 128

/** The name of a fork without a given one (docs/internals/api.md, "Services"). */
function chooseForkName(
  { state }: HandlerContext,
  parent: ServiceState,
  strategy: ForkPoint['strategy'],
): string {
  const name = `${strategy === 'PITR' ? 'recovery' : 'standard'}-fork-${parent.name}`.slice(0, longestName)
  const taken = new Set([...state.services.values()].map(service => service.name))
  for (let count = 0; ; count++) {
    const end = count === 0 ? '' : `-${count}`
    const candidate = name.slice(0, longestName - end.length) + end
    if (!taken.has(candidate)) return candidate
  }
}

export const creation = {
  'create-service': (context, params) => {
    checkProject(context, params)
    const sizes = readSizes(params, defaultSizes)
    checkReplicas(params)
    const regionCode = params.region_code ?? defaultRegion
    checkRegion(regionCode)
    checkServiceLimit(context, params.replica_count ?? 0)
    const service = addService(context, {
      id: createServiceId(context),
      name: params.name,
      regionCode,
      type: typeFor(params.addons ?? []),
      environment: params.environment_tag ?? 'DEV',
      sizes,
      haReplicas: { replicaCount: params.replica_count ?? 0, syncReplicaCount: 0 },
      forkedFrom: undefined,
    })
    const secret = createPassword(context)
    const effect = context.start({
      kind: 'create-service',
      serviceId: service.id,
      password: secret,
      reserved: service.address,
      sizes,
    })
    const standbys = startStandbys(context, service)
    service.work = begin(context, 'create-service', { kind: 'create' }, [effect, ...standbys])
    return { ...renderService(context, service), initial_password: secret }
  },
  'fork-service': (context, params) => {
    const parent = findService(context, params)
    checkForkable(context, parent)
    const point = readForkPoint(context, parent, params)
    const sizes = readSizes(params, parent.sizes)
    checkServiceLimit(context, 0)
    const service = addService(context, {
      id: createServiceId(context),
      name: params.name ?? chooseForkName(context, parent, params.fork_strategy),
      regionCode: parent.regionCode,
      type: parent.type,
      environment: params.environment_tag ?? 'DEV',
      sizes,
      // A fork has no high-availability replicas (docs/internals/api.md, "Forks and snapshots").
      haReplicas: { replicaCount: 0, syncReplicaCount: 0 },
      forkedFrom: parent.id,
    })
    const secret = createPassword(context)
    const effect = context.start({
      kind: 'fork-service',
      serviceId: service.id,
      parentId: parent.id,
      point,
      password: secret,
      reserved: service.address,
      sizes,
    })
    service.work = begin(context, 'fork-service', { kind: 'fork' }, [effect])
    writeLog(parent, context.now, `service ${service.id} is forked from this one (${point.strategy})`)
    return { ...renderService(context, service), initial_password: secret }
  },
} satisfies Partial<Handlers>
