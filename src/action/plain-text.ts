/** More than this of one line helps nobody, and a hostile server could fill the log with it. */
const longestLine = 4000

/**
 * Makes a text from anywhere one harmless line for the log (DESIGN rule 9). The runner reads commands from
 * what is printed: `::` at the start of a line, `##[` anywhere in it (actions/runner, ActionCommand.cs).
 */
export function plainLine(text: string): string {
  const visible = text
    .slice(0, longestLine * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Bidirectional and other invisible marks make text read other than it is.
    .replace(/\p{Cf}/gu, '')
    .replaceAll('##[', '## [')
    .replace(/^\s*::/, ': :')
  return visible.length > longestLine ? `${visible.slice(0, longestLine)}… (cut)` : visible
}

/** Characters that a shell takes for more than themselves, and all that cannot be seen. */
const notInert = /[^\p{L}\p{N} _.,:;@/+=%^-]|[;^]/gu

/** A server's text as an output that may be pasted into a script: all that a shell could act on becomes `_`. */
export function shellInert(text: string): string {
  return text.replace(notInert, '_')
}

/** JSON whose strings hold nothing that a shell acts on within single quotes; it parses to the same value. */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return json.replace(
    /['`$<>&!\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
