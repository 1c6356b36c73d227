import { plainLine, plainLineWithout } from '../secrets/plain-text.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Text for a Markdown table cell: nothing in it is markup, a mention, or the end of the cell. */
export function escapeCell(text: string): string {
  return plainLine(text)
    .replace(/[&<>"'`|*_~[\]()#!\\@:]/g, char => `&#${char.charCodeAt(0)};`)
    .trim()
}

/**
 * Makes a text a cell of at most `longest` characters. Secrets are removed first, as the cut could leave half of one.
 */
export type Cell = (text: string, longest?: number) => string

/** Removes secrets first, since escapes would hide them from the search. */
export const cellWithout =
  (secrets: Secrets): Cell =>
  (text, longest) =>
    escapeCell(plainLineWithout(secrets, text).slice(0, longest))

/** Rows of a table, and characters of its cells: the runner refuses a summary of more than 1 MiB as a whole. */
export const mostRows = 50
export const longestCell = 200

/** That there are more rows than the table shows. */
export const moreThan = (count: number, noun: string) =>
  count > mostRows ? [`… and ${count - mostRows} more ${noun}.`] : []
