const unreleased = '## [Unreleased]\n'

/** The text below the heading of a version (keepachangelog.com, 1.1.0), up to the next one; undefined without it. */
export function readSection(changelog: string, version: string): string | undefined {
  const parts = changelog.split(/^(?=## \[|\[[^\]]+\]: )/m)
  return parts
    .find(part => part.startsWith(`## [${version}]`))
    ?.replace(/^.*\n?/, '')
    .trim()
}

/** Why nothing can be released with this changelog, with what to do; undefined if it can. */
export function findFlaw(changelog: string): string | undefined {
  const entries = changelog.includes(unreleased) ? readSection(changelog, 'Unreleased') : undefined
  if (entries === undefined) return 'CHANGELOG.md has no heading "## [Unreleased]": put it back'
  if (!/^- /m.test(entries))
    return 'CHANGELOG.md says nothing under "## [Unreleased]": write down what users will notice'
  const isFirst = !/^## \[\d/m.test(changelog)
  if (isFirst && /^### (?!Added$)/m.test(entries))
    return 'CHANGELOG.md says what was changed or fixed, and nobody had it before the first release: keep only "### Added"'
  return undefined
}

/** Gives what is unreleased its version and date, such as `2026-11-21`, and opens a new, empty heading above it. */
export function closeUnreleased(changelog: string, version: string, date: string): string {
  return changelog.replace(unreleased, `${unreleased}\n## [${version}] - ${date}\n`)
}

/**
 * The notes of a release on GitHub: its changes, and the lines to paste, pinned to the commit, which is known only now.
 */
export function renderNotes(
  changelog: string,
  { name, version, sha }: { name: string; version: string; sha: string },
): string {
  const paths = [
    '',
    '/.github/workflows/preview.yml',
    '/.github/workflows/prune-previews.yml',
    '/.github/workflows/masked-parent.yml',
  ]
  const pins = paths.map(path => `uses: ${name}${path}@${sha} # v${version}\n`)
  return `${readSection(changelog, version) ?? ''}\n\n## To pin it\n\n\`\`\`yaml\n${pins.join('')}\`\`\`\n`
}
