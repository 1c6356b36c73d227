/** Failures of GitHub, and how a step reports their consequences. */
import { ActionError, renderAdvised } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { PullRequests } from './context.ts'
import type { GitHub } from './github.ts'

/** When a retry can succeed: soon, after the rate limit resets, or only after a person changes something. */
export type Outlook = 'passes' | 'limit' | 'lasts'

/** A request to GitHub failed, or its outcome is unknown. */
export abstract class GitHubFailure extends ActionError {
  readonly outlook: Outlook
  /** Of GitHub's answer; undefined if none came. */
  readonly status: number | undefined

  constructor(
    message: string,
    next: string,
    { outlook = 'passes', status, cause }: { outlook?: Outlook; status?: number; cause?: unknown } = {},
  ) {
    super(message, next, { cause })
    this.outlook = outlook
    this.status = status
  }
}

export const outlookOf = (failure: unknown): Outlook =>
  failure instanceof GitHubFailure ? failure.outlook : 'passes'

/** The consequences reported for each GitHub client: each step has its own. */
const reported = new WeakMap<GitHub, Set<string>>()

/**
 * Logs the consequence of a GitHub failure, once a step. Later ones nearly always have the same cause, so only the
 * first one is a warning.
 * @throws the reason of the signal, if the step is cancelled: GitHub did not fail then
 */
export function reportGitHubFailure(
  { github, log, signal }: PullRequests,
  consequence: string,
  failure: unknown,
): void {
  signal.throwIfAborted()
  const consequences = reported.get(github) ?? new Set()
  if (consequences.has(consequence)) return
  reported.set(github, consequences.add(consequence))
  if (consequences.size > 1) log.info(`${consequence}: ${messageOf(failure)}`)
  else log.warning(`${consequence}: ${renderAdvised(failure)}`, 'request to GitHub failed')
}
