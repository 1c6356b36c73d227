/** The escapes and limits of a comment. */
import type { MarkdownStyle } from '#base/render-markdown'

/** Upper limit for a text in a line, in characters. */
const longest = 500

/** Replacements for characters that could end a code span or a table cell, or start HTML. */
const lookalikes: Record<string, string> = { '`': "'", '|': '¦', '<': '‹', '>': '›' }

/** The text in one line, without invisible characters: letters, marks, digits, punctuation and symbols stay. */
function visibleText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[^[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]/gv, '')
    .trim()
}

/**
 * Text without a meaning in Markdown or on GitHub: letters, digits, emoji and punctuation. `_` is harmless inside a
 * word, `:` after a word or in a time, a single `~` before a number. `www.`, `GH-1` and addresses would become links.
 */
const harmless =
  /^(?!.*(?:www\.|GH-\d|\/\/|~.*~))(?:[\p{L}\p{N}\p{Extended_Pictographic} ,.()%…–—−·'"/+=;?-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])|:(?= |$)|(?<=\d):(?=\d)|~(?=\d))*$/iu

/** Any text in a line: unchanged if it is harmless, otherwise as code. */
export function renderWords(text: string): string {
  const visible = visibleText(text)
  return visible !== '' && visible.length <= longest && harmless.test(visible) ? visible : renderCode(text)
}

/** The text as one line of a code block, without markers of the comment. */
const renderCodeLine = (text: string): string =>
  text
    .replace(/[^[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]/gv, ' ')
    .replaceAll('<!--', '‹!--')
    .trimEnd()

/**
 * Any text as one Markdown code span. Inside a code span, GitHub interprets no markup, HTML, entities, links,
 * mentions or references (https://github.github.com/gfm/#code-spans). Outside of code, `@name` and `#1` work even if
 * they are written as entities, so escaping them is not enough.
 */
export function renderCode(text: string): string {
  const visible = visibleText(text).replace(/[`|<>]/g, char => lookalikes[char] ?? '')
  const characters = [...visible]
  const short = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : visible
  return `\`${short || '–'}\``
}

/**
 * @param redact removes known secrets. It runs twice: removing invisible characters may join two halves of a secret
 * @param room characters; GitHub's limit for a comment is 65,536
 */
export function commentStyle(redact: (text: string) => string, room: number): MarkdownStyle {
  const clean = (text: string) => redact(visibleText(redact(text)))
  return {
    escapeText: text => renderWords(clean(text)),
    escapeCode: text => renderCode(clean(text)),
    escapeCodeLine: text => renderCodeLine(redact(renderCodeLine(redact(text)))),
    mostItems: 10,
    room,
    whereOmitted: 'The rest is in the summary.',
  }
}
