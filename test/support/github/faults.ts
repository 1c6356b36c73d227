import { type Answer, refuse } from './answer.ts'

/** A failure of a request, before or after its processing. */
export type GitHubFault =
  /** Sends this answer and does not process the request. */
  | { kind: 'answer'; answer: Answer }
  /** Processes the request and sends this answer. */
  | { kind: 'answer-after'; answer: Answer }
  /** Processes the request, sends half of the answer and closes the connection. */
  | { kind: 'cut' }
  /** Processes the request, sends half of the answer and leaves the connection open. */
  | { kind: 'stall' }
  /** Processes the request and sends half of the body, with a Content-Length of that half. */
  | { kind: 'half' }
  /** Closes the connection before (`reset`) or after (`reset-after`) the request is processed. */
  | { kind: 'reset' }
  | { kind: 'reset-after' }
  /** Never answers. */
  | { kind: 'hang' }

/** An answer with status 200 and any body. */
export const okAnswer = (body: unknown): GitHubFault => ({ kind: 'answer', answer: { status: 200, body } })

/** An internal error of GitHub. */
export const serverError = (status = 502): GitHubFault => ({
  kind: 'answer',
  answer: refuse(status, 'Server Error'),
})

/** A page that is not GitHub's API: a proxy's, or that of GitHub's web site. */
export const page = (status: number): GitHubFault => ({
  kind: 'answer',
  answer: { status, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' },
})

/** The primary rate limit is used up until `reset`, milliseconds since 1970. */
export const primaryLimit = (reset: number): GitHubFault => ({
  kind: 'answer',
  answer: refuse(403, 'API rate limit exceeded for installation ID 1.', {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  }),
})

/** The secondary rate limit, as GitHub reports it: with 403 or 429, and with or without a time to wait. */
export const secondaryLimit = (status: 403 | 429, seconds?: number): GitHubFault => ({
  kind: 'answer',
  answer: refuse(status, 'You have exceeded a secondary rate limit. Please wait a few minutes.', {
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  }),
})

/** The repository was renamed or moved. */
export const moved = (location: string): GitHubFault => ({
  kind: 'answer',
  answer: {
    ...refuse(301, 'Moved Permanently', { location }),
    body: { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com' },
  },
})
