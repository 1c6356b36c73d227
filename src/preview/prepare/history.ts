/** Files as Git has them at one commit: the hash of each one's content by its path, and by which patterns they were found. */
export interface Migrations {
  paths: string[]
  blobs: Record<string, string>
}

/** What a database that was migrated with files is, seen from those of a later commit. Undefined: it fits them. */
export type Verdict = { outdated: string } | { unknown: string } | undefined

/** Names that begin with a number, perhaps after letters: `0002_b.sql`, `V1.2__b.sql`, the folder `20260131_b`. */
const numbered = /^(\D*)(\d+(?:[._-]\d+)*)(?![\da-z])/i

const pad = (text: string) => text.replace(/\d+/g, digits => digits.padStart(20, '0'))

/** 10 comes after 9, and 1.10 after 1.9. (An Intl.Collator does the same, and costs every step several ms to load.) */
function compare(one: string, other: string): number {
  const [a, b] = [pad(one), pad(other)]
  return Number(a > b) - Number(a < b)
}

/** The numbers in a path, each with what they count: names in one folder that begin with the same letters. */
function numbersIn(path: string): { sequence: string; number: string }[] {
  const names = path.split('/')
  return names.flatMap((name, index) => {
    const [, letters, number] = numbered.exec(name) ?? []
    if (number === undefined) return []
    return { sequence: [...names.slice(0, index), letters].join('/'), number: number.replace(/[_-]/g, '.') }
  })
}

/** The last path of each sequence, with its number. */
function lastOf(paths: string[]): Map<string, { path: string; number: string }> {
  const last = new Map<string, { path: string; number: string }>()
  for (const path of paths) {
    for (const { sequence, number } of numbersIn(path)) {
      const known = last.get(sequence)
      if (known === undefined || compare(known.number, number) < 0) last.set(sequence, { path, number })
    }
  }
  return last
}

/** A content with what a migration tool knows it by: the path from its last number on, or the name of the file. */
function identify(path: string, hash: string): string {
  const names = path.split('/')
  const start = names.findLastIndex(name => numbered.test(name))
  return [hash, ...names.slice(start)].join('/')
}

/** The old files where they are now, if all of them were moved: the folder has another name. */
function followMove(old: Map<string, string>, now: Map<string, string>): Map<string, string> {
  if ([...old.keys()].some(path => now.has(path))) return old
  // Two folders may have a file of the same name and content: each old one takes one of the new.
  const places = Map.groupBy(now.keys(), path => identify(path, now.get(path) ?? ''))
  return new Map([...old].map(([path, hash]) => [places.get(identify(path, hash))?.shift() ?? path, hash]))
}

/** The paths with a lower number than the last one beside them, and that one. */
export function findOvertaken(paths: string[], others: string[]): { path: string; last: string }[] {
  const lasts = lastOf(others)
  return paths.flatMap(path => {
    const later = numbersIn(path)
      .map(({ sequence, number }) => ({ number, last: lasts.get(sequence) }))
      .find(({ number, last }) => last && compare(number, last.number) < 0)
    return later?.last ? [{ path, last: later.last.path }] : []
  })
}

/** All that speaks against the database, one file each. */
function problemsOf(old: Map<string, string>, now: Map<string, string>): string[] {
  const rewritten = [...old].flatMap(([path, hash]) => {
    if (now.get(path) === hash) return []
    return `${path} was ${now.has(path) ? 'changed' : 'removed'}`
  })
  const added = [...now.keys()].filter(path => !old.has(path))
  const inserted = findOvertaken(added, [...old.keys()]).map(
    ({ path, last }) => `${path} was put before ${last}`,
  )
  return [...rewritten.sort(compare), ...inserted.sort(compare)]
}

/**
 * Whether a database that was migrated with the files of `before` fits those of `after`. It does not where one of them was
 * changed or removed, or a new one has a lower number than an old one beside it. Files that were all moved together are the
 * same.
 */
export function judge(before: Migrations | undefined, after: Migrations): Verdict {
  if (before === undefined) return { unknown: 'nothing was noted of them so far' }
  if (before.paths.join('\n') !== after.paths.join('\n'))
    return { unknown: 'reset_on was another one before' }
  const [old, now] = [new Map(Object.entries(before.blobs)), new Map(Object.entries(after.blobs))]
  if (old.size > 0 && now.size === 0) return { unknown: 'all of them are gone, perhaps to another folder' }
  const [first, ...others] = problemsOf(followMove(old, now), now)
  if (first === undefined) return undefined
  return { outdated: others.length > 0 ? `${first}, and ${others.length} more` : first }
}
