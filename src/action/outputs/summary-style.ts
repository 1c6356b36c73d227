/** The escapes and limits of a step's summary. */
import type { MarkdownStyle } from '#base/render-markdown'
import { plainLine, plainLineWithout } from '../secrets/plain-text.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Any text as Markdown, without markup, mentions, links, or the end of a table cell. */
export function escapeWords(text: string): string {
  // An underscore inside a word, and a colon after one, have no meaning.
  return plainLine(text)
    .trim()
    .replace(
      /[&<>"'`|*~[\]()#!\\@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?! |$)/g,
      char => `&#${char.charCodeAt(0)};`,
    )
}

/** Characters. The runner rejects a summary of more than 1 MiB, and a character may have 4 bytes. */
const room = 250_000

/** Secrets are removed first: escapes would hide them from the search, and a cut could leave half of one. */
export function summaryStyle(secrets: Secrets): MarkdownStyle {
  const words = (text: string, longest?: number) =>
    escapeWords(plainLineWithout(secrets, text).slice(0, longest))
  return {
    escapeText: words,
    escapeCode: text => `<code>${words(text)}</code>`,
    escapeCodeLine: text => plainLineWithout(secrets, text),
    mostItems: 50,
    room,
    whereOmitted: '',
  }
}
