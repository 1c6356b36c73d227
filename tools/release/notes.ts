import { readSection } from './changelog.ts'

/**
 * The notes of a release on GitHub: its changes, and the lines to paste, pinned to the commit, which is known only now.
 */
export function renderNotes(
  changelog: string,
  { name, version, sha }: { name: string; version: string; sha: string },
): string {
  const paths = ['', '/.github/workflows/preview.yml', '/.github/workflows/prune-previews.yml']
  const pins = paths.map(path => `uses: ${name}${path}@${sha} # v${version}\n`)
  return `${readSection(changelog, version) ?? ''}\n\n## To pin it\n\n\`\`\`yaml\n${pins.join('')}\`\`\`\n`
}
