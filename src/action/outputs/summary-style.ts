/** How texts are escaped in the summary of a step. */
import type { MarkdownStyle } from '#base/render-markdown'
import { plainLine, plainLineWithout } from '../secrets/plain-text.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Any text as Markdown: nothing in it is markup, a mention, a link, or the end of a table's cell. */
export function escapeWords(text: string): string {
  // An underscore within a word, and a colon behind one, begin nothing.
  return plainLine(text)
    .trim()
    .replace(
      /[&<>"'`|*~[\]()#!\\@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?! |$)/g,
      char => `&#${char.charCodeAt(0)};`,
    )
}

/** The runner refuses a summary of more than 1 MiB as a whole, and a character may have 4 bytes. */
const room = 250_000

/** Secrets are removed first: escapes would hide them from the search, and a cut could leave half of one. */
export function summaryStyle(secrets: Secrets): MarkdownStyle {
  const words = (text: string, longest?: number) =>
    escapeWords(plainLineWithout(secrets, text).slice(0, longest))
  return {
    words,
    code: text => `<code>${words(text)}</code>`,
    codeLine: text => plainLineWithout(secrets, text),
    most: 50,
    room,
    rest: '',
  }
}
