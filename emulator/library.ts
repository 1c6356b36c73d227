/** The public functions of the package. */
import './recent-node.ts'

import { checkOptions } from './check-options.ts'
import { connect as call } from './client/services.ts'
import type { ClustersRecord } from './clusters/record.ts'
import type { DataPlane } from './data-plane.ts'
import { databaseLimit } from './database-limit.ts'
import { readFaultRules } from './http/faults/fault-rules.ts'
import { type Emulator as Server, startEmulator as serve } from './http/server.ts'
import type { Emulator, EmulatorAccess, EmulatorOptions, Services } from './library-types.ts'
import { omitUndefined } from './omit-undefined.ts'
import { DataFolder } from './persistence/data-folder.ts'
import type { Effect } from './store/effect.ts'
import { defaultProject } from './store/store.ts'

export type {
  AnsweredRequest,
  DatabaseCopy,
  Emulator,
  EmulatorAccess,
  EmulatorOptions,
  FaultEntry,
  ForkOptions,
  ReadyService,
  ServiceOptions,
  Services,
} from './library-types.ts'

function toPublicEmulator(
  server: Server,
  dataFolder: DataFolder | undefined,
  dataPlane: DataPlane | undefined,
): Emulator {
  const { baseUrl, port, keys, store, requests } = server
  const stop = async () => {
    await server.stop()
    await dataFolder?.close()
  }
  const services = call({ baseUrl, keys })
  return {
    createService: options => services.createService(options),
    fork: (serviceId, options) => services.fork(serviceId, options),
    find: nameOrId => services.find(nameOrId),
    baseUrl,
    address: new URL(baseUrl).origin,
    port,
    keys,
    projectId: store.project.id,
    about: dataPlane?.about ?? [],
    certificateFile: dataPlane?.certificate.file,
    requests,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The API key, whose missing halves are those of the data folder. */
async function completeKeys({ publicKey, secretKey }: EmulatorOptions, dataFolder: DataFolder) {
  if (publicKey !== undefined && secretKey !== undefined) return {}
  const saved = await dataFolder.keys()
  return { publicKey: publicKey ?? saved.publicKey, secretKey: secretKey ?? saved.secretKey }
}

function idsToDelete(effect: Effect): string[] {
  if (effect.kind === 'delete-service') return [effect.serviceId]
  return effect.kind === 'delete-replica' ? [effect.replicaSetId] : []
}

function readKeptDatabases({ folder, savedState }: DataFolder) {
  return {
    folder,
    advice: 'choose another folder with --data',
    // The clusters wrote this description: an emulator of the same format can read it.
    record: savedState?.databases as ClustersRecord | undefined,
    idsToSkip: new Set(savedState?.effects.flatMap(idsToDelete)),
    promisedPorts: savedState?.effects.flatMap(effect =>
      'reserved' in effect && effect.reserved ? [effect.reserved.port] : [],
    ),
  }
}

async function openDatabases(options: EmulatorOptions, dataFolder: DataFolder | undefined) {
  // A third of the emulator's code, which an emulator without databases does not need.
  const { openClusters } = await import('./clusters/open-clusters.ts')
  const { host, ports, temp, snapshotAfter, snapshotEvery, postgres, standIns, extensions } = options
  return openClusters({
    ...omitUndefined({ host, ports, snapshotAfter, snapshotEvery, standIns, extensions }),
    ...(temp !== undefined && { root: temp, advice: 'choose another folder with --temp' }),
    ...(dataFolder && readKeptDatabases(dataFolder)),
    ...(postgres !== undefined && { programs: postgres }),
  })
}

/**
 * Creates services of an emulator that runs in another process of this machine, such as a test runner. `access` comes
 * from the result of `startEmulator` there.
 *
 *     await using database = await connect({ baseUrl, keys }).fork(parentId)
 */
export function connect(access: EmulatorAccess): Services {
  return call(access)
}

/**
 * Starts an emulator in this process; several can run beside each other. It serves the API at `baseUrl`, with a PostgreSQL
 * of its own behind each service. It stops with `stop()`, and at any end of this process.
 *
 *     await using emulator = await startEmulator({ readyAfter: 0 })
 *
 * Rejects with an `Error` that names the missing program of this machine, or the option that cannot be used.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkOptions(options)
  const { data, databases = true } = options
  const faultRules = readFaultRules(options.faults ?? [])
  const dataFolder = data === undefined ? undefined : await DataFolder.open(data, databases)
  try {
    const dataPlane = databases ? await openDatabases(options, dataFolder) : undefined
    try {
      const { faults: _, projectId, ...rest } = options
      const server = await serve({
        // A caller that sets the number of services knows the machine: the emulator's own limit does not apply.
        ...(databases && options.maxServices === undefined && { maxDatabases: databaseLimit() }),
        ...omitUndefined(rest),
        ...(dataFolder && (await completeKeys(options, dataFolder))),
        ...(projectId !== undefined && { project: { ...defaultProject, id: projectId } }),
        ...(dataPlane && { dataPlane }),
        ...(dataFolder && { dataFolder }),
        faultRules,
      })
      return toPublicEmulator(server, dataFolder, dataPlane)
    } catch (error) {
      await dataPlane?.close()
      throw error
    }
  } catch (error) {
    await dataFolder?.close()
    throw error
  }
}
