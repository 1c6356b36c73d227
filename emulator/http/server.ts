import { randomBytes } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type DataPlane, reachable } from '../data-plane.ts'
import type { DataFolder } from '../kept/data-folder.ts'
import type { Kept } from '../kept/kept.ts'
import { generatePublicKey, generateSecretKey, type Keys } from '../kept/keys.ts'
import { Saver } from '../kept/saver.ts'
import type { Project, TimeSeriesType } from '../store/handler.ts'
import { defaultTiming, type Timing } from '../store/progress/timing.ts'
import type { PeeringFate } from '../store/state.ts'
import { Store } from '../store/store.ts'
import { control, isControl } from './control/control.ts'
import { Overviews } from './control/overview.ts'
import { Passwords } from './control/passwords.ts'
import { Timeline } from './control/timeline.ts'
import { bringBack, carryOn } from './databases/bring-back.ts'
import { EffectQueue } from './databases/effect-queue.ts'
import { type Answered, Exchange, type RequestRecord } from './exchange.ts'
import { type FaultRule, FaultRules } from './faults/fault-rules.ts'
import type { FaultHook } from './faults/faults.ts'
import { basePath } from './router.ts'

/** A private key and its certificate, PEM. */
interface Certificate {
  key: string
  certificate: string
}

export interface EmulatorOptions extends Partial<Timing> {
  /** 0 (default): any free port. */
  port?: number
  /** The certificate to serve https with; without it, plain http. */
  https?: Certificate
  /** Generated if they are left out: `Emulator.keys` tells them. */
  publicKey?: string
  secretKey?: string
  /** Names that this machine goes by beside `127.0.0.1` and `localhost`, and that web pages may come from. */
  allowHosts?: readonly string[]
  project?: Project
  maxServices?: number
  maxDatabases?: number
  peerings?: PeeringFate
  timeSeriesType?: TimeSeriesType
  /** The databases behind the services; `stop` closes them. Without, services get addresses that nobody listens on. */
  dataPlane?: DataPlane
  faults?: FaultHook
  /** Where it listens, an address of this machine; 127.0.0.1 by default. */
  host?: string
  /** Applied to requests that `faults` leaves alone; can be replaced at /emulator/faults. */
  faultRules?: readonly FaultRule[]
  /** Keeps the emulator's state, so that another one can continue from it. Without it, the state is lost. */
  memory?: DataFolder
  /** Milliseconds since 1970; the real time by default. */
  now?: () => number
  /** As Math.random; unpredictable by default. */
  random?: () => number
  /** Called with each request once it is answered. */
  onRequest?: (request: RequestRecord) => void
  /** Called with the body of each request, and of each answer before a fault may change it. */
  onBody?: (body: string) => void
  /** Called with each answer to a request that was processed, before a fault may change it. */
  onAnswer?: (answered: Answered) => void
  /** Called with what went wrong behind the API. */
  onProblem?: (line: string) => void
}

export interface Emulator {
  /** What goes into the action's `base_url`. */
  baseUrl: string
  port: number
  /** The keys that the emulator accepts now. */
  keys: Readonly<Keys>
  store: Store
  /** The requests since the start, oldest first; the last 10 000 of them. */
  requests: readonly RequestRecord[]
  /** From now on only this secret key is accepted. */
  rotateKey(secretKey: string): void
  /** Closes every connection, ends the work in the background, closes the data plane. Safe to call twice. */
  stop(): Promise<void>
}

let lastDate = { second: Number.NaN, text: '' }

/** A time as headers have it, in whole seconds. */
function dateText(time: number): string {
  const second = Math.floor(time / 1000)
  if (lastDate.second !== second) lastDate = { second, text: new Date(time).toUTCString() }
  return lastDate.text
}

function createServer(https: Certificate | undefined, listener: RequestListener): Server {
  // By `import`, node:http brings HTTP/2 and fetch along, which take as long to load as a quarter of the emulator.
  const require = createRequire(import.meta.url)
  if (https === undefined) return (require('node:http') as typeof import('node:http')).createServer(listener)
  const { createServer } = require('node:https') as typeof import('node:https')
  return createServer({ key: https.key, cert: https.certificate }, listener)
}

