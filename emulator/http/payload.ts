/** Renders and sends answers. */
import type { ServerResponse } from 'node:http'

/** A complete answer. */
export interface Payload {
  status: number
  headers: Record<string, string>
  body: string
}

/** The texts of bodies that may be sent again while nothing changes. */
const texts = new WeakMap<object, string>()

function textOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body)
  const text = texts.get(body) ?? JSON.stringify(body)
  texts.set(body, text)
  return text
}

/** An answer as the API sends it: JSON, or no body at all. */
export function jsonPayload(status: number, body: unknown, headers: Record<string, string> = {}): Payload {
  if (body === undefined) return { status, headers, body: '' }
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: textOf(body) }
}

/** The header that announces a body of this length. */
export const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })

/** Sends an answer; returns its status. */
export function send(response: ServerResponse, { status, headers, body }: Payload): number {
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : lengthOf(body)) })
  response.end(body)
  return status
}
