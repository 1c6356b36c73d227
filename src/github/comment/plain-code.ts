/** Makes any text harmless within the Markdown of a comment. */
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
 * Words that mean nothing to Markdown or GitHub: letters, digits, pictures, the signs of a sentence, and signs that begin nothing
 * where they stand: `_` within a word, `:` behind one or within a time, one `~` before a number. `www.`, `GH-1` and addresses
 * would become links.
 */
const harmless =
  /^(?!.*(?:www\.|GH-\d|\/\/|~.*~))(?:[\p{L}\p{N}\p{Extended_Pictographic} ,.()%…–—−·'"/+=;?-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])|:(?= |$)|(?<=\d):(?=\d)|~(?=\d))*$/iu

/** Any text within a line: as it is where it means nothing but itself, else as code. */
export function renderWords(text: string): string {
  const visible = visibleText(text)
  return visible !== '' && visible.length <= longest && harmless.test(visible) ? visible : renderCode(text)
}

/** The text as one line of a block of code: nothing in it passes for a mark of the comment. */
export const renderCodeLine = (text: string): string =>
  text
    .replace(/[^[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]/gv, ' ')
    .replaceAll('<!--', '‹!--')
    .trimEnd()

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
