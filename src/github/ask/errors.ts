/** The failures of GitHub's API. */
import { AnswerTooLargeError } from '#base/errors'
import { GitHubFailure } from '#preview/base/github-failure'

/** There is no token, or no repository to read. No request was sent. */
export class GitHubUnavailableError extends GitHubFailure {
  constructor(message: string, next: string) {
    super(message, next, { outlook: 'lasts' })
  }
}

/** Refusals with status 403 that do not depend on the token's permissions, by GitHub's message. */
const refusals: [RegExp, string][] = [
  [/\barchived\b/i, 'unarchive the repository, or disable the workflow'],
  [/\bis locked\b/i, 'unlock the conversation of the pull request, or set `comment: false`'],
]

/**
 * The permission to name, with the rest of its code span. The comment needs write access even if the reads
 * before it do not.
 */
const neededFor = (permission: string) =>
  permission === 'pull-requests: read'
    ? 'pull-requests: write` (`read` is enough for prune-previews, and with `comment: false`)'
    : `${permission}\``

function adviceFor(status: number, message: string, permission: string): string {
  const [, advice] = refusals.find(([text]) => status === 403 && text.test(message)) ?? []
  if (advice !== undefined) return advice
  if (status === 401) return 'check github_token: it is invalid or has expired'
  const needed = neededFor(permission)
  if (status === 403) return `set \`permissions: ${needed} on the job, or set github_token to a token with it`
  if (status === 404) return `set github_token to a token that can read the repository, with \`${needed}`
  return "read GitHub's message"
}

export class GitHubRefusalError extends GitHubFailure {
  constructor(what: string, answer: { status: number; message: string; permission: string }) {
    super(
      `${what} failed: GitHub answers ${answer.status}: ${answer.message}`,
      adviceFor(answer.status, answer.message, answer.permission),
      { status: answer.status, outlook: 'lasts' },
    )
  }
}

export interface RateLimit {
  status: number
  message: string
  /** Milliseconds until GitHub accepts requests again. */
  wait: number
  /** Whether it applies to both REST and GraphQL. */
  isShared: boolean
}

/** GitHub's rate limit is reached. The request had no effect. */
export class GitHubRateLimitError extends GitHubFailure {
  readonly wait: number
  readonly answer: RateLimit

  constructor(what: string, answer: RateLimit) {
    super(
      `${what} failed: GitHub's rate limit is reached (${answer.status}: ${answer.message})`,
      `run the step again in ${Math.ceil(answer.wait / 1000)} s or later`,
      { status: answer.status, outlook: 'limit' },
    )
    this.wait = answer.wait
    this.answer = answer
  }
}

/** Permanent failures, from GitHub or a proxy: a proxy that refuses a request will refuse it tomorrow too. */
const lasting = [401, 403, 404]

/** The answer is unclear: GitHub has a problem, or another server answered. */
export class GitHubUnclearError extends GitHubFailure {
  constructor(what: string, problem: string, status = 200) {
    super(
      `${what} failed: GitHub's answer (${status}) is ${problem}`,
      'run the step again later; if it fails again, check GITHUB_API_URL and proxies',
      { status, outlook: lasting.includes(status) ? 'lasts' : 'passes' },
    )
  }
}

export class GitHubUnreachableError extends GitHubFailure {
  readonly problem: string
  /** The answer exceeds the limit. A repetition would fail in the same way. */
  readonly isTooLarge: boolean

  constructor(what: string, problem: string, cause: unknown) {
    super(
      `${what} failed: ${problem}`,
      'check that the runner can reach GITHUB_API_URL (proxy, firewall, DNS), then run the step again',
      { cause },
    )
    this.problem = problem
    this.isTooLarge = cause instanceof AnswerTooLargeError
  }
}

/** Whether the request may have had an effect nevertheless. */
export function isDoubt(failure: unknown): boolean {
  return failure instanceof GitHubUnclearError || failure instanceof GitHubUnreachableError
}
