/** Files as Git has them at one commit: the hash of each one's content by its path, and by which patterns they were found. */
export interface Migrations {
  paths: string[]
  blobs: Record<string, string>
}

/** `10_b.sql` comes after `9_a.sql`. */
const { compare } = new Intl.Collator('en', { numeric: true })

const ordered = ({ blobs }: Migrations) => Object.entries(blobs).sort(([one], [other]) => compare(one, other))

/**
 * Why a database that was migrated with the files of `before` does not fit those of `after`; undefined if it does, or
 * that cannot be told. Files that were only moved are the same, and files that come after all others do not matter.
 */
export function whyOutdated(
  before: Migrations | undefined,
  after: Migrations | undefined,
): string | undefined {
  if (before === undefined || after === undefined) return undefined
  if (before.paths.join('\n') !== after.paths.join('\n')) return undefined
  const [old, now] = [ordered(before), ordered(after)]
  // All are gone: the folder may have been renamed.
  if (now.length === 0) return undefined
  const index = old.findIndex(([, hash], place) => now[place]?.[1] !== hash)
  const path = old[index]?.[0]
  if (path === undefined) return undefined
  if (after.blobs[path] === undefined) return `${path} was removed`
  if (after.blobs[path] !== before.blobs[path]) return `${path} was changed`
  return `${now[index]?.[0]} was put before ${path}`
}
