/** Reads the migrations of a pull request, compares those of two commits, and decides whether a database fits them. */
import { matchesGlob } from 'node:path/posix'
import type { Waiting } from '#operations/base/context'
import type { PullRequests } from '../base/context.ts'
import type { Fact } from '../base/github.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'

/** The migrations at one commit: the patterns of `reset_on`, and the content hash of each file by its path. */
export interface Migrations {
  paths: string[]
  blobs: Record<string, string>
}

/** Why a database does not fit a later commit, or why that is unknown. Undefined: it fits. */
export type Comparison = { outdated: string } | { unknown: string } | undefined

/** Names that begin with a number, perhaps after letters: `0002_b.sql`, `V1.2__b.sql`, the folder `20260131_b`. */
const numbered = /^(\D*)(\d+(?:[._-]\d+)*)(?![\da-z])/i

const pad = (text: string) => text.replace(/\d+/g, digits => digits.padStart(20, '0'))

/** 10 follows 9, and 1.10 follows 1.9. (An Intl.Collator agrees, but takes several ms to load in every step.) */
function compareNames(first: string, second: string): number {
  const paddedFirst = pad(first)
  const paddedSecond = pad(second)
  if (paddedFirst === paddedSecond) return 0
  return paddedFirst < paddedSecond ? -1 : 1
}

/** The numbers in a path, each with its sequence: the folder, and the letters before the number. */
function numbersIn(path: string): { sequence: string; number: string }[] {
  const names = path.split('/')
  return names.flatMap((name, index) => {
    const [, letters, number] = numbered.exec(name) ?? []
    if (number === undefined) return []
    return { sequence: [...names.slice(0, index), letters].join('/'), number: number.replace(/[_-]/g, '.') }
  })
}

/** The last path of each sequence, with its number. */
function lastPathsOf(paths: string[]): Map<string, { path: string; number: string }> {
  const last = new Map<string, { path: string; number: string }>()
  for (const path of paths) {
    for (const { sequence, number } of numbersIn(path)) {
      const known = last.get(sequence)
      if (known === undefined || compareNames(known.number, number) < 0) last.set(sequence, { path, number })
    }
  }
  return last
}

/** Identifies a file like a migration tool: by the path from its last number on, or the file name. Includes the content hash. */
function identityOf(path: string, hash: string): string {
  const names = path.split('/')
  const start = names.findLastIndex(name => numbered.test(name))
  return [hash, ...names.slice(start)].join('/')
}

/** The old files at their new paths, if all were moved by renaming the folder. */
function followMove(old: Map<string, string>, now: Map<string, string>): Map<string, string> {
  if ([...old.keys()].some(path => now.has(path))) return old
  // Two folders may have a file of the same name and content: each old file takes one of the new ones.
  const places = Map.groupBy(now.keys(), path => identityOf(path, now.get(path) ?? ''))
  return new Map([...old].map(([path, hash]) => [places.get(identityOf(path, hash))?.shift() ?? path, hash]))
}

/** Finds the paths that come before the last of the `others` in the same sequence, each with that last path. */
function findOvertaken(paths: string[], others: string[]): { path: string; last: string }[] {
  const lasts = lastPathsOf(others)
  return paths.flatMap(path => {
    const later = numbersIn(path)
      .map(({ sequence, number }) => ({ number, last: lasts.get(sequence) }))
      .find(({ number, last }) => last && compareNames(number, last.number) < 0)
    return later?.last ? [{ path, last: later.last.path }] : []
  })
}

/** The problems of the database, one for each file. */
function problemsOf(old: Map<string, string>, now: Map<string, string>): string[] {
  const rewritten = [...old].flatMap(([path, hash]) => {
    if (now.get(path) === hash) return []
    return `${path} was ${now.has(path) ? 'changed' : 'removed'}`
  })
  const added = [...now.keys()].filter(path => !old.has(path))
  const inserted = findOvertaken(added, [...old.keys()]).map(
    ({ path, last }) => `${path} was put before ${last}`,
  )
  return [...rewritten.sort(compareNames), ...inserted.sort(compareNames)]
}

/**
 * Whether a database migrated with the files of `before` fits those of `after`: no file was changed or removed, and
 * no new one has a lower number than an old one beside it. Moving all files together changes nothing.
 */
export function compareMigrations(before: Migrations | undefined, after: Migrations): Comparison {
  if (before === undefined) return { unknown: 'nothing was noted of them so far' }
  if (before.paths.join('\n') !== after.paths.join('\n'))
    return { unknown: 'reset_on was another one before' }
  const old = new Map(Object.entries(before.blobs))
  const now = new Map(Object.entries(after.blobs))
  if (old.size > 0 && now.size === 0) return { unknown: 'all of them are gone, perhaps to another folder' }
  const [first, ...others] = problemsOf(followMove(old, now), now)
  if (first === undefined) return undefined
  return { outdated: others.length > 0 ? `${first}, and ${others.length} more` : first }
}

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
  return { added: added.filter(path => own.has(path)), gained: missing.filter(path => !own.has(path)) }
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
