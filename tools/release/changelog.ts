/** The changelog cannot be released as it is. The message says what to do. */
export class ChangelogError extends Error {
  override name = 'ChangelogError'
}

const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|^\[Unreleased\]: |$(?![\s\S]))/m

/** What the next release brings so far: the text below the heading `Unreleased` (keepachangelog.com, 1.1.0). */
export function readUnreleased(changelog: string): string {
  const match = unreleased.exec(changelog)
  if (!match) throw new ChangelogError('CHANGELOG.md has no heading "## [Unreleased]": put it back')
  return (match[1] ?? '').trim()
}

/**
 * Gives what is unreleased its version and date, and opens a new, empty heading above it.
 *
 * @param date of the release, as `2026-11-21`
 * @throws ChangelogError if nothing is written down, or the first release is said to mend something
 */
export function closeUnreleased(changelog: string, version: string, date: string): string {
  const entries = readUnreleased(changelog)
  if (!/^- /m.test(entries)) {
    throw new ChangelogError(
      'CHANGELOG.md says nothing under "## [Unreleased]": write down what users will notice',
    )
  }
  const isFirst = !/^## \[\d/m.test(changelog)
  if (isFirst && /^### (?!Added$)/m.test(entries)) {
    throw new ChangelogError(
      'CHANGELOG.md says what was changed or fixed, and nobody had it before the first release: keep only "### Added"',
    )
  }
  const closed = `## [Unreleased]\n\n## [${version}] - ${date}\n\n${entries}\n\n`
  return `${changelog.replace(unreleased, () => closed).trimEnd()}\n`
}
