import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound, Refusal } from '../store/refusal.ts'
import { isAuthorized, type Keys, refuse } from './answer.ts'
import { type CallerNames, checkCaller } from './caller-guard.ts'
import { type FaultRules, FaultRulesError, parseFaultRules } from './fault-rules.ts'
import { jsonPayload, send } from './payload.ts'

/** What the emulator itself is told, beside the API that it imitates. */
export const controlPath = '/emulator/'

/** Bytes: far more than a list of faults needs. */
const bodyLimit = 256 * 1024

export interface ControlParts {
  keys: Keys
  callers: CallerNames
  rules: FaultRules
}

/** Whether a request is for the emulator itself. */
export function isControl(request: IncomingMessage): boolean {
  return request.url?.startsWith(controlPath) ?? false
}

/**
 * `GET`, `PUT` and `DELETE /emulator/faults`: the faults that strike from now on. For callers on this machine that have
 * the API key. Never rejects.
 */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
): Promise<void> {
  try {
    const body = await carryOut(request, parts)
    send(response, jsonPayload(body === undefined ? 204 : 200, body))
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(400, 'INVALID_REQUEST', describe(error))
    if (response.destroyed) return
    const { status, body } = refuse(refusal)
    send(response, jsonPayload(status, body))
  }
}

async function carryOut(request: IncomingMessage, { keys, callers, rules }: ControlParts): Promise<unknown> {
  checkCaller(request.headers, callers)
  if (!isLoopback(request.socket.remoteAddress)) {
    throw new Refusal(403, 'FORBIDDEN', 'the emulator is controlled from its own machine only')
  }
  if (!isAuthorized(request.headers.authorization, keys)) {
    throw new Refusal(401, 'UNAUTHORIZED', 'the API key is missing or wrong')
  }
  if (request.url !== `${controlPath}faults`) throw notFound(`${request.url}`)
  const text = await readText(request)
  switch (request.method) {
    case 'GET':
      return { faults: rules.all }
    case 'PUT':
      rules.replace(parseFaultRules(text))
      return { faults: rules.all }
    case 'DELETE':
      rules.replace([])
      return undefined
    default:
      throw new Refusal(405, 'METHOD_NOT_ALLOWED', `faults take GET, PUT, DELETE, not ${request.method}`)
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
  }
  if (size > bodyLimit) throw new Refusal(413, 'TOO_LARGE', 'the body is too large')
  return Buffer.concat(chunks).toString()
}

const isLoopback = (address: string | undefined) => /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(address ?? '')

function describe(error: unknown): string {
  return error instanceof FaultRulesError ? error.message : 'the request cannot be read'
}
