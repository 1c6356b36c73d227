/** Reads and updates the changelog. */

const unreleased = '## [Unreleased]\n'

/** The text below the heading of a version (keepachangelog.com, 1.1.0), up to the next one; undefined without it. */
export function readSection(changelog: string, version: string): string | undefined {
  const parts = changelog.split(/^(?=## \[|\[[^\]]+\]: )/m)
  return parts
    .find(part => part.startsWith(`## [${version}]`))
    ?.replace(/^.*\n?/, '')
    .trim()
}

/** Why this changelog cannot be released, with an instruction; undefined if it can. */
export function findFlaw(changelog: string): string | undefined {
  const entries = changelog.includes(unreleased) ? readSection(changelog, 'Unreleased') : undefined
  if (entries === undefined) return 'CHANGELOG.md has no heading "## [Unreleased]": restore it'
  if (!/^- /m.test(entries))
    return 'CHANGELOG.md has nothing under "## [Unreleased]": add the changes that users see'
  const isFirst = !/^## \[\d/m.test(changelog)
  if (isFirst && /^### (?!Added$)/m.test(entries))
    return 'CHANGELOG.md lists changes or fixes before the first release: keep only "### Added"'
  return undefined
}

/** Adds version and date, such as `2026-11-21`, to the unreleased section, and a new, empty one above it. */
export function closeUnreleased(changelog: string, version: string, date: string): string {
  return changelog.replace(unreleased, `${unreleased}\n## [${version}] - ${date}\n`)
}

/**
 * The notes of a release on GitHub: its changes, and the lines to paste, pinned to the commit, which is unknown before.
 */
export function renderNotes(
  changelog: string,
  { name, version, sha }: { name: string; version: string; sha: string },
): string {
  const workflows = ['preview', 'prune-previews', 'masked-parent'].map(one => `/.github/workflows/${one}.yml`)
  const pins = ['', ...workflows].map(path => `uses: ${name}${path}@${sha} # v${version}\n`)
  return `${readSection(changelog, version) ?? ''}\n\n## To pin it\n\n\`\`\`yaml\n${pins.join('')}\`\`\`\n`
}
