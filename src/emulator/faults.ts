import type { ServerResponse } from 'node:http'
import type { EndpointName } from '../api/endpoints.ts'

/** What a fault hook sees of a request. */
export interface FaultRequest {
  method: string
  /** After the base path. */
  path: string
  /** The row that the request is for; undefined for an unknown route. */
  operation: EndpointName | undefined
  /** The body as JSON; undefined without one, or where it is none. */
  body: unknown
}

/**
 * Something that goes wrong on the way. `before`: the request is not processed; `after`: it is, and the
 * caller does not get the answer. `truncate` processes it and sends half of the answer.
 */
export type Fault =
  | {
      kind: 'answer'
      when: 'before' | 'after'
      status: number
      /** Text is sent as it is, anything else as JSON. */
      body?: unknown
      contentType?: string
      headers?: Record<string, string>
    }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'hang'; when: 'before' | 'after' }
  | { kind: 'truncate' }

/** Decides on each request whether a fault befalls it. */
export type FaultHook = (request: FaultRequest) => Fault | undefined

/** Whether the request is to be processed before the fault strikes. */
export function isProcessed(fault: Fault | undefined): boolean {
  return fault === undefined || fault.kind === 'truncate' || fault.when === 'after'
}

/** An answer ready to be sent. */
export interface Payload {
  status: number
  headers: Record<string, string>
  body: string
}

/** An answer as the API sends it: JSON, or no body at all. */
export function jsonPayload(status: number, body: unknown): Payload {
  if (body === undefined) return { status, headers: {}, body: '' }
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

export function send(response: ServerResponse, { status, headers, body }: Payload): void {
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : lengthOf(body)) })
  response.end(body)
}

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })

/** Lets the fault strike; gives the status that the caller gets to see, if any. */
export function strike(
  response: ServerResponse,
  fault: Fault,
  intended: Payload | undefined,
): number | undefined {
  switch (fault.kind) {
    case 'answer':
      send(response, faultPayload(fault))
      return fault.status
    case 'reset':
      response.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      // Nothing is sent. The caller gives up, or the emulator stops and closes the connection.
      return undefined
    case 'truncate':
      return intended && truncate(response, intended)
  }
}

function faultPayload({ status, body, contentType, headers }: Extract<Fault, { kind: 'answer' }>): Payload {
  const payload =
    typeof body === 'string'
      ? { status, headers: { 'content-type': 'text/html' }, body }
      : jsonPayload(status, body)
  const type = contentType === undefined ? {} : { 'content-type': contentType }
  return { ...payload, headers: { ...payload.headers, ...type, ...headers } }
}

/** Announces the whole answer, sends half of it and closes the connection. */
function truncate(response: ServerResponse, { status, headers, body }: Payload): number {
  response.writeHead(status, { ...headers, ...lengthOf(`${body} `) })
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
  return status
}
