/** Starts and stops the emulator's HTTP server. */
import { randomBytes } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type DataPlane, reachable } from '../data-plane.ts'
import type { EmulatorOptions as LibraryOptions } from '../library-types.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { DataFolder } from '../persistence/data-folder.ts'
import { generatePublicKey, generateSecretKey, type Keys } from '../persistence/keys.ts'
import type { SavedState } from '../persistence/saved-state.ts'
import { Saver } from '../persistence/saver.ts'
import type { Project } from '../store/handler.ts'
import { defaultTiming, type Timing } from '../store/progress/timing.ts'
import { Store } from '../store/store.ts'
import { control, isControl } from './control/control.ts'
import { Overviews } from './control/overview.ts'
import { Passwords } from './control/passwords.ts'
import { Timeline } from './control/timeline.ts'
import { EffectQueue } from './databases/effect-queue.ts'
import { reportRestored, resumeEffects } from './databases/restored-databases.ts'
import { type Answered, Exchange, type RequestRecord } from './exchange.ts'
import { type FaultRule, FaultRules } from './faults/fault-rules.ts'
import type { FaultHook } from './faults/faults.ts'
import { basePath } from './router.ts'

/** A private key and its certificate, PEM. */
interface Certificate {
  key: string
  certificate: string
}

/** Options of the library that apply here unchanged. */
type Shared = Pick<
  LibraryOptions,
  | ('port' | 'host' | 'publicKey' | 'secretKey' | 'allowHosts')
  | ('maxServices' | 'peerings' | 'timeSeriesType' | 'onProblem')
>

export interface EmulatorOptions extends Shared, Partial<Timing> {
  /** The certificate for https; without it, plain http. */
  https?: Certificate
  project?: Project
  maxDatabases?: number
  /** The databases behind the services; `stop` closes them. Without them, services get addresses without a listener. */
  dataPlane?: DataPlane
  faults?: FaultHook
  /** Apply to requests without a fault from `faults`; replaceable at /emulator/faults. */
  faultRules?: readonly FaultRule[]
  /** Keeps the emulator's state, so that another one can continue from it. Without it, the state is lost. */
  dataFolder?: DataFolder
  /** Milliseconds since 1970. Default: the real time. */
  now?: () => number
  /** Like Math.random. Default: unpredictable. */
  random?: () => number
  /** Called with each answered request. */
  onRequest?: (request: RequestRecord) => void
  /** Called with the body of each request, and of each answer before a fault may change it. */
  onBody?: (body: string) => void
  /** Called with each answer to a processed request, before a fault may change it. */
  onAnswer?: (answered: Answered) => void
}

export interface Emulator {
  /** The value for the action's `base_url`. */
  baseUrl: string
  port: number
  /** The currently accepted keys. */
  keys: Readonly<Keys>
  store: Store
  /** The requests since the start, oldest first; the last 10 000 of them. */
  requests: readonly RequestRecord[]
  /** From now on only this secret key is accepted. */
  rotateKey(secretKey: string): void
  /** Closes every connection, ends the background work, closes the data plane. Safe to call twice. */
  stop(): Promise<void>
}

function createServer(https: Certificate | undefined, listener: RequestListener): Server {
  // An `import` of node:http also loads HTTP/2 and fetch, which takes as long as a quarter of the emulator.
  const require = createRequire(import.meta.url)
  if (https === undefined) return (require('node:http') as typeof import('node:http')).createServer(listener)
  const { createServer } = require('node:https') as typeof import('node:https')
  return createServer({ key: https.key, cert: https.certificate }, listener)
}

function chosenTiming(options: EmulatorOptions): Partial<Timing> {
  const names = [...Object.keys(defaultTiming), 'like'] as (keyof Timing)[]
  return omitUndefined(Object.fromEntries(names.map(name => [name, options[name]])))
}

/** Replaces Math.random, whose numbers are predictable: passwords are derived from these. */
function unpredictable(): number {
  return randomBytes(6).readUIntBE(0, 6) / 2 ** 48
}

function openStore(options: EmulatorOptions, publicKey: string): Store {
  const { now = Date.now, random = unpredictable, dataPlane, dataFolder } = options
  const { project, maxServices, maxDatabases, peerings, timeSeriesType } = options
  return new Store({
    ...{ now, random, publicKey, timing: chosenTiming(options) },
    databases: dataPlane ? 'real' : 'invented',
    ...omitUndefined({
      project,
      maxServices,
      maxDatabases,
      peerings,
      timeSeriesType,
      state: dataFolder?.savedState?.state,
    }),
  })
}

