import { type Answer, refuse } from './answer.ts'

/** A failure of a request, before or after its processing. */
export type GitHubFault =
  /** This answer in place of the right one; nothing is done. */
  | { kind: 'answer'; answer: Answer }
  /** The request is processed; this answer comes back. */
  | { kind: 'answer-after'; answer: Answer }
  /** The right thing is done; half of the answer comes back. */
  | { kind: 'cut' }
  /** The same, but the connection stays open. */
  | { kind: 'stall' }
  /** The right thing is done; the body comes back whole by its length, but its second half is missing. */
  | { kind: 'half' }
  /** The connection breaks before, or after, the right thing is done. */
  | { kind: 'reset' }
  | { kind: 'reset-after' }
  /** Nothing ever comes back. */
  | { kind: 'hang' }

/** An answer that is right as far as its status goes. */
export const right = (body: unknown): GitHubFault => ({ kind: 'answer', answer: { status: 200, body } })

/** Some trouble of GitHub's own. */
export const trouble = (status = 502): GitHubFault => ({
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
