/** Renders and sends answers. */
import type { ServerResponse } from 'node:http'

/** A complete answer. */
export interface Payload {
  status: number
  headers: Record<string, string>
  body: string
}

/** An answer as the API sends it: JSON, or no body at all. */
export function jsonPayload(status: number, body: unknown, headers: Record<string, string> = {}): Payload {
  if (body === undefined) return { status, headers, body: '' }
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** The header that announces a body of this length. */
export const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })

/** Sends an answer; returns its status. */
export function send(response: ServerResponse, { status, headers, body }: Payload): number {
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : lengthOf(body)) })
  response.end(body)
  return status
}
