/** A file lost the markers between which a block is generated. */
export class MissingMarkerError extends Error {
  override name = 'MissingMarkerError'
}

/**
 * Replaces what stands between the lines `BEGIN name` and `END name`, whatever kind of comment they are in.
 *
 * @throws MissingMarkerError when the text has no such lines
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex(line => line.includes(`BEGIN ${name} (generated`))
  const end = lines.findIndex(line => line.includes(`END ${name}`))
  if (begin < 0 || end < begin)
    throw new MissingMarkerError(`no lines BEGIN ${name} (generated …) and END ${name}`)
  return [...lines.slice(0, begin + 1), content, ...lines.slice(end)].join('\n')
}
