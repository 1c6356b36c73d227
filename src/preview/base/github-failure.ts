import { ActionError, messageOf, renderAdvised } from '#base/errors'
import type { PullRequests } from './context.ts'
import type { GitHub } from './github.ts'

/**
 * What to expect of asking again: the failure passes by itself; it passes once the limit of requests is filled up
 * again; or it lasts until somebody changes something.
 */
export type Outlook = 'passes' | 'limit' | 'lasts'

/** GitHub did not do what it was asked to do, or it is unknown whether it did. */
export abstract class GitHubFailure extends ActionError {
  readonly outlook: Outlook

  constructor(message: string, next: string, { outlook, cause }: { outlook: Outlook; cause?: unknown }) {
    super(message, next, { cause })
    this.outlook = outlook
  }
}

export const outlookOf = (failure: unknown): Outlook =>
  failure instanceof GitHubFailure ? failure.outlook : 'passes'

/** What was said of each GitHub. Each step makes its own, so this tells the steps of one process apart. */
const told = new WeakMap<GitHub, Set<string>>()

/**
 * Says what follows from a failure of GitHub, each consequence once a step. The first one is a warning. Those after it
 * nearly always have the same cause, so they are mere lines of the log.
 *
 * @param consequence what is not done, or done all the same
 * @throws the reason of the signal, if the step is cancelled: then GitHub did not fail
 */
export function tellSilence(
  { github, log, signal }: PullRequests,
  consequence: string,
  failure: unknown,
): void {
  signal.throwIfAborted()
  const consequences = told.get(github) ?? new Set()
  if (consequences.has(consequence)) return
  told.set(github, consequences.add(consequence))
  if (consequences.size > 1) log.info(`${consequence}: ${messageOf(failure)}`)
  else log.warning(`${consequence}: ${renderAdvised(failure)}`, 'request to GitHub failed')
}
