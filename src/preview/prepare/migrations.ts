/** Reads the migrations of a pull request, and decides whether a database fits them. */
import { matchesGlob } from 'node:path/posix'
import type { Waiting } from '#operations/base/context'
import type { PullRequests } from '../base/context.ts'
import type { Fact } from '../base/github.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { compareMigrations, findOvertaken, type Migrations } from './history.ts'

/** Returns a predicate on paths: whether one of the patterns matches, and none of those that begin with `!`. */
export function matchesPatterns(patterns: string[]): (path: string) => boolean {
  const included = patterns.filter(pattern => !pattern.startsWith('!'))
  const excluded = patterns.filter(pattern => pattern.startsWith('!')).map(pattern => pattern.slice(1))
  return path =>
    included.some(pattern => matchesGlob(path, pattern)) &&
    !excluded.some(pattern => matchesGlob(path, pattern))
}

/** The files of `reset_on` at the newest commit. Undefined if GitHub does not answer: a doubt never resets a preview. */
export async function readMigrations(
  context: PullRequests,
  { pullRequest }: Preview,
): Promise<Migrations | undefined> {
  const { resetOn } = context.settings.preview
  if (resetOn === undefined || pullRequest === undefined) return undefined
  try {
    const files = await context.github.readFiles(pullRequest)
    const isMigration = matchesPatterns(resetOn)
    const blobs = Object.fromEntries([...files].filter(([path]) => isMigration(path)))
    if (Object.keys(blobs).length === 0)
      context.log.warning(
        `reset_on: no file of the pull request fits ${resetOn.join(' ')}, so no change of one resets the preview`,
        'nothing to compare',
      )
    return { paths: resetOn, blobs }
  } catch (failure) {
    reportGitHubFailure(
      context,
      'it is unknown whether files of reset_on changed, so the preview is not reset',
      failure,
    )
    return undefined
  }
}

/** The files to note. If there are none, the earlier note stays, since they may return. */
export const migrationsToNote = (migrations: Migrations | undefined) =>
  Object.keys(migrations?.blobs ?? {}).length > 0 ? migrations : undefined

/** Why a database published with the files of `before` is outdated; undefined if it fits, or if that is unknown. */
export function reasonToReset(
  { log }: Waiting,
  before: Migrations | undefined,
  after: Migrations | undefined,
): string | undefined {
  const comparison = after && compareMigrations(before, after)
  if (comparison === undefined) return undefined
  if ('outdated' in comparison) return comparison.outdated
  log.info(`reset_on: ${comparison.unknown}, so the preview is not reset`)
  return undefined
}

/** The files of `reset_on` that the pull request adds, and those that only its base branch has. */
async function readNewMigrations(
  context: PullRequests,
  pullRequest: number,
  isMigration: (path: string) => boolean,
) {
  const head = await context.github.readFiles(pullRequest)
  const base = await context.github.readFiles({ baseOf: pullRequest })
  const added = [...head.keys()].filter(path => isMigration(path) && !base.has(path))
  const missing = [...base.keys()].filter(path => isMigration(path) && !head.has(path))
  if (added.length === 0 || missing.length === 0) return { added: [], gained: [] }
  // A file that the pull request removed or renamed is not new on the base branch.
  const own = new Set(await context.github.readChangedFiles(pullRequest))
  return {
    added: added.filter(path => own.has(path)),
    gained: missing.filter(path => !own.has(path)),
  }
}

/** Warns of migrations of the pull request that come before one of the base branch. Returns the warnings. */
export async function reportOvertaken(context: PullRequests, { pullRequest }: Preview): Promise<Fact[]> {
  const { resetOn } = context.settings.preview
  if (resetOn === undefined || pullRequest === undefined) return []
  try {
    const { added, gained } = await readNewMigrations(context, pullRequest, matchesPatterns(resetOn))
    return findOvertaken(added, gained).map(({ path, last }) => {
      const message = `${path} comes before ${last}, which the base branch has gained`
      context.log.warning(
        `${message} — give it a higher number, since many tools skip or refuse it`,
        'migration out of order',
        { file: path, line: 1, column: 1 },
      )
      return { label: '⚠ Migration out of order', text: message }
    })
  } catch (failure) {
    reportGitHubFailure(context, 'the order of the migrations is not checked', failure)
    return []
  }
}
