/** The failures of GitHub's API. */
import { AnswerTooLargeError } from '#base/errors'
import { GitHubFailure } from '#preview/base/github-failure'

/** There is no token, or no repository to read. No request was sent. */
export class GitHubUnavailableError extends GitHubFailure {
  constructor(message: string, next: string) {
    super(message, next, { outlook: 'lasts' })
  }
}

/** Advice on refusals with status 403 that do not depend on the permissions of the token, by GitHub's message. */
const refusals: [RegExp, string][] = [
  [/\barchived\b/i, 'unarchive the repository, or disable the workflow'],
  [/\bis locked\b/i, 'unlock the conversation of the pull request, or set `comment: false`'],
]

/** Names a permission as code. Names write access where a read failed: the comment, which comes next, needs it. */
function renderPermission(permission: string, key = ''): string {
  if (permission !== 'pull-requests: read') return `\`${key}${permission}\``
  return `\`${key}pull-requests: write\` (\`read\` is enough for prune-previews, and with \`comment: false\`)`
}

function adviseOnStatus(status: number, message: string, permission: string): string {
  const [, advice] = refusals.find(([text]) => status === 403 && text.test(message)) ?? []
  if (advice !== undefined) return advice
  if (status === 401) return 'check github_token: it is invalid or has expired'
  if (status === 403)
    return `set ${renderPermission(permission, 'permissions: ')} on the job, or set github_token to a token with it`
  if (status === 404)
    return `set github_token to a token that can read the repository, with ${renderPermission(permission)}`
  return "read GitHub's message"
}

export class GitHubRefusalError extends GitHubFailure {
  constructor(what: string, answer: { status: number; message: string; permission: string }) {
    super(
      `${what} failed: GitHub answers ${answer.status}: ${answer.message}`,
      adviseOnStatus(answer.status, answer.message, answer.permission),
      { status: answer.status, outlook: 'lasts' },
    )
  }
}

export const isNotFound = (failure: unknown) =>
  failure instanceof GitHubRefusalError && failure.status === 404

export interface RateLimit {
  status: number
  message: string
  /** Milliseconds until GitHub accepts requests again. */
  wait: number
}

/** GitHub's rate limit is reached. The request had no effect. */
export class GitHubRateLimitError extends GitHubFailure {
  readonly answer: RateLimit

  constructor(what: string, answer: RateLimit) {
    super(
      `${what} failed: GitHub's rate limit is reached (${answer.status}: ${answer.message})`,
      `run the step again in ${Math.ceil(answer.wait / 1000)} s or later`,
      { status: answer.status, outlook: 'limit' },
    )
    this.answer = answer
  }
}

/** Statuses of failures that last, whether they come from GitHub or from a proxy. */
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
  /** The answer exceeds the limit in bytes. A retry would fail in the same way. */
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
export function mayHaveTakenEffect(failure: unknown): boolean {
  return failure instanceof GitHubUnclearError || failure instanceof GitHubUnreachableError
}
