/** The step of a reconciliation that checks whether the changed files of a pull request need a database. */
import type { PullRequests } from '../base/context.ts'
import { tellSilence } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { askGitHub } from '../on-github/ask-github.ts'
import { fits } from '../prepare/migrations.ts'
import type { Observed } from './next-step.ts'
import type { Run } from './run.ts'

/** Without an answer from GitHub, and for a merge queue entry, the database is created. */
async function readNeed(context: PullRequests, { pullRequest }: Preview): Promise<Observed['need']> {
  const { paths } = context.settings.preview
  if (paths === undefined || pullRequest === undefined) return 'given'
  try {
    const files = await askGitHub(context, github => github.readChangedFiles(pullRequest))
    if (files.some(fits(paths))) return 'given'
    return { reason: `pull request ${pullRequest} changes no file that matches paths (${paths.join(' ')})` }
  } catch (failure) {
    tellSilence(context, 'it is unknown which files changed, so paths does not apply', failure)
    return 'given'
  }
}

export async function checkChangedFiles({ context, observer, preview, desired }: Run): Promise<void> {
  observer.need = desired.replaces ? 'given' : await readNeed(context, preview)
}
