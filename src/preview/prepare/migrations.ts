import { matchesGlob } from 'node:path/posix'
import type { PreviewContext } from '../base/context.ts'
import { tellSilence } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { askGitHub } from '../on-github/ask-github.ts'
import type { Migrations } from './history.ts'

/** Whether a path fits any of the patterns, and none of those after a `!`. */
const fits = (patterns: string[]) => (path: string) => {
  const isAmong = (sign: boolean) =>
    patterns.some(pattern => pattern.startsWith('!') !== sign && matchesGlob(path, pattern.replace(/^!/, '')))
  return isAmong(true) && !isAmong(false)
}

/**
 * The files that `reset_on` names, at the newest commit of the pull request. Undefined where that is not asked for, or
 * GitHub does not say: a preview is never reset on a doubt.
 */
export async function readMigrations(
  context: PreviewContext,
  { pullRequest }: Preview,
): Promise<Migrations | undefined> {
  const { resetOn } = context.settings.preview
  if (resetOn === undefined || pullRequest === undefined) return undefined
  try {
    const files = await askGitHub(context, github => github.readFiles(pullRequest))
    const isMigration = fits(resetOn)
    const blobs = Object.fromEntries([...files].filter(([path]) => isMigration(path)))
    return { paths: resetOn, blobs }
  } catch (failure) {
    tellSilence(
      context,
      'GitHub does not say whether files of reset_on were changed, so the preview is not reset',
      failure,
    )
    return undefined
  }
}
