/** Finds migrations of a pull request that its base branch has overtaken: most tools skip them, or refuse to run. */
import type { PullRequests } from '../base/context.ts'
import { tellSilence } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { askGitHub } from '../on-github/ask-github.ts'
import { findOvertaken } from './history.ts'
import { fits } from './migrations.ts'

/** The files of `reset_on` that the pull request adds, and those that only its base branch has. */
async function readNew(context: PullRequests, pullRequest: number, isMigration: (path: string) => boolean) {
  const ask = { head: pullRequest, base: { baseOf: pullRequest } }
  const head = await askGitHub(context, github => github.readFiles(ask.head))
  const base = await askGitHub(context, github => github.readFiles(ask.base))
  const added = [...head.keys()].filter(path => isMigration(path) && !base.has(path))
  const missing = [...base.keys()].filter(path => isMigration(path) && !head.has(path))
  if (added.length === 0 || missing.length === 0) return { added: [], gained: [] }
  // A file that the pull request removed or renamed is not new on the base branch.
  const own = new Set(await askGitHub(context, github => github.readChangedFiles(pullRequest)))
  return {
    added: added.filter(path => own.has(path)),
    gained: missing.filter(path => !own.has(path)),
  }
}

export async function reportOvertaken(
  context: PullRequests,
  { pullRequest }: Preview,
): Promise<string[] | undefined> {
  const { resetOn } = context.settings.preview
  if (resetOn === undefined || pullRequest === undefined) return undefined
  try {
    const { added, gained } = await readNew(context, pullRequest, fits(resetOn))
    return findOvertaken(added, gained).map(({ path, last }) => {
      const message = `${path} comes before ${last}, which the base branch has gained`
      context.log.warning(
        `${message} — give it a higher number, since many tools skip or refuse it`,
        'migration out of order',
        { file: path, line: 1, column: 1 },
      )
      return message
    })
  } catch (failure) {
    tellSilence(context, 'the order of the migrations is not checked', failure)
    return undefined
  }
}
