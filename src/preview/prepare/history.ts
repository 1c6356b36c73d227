/** Compares the migrations of two commits: decides whether a database migrated at the earlier one fits the later one. */

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
export function findOvertaken(paths: string[], others: string[]): { path: string; last: string }[] {
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
