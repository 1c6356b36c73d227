/** The reference cannot be written. The message has the missing text and its place. */
export class IncompleteReferenceError extends Error {
  override name = 'IncompleteReferenceError'
}

/**
 * Replaces the text between the lines `BEGIN name` and `END name`, in comments of any kind.
 * @throws IncompleteReferenceError when the text has no such lines
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex(line => line.includes(`BEGIN ${name} (generated`))
  const end = lines.findIndex(line => line.includes(`END ${name}`))
  if (begin < 0 || end < begin) {
    throw new IncompleteReferenceError(
      `there are no lines "BEGIN ${name} (generated …)" and "END ${name}" in this order: put them back as comments`,
    )
  }
  return [...lines.slice(0, begin + 1), content, ...lines.slice(end)].join('\n')
}
