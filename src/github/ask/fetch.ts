import type { HttpRequest, Seam } from '../../base/seam.ts'

/** Bytes of an answer, at most: pages.ts asks for pages that stay below it, whatever people write. */
export const maxBytes = 16 * 1024 * 1024

/** What Octokit hands to `fetch`. */
interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: string | undefined
}

/** What ends a request: its time limit, and the cancellation of the step. */
export type Limits = Pick<HttpRequest, 'timeout' | 'untilSent' | 'signal'>

/** What Octokit uses of `fetch`, on the action's own transport: it keeps the limits in every phase of a request. */
export function createFetch(send: Seam['send'], limits: Limits) {
  return async (url: string, { method, headers: sent, body }: FetchOptions) => {
    const answer = await send({ method, url, headers: sent, body, maxBytes, ...limits })
    return {
      url,
      status: answer.status,
      headers: new Map(Object.entries(answer.headers)),
      body: answer.body,
      text: async () => answer.body,
      arrayBuffer: async () => Uint8Array.from(Buffer.from(answer.body)).buffer,
    }
  }
}
