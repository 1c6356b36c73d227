/** The length at which a value is cut: enough to see what it is about. */
const longest = 500

/** Characters that could end a code span or a table's cell, or begin HTML, and what is shown instead. */
const lookalikes: Record<string, string> = { '`': "'", '|': '¦', '<': '‹', '>': '›' }

/** The text in one line, without invisible characters: letters, marks, digits, punctuation and symbols stay. */
export function visibleText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[^[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]/gv, '')
    .trim()
}

/**
 * Any text as one Markdown code span. Within one, nothing is markup, HTML, an entity, a link, a mention or a
 * reference (https://github.github.com/gfm/#code-spans): GitHub looks for `@name` and `#1` only outside of code,
 * but there also where they are written as entities.
 */
export function renderCode(text: string): string {
  const visible = visibleText(text).replace(/[`|<>]/g, char => lookalikes[char] ?? '')
  const characters = [...visible]
  const short = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : visible
  return `\`${short || '–'}\``
}
