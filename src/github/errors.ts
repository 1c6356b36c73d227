import { ActionError } from '../client/errors.ts'

/** GitHub did not do what it was asked to do, or it is unknown whether it did. */
export abstract class GitHubError extends ActionError {
  /** The status of GitHub's answer; undefined if none came. */
  readonly status: number | undefined

  constructor(message: string, next: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, next, { cause: options.cause })
    this.status = options.status
  }
}

/** There is no token, or no repository to ask about. Nothing was sent. */
export class GitHubUnavailableError extends GitHubError {}

/** GitHub says no, in its own JSON. */
export class GitHubRefusalError extends GitHubError {
  constructor(what: string, answer: { status: number; message: string; permission: string }) {
    super(
      `${what} failed: GitHub answers ${answer.status}: ${answer.message}`,
      adviceFor(answer.status, answer.permission),
      answer,
    )
  }
}

function adviceFor(status: number, permission: string): string {
  if (status === 401) return 'check github_token: it is wrong, or has expired'
  if (status === 403)
    return `give the job \`permissions: ${permission}\`, and github_token a token that has it`
  if (status === 404) return `check github_token: it must see the repository, with \`${permission}\``
  return "look at GitHub's message"
}

/** A rate limit, and the time to wait is longer than a step should sit idle. */
export class GitHubRateLimitError extends GitHubError {
  /** Milliseconds until GitHub takes requests again. */
  readonly wait: number

  constructor(what: string, answer: { status: number; message: string; wait: number }) {
    super(
      `${what} failed: GitHub's rate limit is reached (${answer.status}: ${answer.message})`,
      `run the step again in ${Math.ceil(answer.wait / 1000)} s or later`,
      answer,
    )
    this.wait = answer.wait
  }
}

/** The answer is unclear: GitHub has trouble, or something else answered instead. */
export class GitHubUnclearError extends GitHubError {
  constructor(what: string, answer: { status: number; problem: string }) {
    super(
      `${what} failed: GitHub's answer (${answer.status}) is ${answer.problem}`,
      'run the step again later; check GITHUB_API_URL and proxies if it stays so',
      answer,
    )
  }
}

/** No answer came, or not all of it. */
export class GitHubUnreachableError extends GitHubError {
  readonly problem: string

  constructor(what: string, problem: string, cause: unknown) {
    super(
      `${what} failed: ${problem}`,
      'run the step again; check that the runner reaches GITHUB_API_URL (proxy, firewall, DNS)',
      { cause },
    )
    this.problem = problem
  }
}

/** Whether the request may have been carried out all the same. */
export function isDoubt(failure: unknown): boolean {
  return failure instanceof GitHubUnclearError || failure instanceof GitHubUnreachableError
}
