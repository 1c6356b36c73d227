/** Simulates GitHub's refusals and rate limit. */
import { latestRetry } from '#github/ask/call'
import { GitHubFailure, type Outlook } from '#preview/base/github-failure'
import type { Process } from './process.ts'
import type { World } from './world.ts'

/** A refusal by GitHub: for good, or until its rate limit resets. */
export class InjectedRefusal extends GitHubFailure {
  constructor(what: string, outlook: Outlook) {
    super(`refused by the simulator: ${what}`, 'nothing: it is a simulation', { outlook })
  }
}

export interface GitHubCaller {
  world: World
  process: Process
  deadline: number
  onLimit: (milliseconds: number) => void
}

/** Waits like the GitHub client under the rate limit, by the decision of production code. */
export async function waitForLimit(
  { world, process, deadline, onLimit }: GitHubCaller,
  what: string,
  isOptional: boolean,
): Promise<void> {
  const { limit } = world.gitHub
  const now = process.now()
  if (limit === undefined) return
  limit.after -= 1
  if (limit.after >= 0) return
  limit.until ??= now + limit.lasts
  const { until } = limit
  if (now >= until) return
  if (until > latestRetry(isOptional, now, deadline)) throw new InjectedRefusal(what, 'limit')
  process.record.hasWaitedForGitHub = true
  onLimit(until - now)
  await process.sleep(until - now, process.signal)
}
