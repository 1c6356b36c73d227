/**
 * The notes of a release on GitHub: its changes, and the lines to paste, pinned to the commit, which is known only now.
 */
export function renderNotes(
  changelog: string,
  { name, version, sha }: { name: string; version: string; sha: string },
): string {
  const section = new RegExp(
    `^## \\[${version.replaceAll('.', '\\.')}\\][^\\n]*\\n([\\s\\S]*?)(?=^## \\[|^\\[[^\\]]+\\]: |$(?![\\s\\S]))`,
    'm',
  )
  const news = section.exec(changelog)?.[1]?.trim() ?? ''
  const pin = (path: string) => `uses: ${name}${path}@${sha} # v${version}`
  return [
    news,
    '',
    '## To pin it',
    '',
    '```yaml',
    pin(''),
    pin('/.github/workflows/preview.yml'),
    pin('/.github/workflows/prune-previews.yml'),
    '```',
    '',
  ].join('\n')
}