function chosenTiming(options: EmulatorOptions): Partial<Timing> {
  const names = Object.keys(defaultTiming) as (keyof Timing)[]
  const chosen = names.filter(name => options[name] !== undefined).map(name => [name, options[name]])
  return { ...Object.fromEntries(chosen), ...(options.like && { like: options.like }) }
}

/** In place of Math.random, whose numbers could be predicted: passwords are made from these. */
function unpredictable(): number {
  return randomBytes(6).readUIntBE(0, 6) / 2 ** 48
}

function openStore(options: EmulatorOptions, publicKey: string): Store {
  const {
    now = Date.now,
    random = unpredictable,
    project,
    maxServices,
    maxDatabases,
    peerings,
    timeSeriesType,
    dataPlane,
    memory,
  } = options
  return new Store({
    now,
    random,
    databases: dataPlane ? 'real' : 'invented',
    publicKey,
    timing: chosenTiming(options),
    ...(project && { project }),
    ...(maxServices !== undefined && { maxServices }),
    ...(maxDatabases !== undefined && { maxDatabases }),
    ...(peerings && { peerings }),
    ...(timeSeriesType && { timeSeriesType }),
    ...(memory?.kept && { state: memory.kept.state }),
  })
}

/** An address to connect to, as URLs have it. */
function inUrl(host: string): string {
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

/** The store, the databases that do what it says, and where both are kept. */
function openState(options: EmulatorOptions, publicKey: string) {
  const { dataPlane, memory, onProblem = () => {} } = options
  const store = openStore(options, publicKey)
  const saver = new Saver(async () => memory?.keep(whatToKeep()))
  const save = memory ? () => saver.save() : async () => {}
  const effects = dataPlane && new EffectQueue(dataPlane, store, onProblem, save)
  const whatToKeep = (): Kept => ({
    state: store.state,
    effects: effects?.pending ?? [],
    databases: dataPlane?.describe?.(),
  })
  const left = memory?.kept?.effects ?? []
  if (dataPlane) bringBack(store, dataPlane, left, onProblem)
  /** Goes on with what the emulator before this one had not finished. */
  const goOn = () => {
    if (dataPlane && effects) carryOn(store, dataPlane, effects, left, onProblem, save)
  }
  return { store, effects, save, goOn }
}

/** Answers requests to the API and to the emulator itself, and notes the former. */
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
  const callers = { own: inUrl(host), allowed: options.allowHosts ?? [] }
  const exchange = new Exchange({
    ...{ store, keys, callers, dataPlane, effects, requests, save, onProblem },
    faults: request => options.faults?.(request) ?? rules.hook(request),
    onRequest: request => {
      timeline.note(request, now())
      // Noted before a deleted service is forgotten together with its log.
      if (request.method !== 'GET') timeline.look(store.state)
      options.onRequest?.(request)
    },
    onBody: options.onBody ?? (() => {}),
    onAnswer: answered => {
      passwords.look(answered)
      options.onAnswer?.(answered)
    },
  })
  return (request, response) => {
    // Answered as GET, without the body: Node leaves it out by itself (RFC 9110, section 9.3.2).
    if (request.method === 'HEAD') request.method = 'GET'
    // Records and headers must agree on the time, as the service's do.
    response.setHeader('date', dateText(now()))
    if (isControl(request))
      void control(request, response, { keys, rules, callers, overviews, passwords, dataPlane })
    else void exchange.serve(request, response)
  }
}

/** Serves the API. Rejects when the port is taken. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { publicKey = generatePublicKey(), secretKey = generateSecretKey(), host = '127.0.0.1' } = options
  const keys = { publicKey, secretKey }
  const state = openState(options, publicKey)
  const requests: RequestRecord[] = []
  const server = createServer(options.https, createListener(options, state, { keys, host, requests }))
  await listen(server, options.port ?? 0, host)
  const { port } = server.address() as AddressInfo
  state.goOn()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= close(server, state.effects, options.dataPlane, state.save)
    return stopped
  }
  const rotateKey = (secretKey: string) => {
    keys.secretKey = secretKey
  }
  const scheme = options.https ? 'https' : 'http'
  const baseUrl = `${scheme}://${inUrl(host)}:${port}${basePath}`
  return { baseUrl, port, keys, store: state.store, requests, rotateKey, stop }
}
