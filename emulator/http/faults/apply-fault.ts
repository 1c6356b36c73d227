/** Applies a fault to an answer. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { jsonPayload, lengthOf, type Payload, send } from '../payload.ts'
import type { Fault } from './faults.ts'

function sendWhole(response: ServerResponse, payload: Payload): number {
  send(response, payload)
  return payload.status
}

function faultPayload({ status, body, contentType, headers }: Extract<Fault, { kind: 'answer' }>): Payload {
  const payload =
    typeof body === 'string'
      ? { status, headers: { 'content-type': 'text/html' }, body }
      : jsonPayload(status, body)
  const type = contentType === undefined ? {} : { 'content-type': contentType }
  return { ...payload, headers: { ...payload.headers, ...type, ...headers } }
}

/** Milliseconds between the bytes of a slow answer. */
const dripEvery = 20

function drip(response: ServerResponse, { status }: Payload): number {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.flushHeaders()
  const timer = setInterval(() => response.write(' '), dripEvery)
  response.once('close', () => clearInterval(timer))
  return status
}

/** A body far beyond any cap of a careful client, in blanks that JSON allows before a value. */
const hugeBody = { chunk: Buffer.alloc(64 * 1024, ' '), chunks: 1024 }

function* blanksBefore(body: string): Generator<Buffer | string> {
  for (let chunk = 0; chunk < hugeBody.chunks; chunk++) yield hugeBody.chunk
  if (body !== '') yield body
}

/** Streams it, no faster than the caller reads. */
function sendHuge(response: ServerResponse, { status, body }: Payload): number {
  response.writeHead(status, { 'content-type': 'application/json' })
  // A careful caller closes the connection before the end; that is not an error of the emulator.
  pipeline(Readable.from(blanksBefore(body)), response).catch(() => {})
  return status
}

/** Announces the whole answer, sends half of it and closes the connection. */
function truncate(response: ServerResponse, { status, headers, body }: Payload): number {
  response.writeHead(status, { ...headers, ...lengthOf(`${body} `) })
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
  return status
}

function sendLate(response: ServerResponse, payload: Payload, milliseconds: number): number {
  const timer = setTimeout(() => send(response, payload), milliseconds)
  response.once('close', () => clearTimeout(timer))
  return payload.status
}

/**
 * Applies the fault, and returns the status that the caller gets, if any. `intended` is the right answer, if
 * the request was processed.
 */
export function applyFault(
  response: ServerResponse,
  fault: Fault,
  intended: Payload | undefined,
): number | undefined {
  const answer = intended ?? jsonPayload(200, undefined)
  switch (fault.kind) {
    case 'answer':
      return sendWhole(response, faultPayload(fault))
    case 'reset':
      response.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      // The caller gives up, or the emulator stops and closes the connection.
      return undefined
    case 'drip':
      return drip(response, answer)
    case 'huge':
      return sendHuge(response, answer)
    case 'truncate':
      return truncate(response, answer)
    case 'change':
      return sendWhole(response, fault.change(answer))
    case 'late':
      return sendLate(response, answer, fault.milliseconds)
  }
}