/** An address in the form of URLs. */
function hostInUrl(host: string): string {
  const address = reachable(host)
  return address.includes(':') ? `[${address}]` : address
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(
  server: Server,
  effects: EffectQueue | undefined,
  dataPlane: DataPlane | undefined,
  save: () => Promise<void>,
): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  server.closeAllConnections()
  // Closing the data plane also ends the effects that have started.
  await Promise.all([closed, effects?.close(), dataPlane?.close()])
  await save()
}

/** Opens the store with the saved state, the queue of effects, and the function that saves both. */
function openState(options: EmulatorOptions, publicKey: string) {
  const { dataPlane, dataFolder, onProblem = () => {} } = options
  const store = openStore(options, publicKey)
  const saver = new Saver(async () => dataFolder?.save(describeState()))
  const save = dataFolder ? () => saver.save() : async () => {}
  const effects = dataPlane && new EffectQueue(dataPlane, store, onProblem, save)
  const describeState = (): SavedState => ({
    state: store.state,
    effects: effects?.pending ?? [],
    databases: dataPlane?.describe(),
  })
  const pendingEffects = dataFolder?.savedState?.effects ?? []
  if (dataPlane) reportRestored(store, dataPlane, pendingEffects, onProblem)
  /** Continues with the unfinished work of the previous emulator. */
  const resume = () => {
    if (dataPlane && effects) resumeEffects(store, dataPlane, effects, pendingEffects, onProblem, save)
  }
  return { store, effects, save, resume }
}

/** Answers requests to the API and to the emulator itself, and records the former. */
function createListener(
  options: EmulatorOptions,
  { store, effects, save }: ReturnType<typeof openState>,
  { keys, host, requests }: { keys: Keys; host: string; requests: RequestRecord[] },
): RequestListener {
  const { dataPlane, now = Date.now, onProblem = () => {} } = options
  const rules = new FaultRules()
  rules.replace(options.faultRules ?? [])
  const timeline = new Timeline()
  const passwords = new Passwords()
  const overviews = new Overviews(store, dataPlane, timeline, now)
  const callers = { own: hostInUrl(host), allowed: options.allowHosts ?? [] }
  const exchange = new Exchange({
    ...{ store, keys, callers, dataPlane, effects, requests, save, onProblem },
    faults: request => options.faults?.(request) ?? rules.hook(request),
    onRequest: request => {
      timeline.addRequest(request, now())
      // Recorded before a deleted service disappears together with its log.
      if (request.method !== 'GET') timeline.collectLogs(store.state)
      options.onRequest?.(request)
    },
    onBody: options.onBody ?? (() => {}),
    onAnswer: answered => {
      passwords.record(answered)
      options.onAnswer?.(answered)
    },
  })
  return (request, response) => {
    // Answered like GET, without the body: Node omits it by itself (RFC 9110, section 9.3.2).
    if (request.method === 'HEAD') request.method = 'GET'
    // Records and headers must agree on the time, like the service's do.
    response.setHeader('date', new Date(now()).toUTCString())
    if (isControl(request))
      void control(request, response, { keys, rules, callers, overviews, passwords, dataPlane })
    else void exchange.serve(request, response)
  }
}

/** Serves the API. Rejects if the port is taken. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { publicKey = generatePublicKey(), secretKey = generateSecretKey(), host = '127.0.0.1' } = options
  const keys = { publicKey, secretKey }
  const state = openState(options, publicKey)
  const requests: RequestRecord[] = []
  const server = createServer(options.https, createListener(options, state, { keys, host, requests }))
  await listen(server, options.port ?? 0, host)
  const { port } = server.address() as AddressInfo
  state.resume()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= close(server, state.effects, options.dataPlane, state.save)
    return stopped
  }
  const rotateKey = (secretKey: string) => {
    keys.secretKey = secretKey
  }
  const scheme = options.https ? 'https' : 'http'
  const baseUrl = `${scheme}://${hostInUrl(host)}:${port}${basePath}`
  return { baseUrl, port, keys, store: state.store, requests, rotateKey, stop }
}
