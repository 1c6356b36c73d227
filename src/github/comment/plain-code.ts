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
 * Words that mean nothing to Markdown or GitHub: letters, digits, the signs of a sentence, and `_` or `:` where they begin
 * nothing. `www.`, `GH-1` and addresses would become links.
 */
const harmless =
  /^(?!.*(?:www\.|GH-\d|\/\/))(?:[\p{L}\p{N} ,.()%…–'"/+=;?-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])|:(?= ))*$/iu

/** Any text within a line: as it is where it means nothing but itself, else as code. */
export function renderWords(text: string): string {
  const visible = visibleText(text)
  return visible !== '' && visible.length <= longest && harmless.test(visible) ? visible : renderCode(text)
}

/** The text in its lines, without invisible characters. */
export const visibleLines = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map(line => line.replace(/[^[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]/gv, ' ').trimEnd())
    .join('\n')

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

/**
 * Any text of several lines as a block of code: nothing in it ends the block, or passes for a mark of the comment. Lines
 * that begin with a sign are coloured.
 */
export function renderBlock(text: string): string {
  const plain = visibleLines(text).replaceAll('<!--', '‹!--')
  const longestRun = Math.max(2, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}diff\n${plain}\n${fence}`
}
