/** Answers requests for the emulator itself. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '#base/unknown-values'
import { dashboardPage } from '../../dashboard/dashboard-page.ts'
import type { DataPlane } from '../../data-plane.ts'
import type { Keys } from '../../persistence/keys.ts'
import { conflict, notFound, Refusal } from '../../store/refusal.ts'
import { refuse } from '../../store/store.ts'
import { callerOf } from '../answer.ts'
import { type CallerNames, checkCaller } from '../caller-guard.ts'
import { type FaultRules, FaultRulesError, parseFaultRules } from '../faults/fault-rules.ts'
import { jsonPayload, type Payload, send } from '../payload.ts'
import { readBody } from '../read-request.ts'
import type { Overviews } from './overview.ts'
import type { Passwords } from './passwords.ts'

/** The path of the emulator's own endpoints, outside of the API. */
const controlPath = '/emulator/'

/**
 * A client that accepts HTML gets the dashboard. Clients that accept anything, such as load balancers,
 * request `/` and expect a 200.
 */
const wantsDashboard = ({ method, url, headers }: IncomingMessage) =>
  method === 'GET' && url === '/' && /\btext\/html\b|\*\/\*/.test(headers.accept ?? '*/*')

/** Whether a request is for the emulator itself, or from a browser for the dashboard. */
export function isControl(request: IncomingMessage): boolean {
  return request.url?.startsWith(controlPath) || wantsDashboard(request)
}

interface ControlParts {
  keys: Keys
  callers: CallerNames
  rules: FaultRules
  overviews: Overviews
  passwords: Passwords
  dataPlane: DataPlane | undefined
}

const unauthorized = () => new Refusal(401, 'UNAUTHORIZED', 'the API key is missing or wrong')

function checkMethod({ method, url }: IncomingMessage, methods: string[]): void {
  if (methods.includes(method ?? '')) return
  const allowed = methods.join(', ')
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', `${url} takes ${allowed}, not ${method}`, {
    allow: allowed,
  })
}

function findPassword(serviceId: string, { passwords }: ControlParts): string {
  const password = passwords.find(serviceId)
  if (password !== undefined) return password
  throw new Refusal(
    404,
    'NOT_FOUND',
    `the password of ${serviceId} was not set over the API since the emulator was started: set another one`,
  )
}

async function takeSnapshot(serviceId: string, { dataPlane }: ControlParts): Promise<void> {
  if (dataPlane === undefined) throw conflict('there are no databases: leave out --no-databases')
  try {
    await dataPlane.takeSnapshot(serviceId)
  } catch (error) {
    throw conflict(`no snapshot of ${serviceId} could be taken: ${messageOf(error)}`)
  }
}

/** Below the control path; also for other machines, since it contains no secret. */
const certificateName = 'ca.pem'

function certificateOf({ dataPlane }: ControlParts): Payload {
  if (dataPlane === undefined) throw notFound('a certificate of databases')
  return {
    status: 200,
    headers: { 'content-type': 'application/x-pem-file' },
    body: dataPlane.certificate.pem,
  }
}

/** Bytes: far more than a list of faults needs. */
const bodyLimit = 256 * 1024

async function changeFaults(request: IncomingMessage, rules: FaultRules): Promise<Payload> {
  const text = await readBody(request, bodyLimit)
  if (text === undefined) throw new Refusal(413, 'TOO_LARGE', 'the body is too large')
  checkMethod(request, ['GET', 'PUT', 'DELETE'])
  if (request.method === 'DELETE') {
    rules.replace([])
    return jsonPayload(204, undefined)
  }
  if (request.method === 'PUT') rules.replace(parseFaultRules(text))
  return jsonPayload(200, { faults: rules.all })
}

const isLoopback = (address: string | undefined) => /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(address ?? '')

async function answerControl(request: IncomingMessage, parts: ControlParts): Promise<Payload> {
  if (wantsDashboard(request)) {
    const { html, headers } = dashboardPage()
    return { status: 200, headers, body: html }
  }
  const [path = '', query] = (request.url ?? '').slice(controlPath.length).split('?')
  const hasKey = callerOf(request.headers.authorization, parts.keys) !== undefined
  const isLocalCaller = isLoopback(request.socket.remoteAddress)
  if (path === 'overview') {
    if (!hasKey && !isLocalCaller) throw unauthorized()
    checkMethod(request, ['GET'])
    const after = Number(new URLSearchParams(query).get('after') ?? 0)
    return jsonPayload(200, await parts.overviews.read(after), { 'cache-control': 'no-store' })
  }
  if (path === certificateName) {
    checkMethod(request, ['GET'])
    return certificateOf(parts)
  }
  if (!isLocalCaller)
    throw new Refusal(
      403,
      'FORBIDDEN',
      'the emulator can be controlled only from the machine that it runs on',
    )
  if (!hasKey) throw unauthorized()
  if (path === 'faults') return changeFaults(request, parts.rules)
  const [, serviceId = '', resource] = /^services\/([^/]+)\/(password|snapshot)$/.exec(path) ?? []
  if (resource === 'password') {
    checkMethod(request, ['GET'])
    return jsonPayload(200, { password: findPassword(serviceId, parts) }, { 'cache-control': 'no-store' })
  }
  if (resource === 'snapshot') {
    checkMethod(request, ['POST'])
    await takeSnapshot(serviceId, parts)
    return jsonPayload(204, undefined)
  }
  throw notFound(`${request.url}`)
}

function describe(error: unknown): string {
  return error instanceof FaultRulesError ? error.message : 'the request cannot be read'
}

/**
 * Answers requests for the emulator itself: the dashboard at `/`, and below `/emulator/` `overview` and
 * `ca.pem` (`GET`), `faults` (`GET`, `PUT`, `DELETE`), `services/ID/password` (`GET`) and
 * `services/ID/snapshot` (`POST`). Never rejects.
 */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
): Promise<void> {
  try {
    checkCaller(request.headers, parts.callers)
    send(response, await answerControl(request, parts))
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(400, 'INVALID_REQUEST', describe(error))
    if (response.destroyed) return
    const { status, body, headers } = refuse(refusal)
    send(response, jsonPayload(status, body, headers))
  }
}
