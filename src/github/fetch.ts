import type { HttpRequest, Seam } from '../client/seam.ts'

/** As large as a page of a hundred pull requests may be, and more. */
const maxBytes = 16 * 1024 * 1024

/** What Octokit hands to `fetch`. */
interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: string | undefined
}

/** When a request ends that takes too long or is called off. */
export type Limits = Pick<HttpRequest, 'timeout' | 'untilSent' | 'signal'>

/** As much of `fetch` as Octokit uses, so that the action's own transport keeps the limits in every phase of a request. */
export function createFetch(send: Seam['send'], limits: Limits) {
  return async (url: string, { method, headers: sent, body }: FetchOptions) => {
    const answer = await send({ method, url, headers: sent, body, maxBytes, ...limits })
    return {
      url,
      status: answer.status,
      headers: new Map(Object.entries(answer.headers)),
      text: async () => answer.body,
      arrayBuffer: async () => Uint8Array.from(Buffer.from(answer.body)).buffer,
    }
  }
}
