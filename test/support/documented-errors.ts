import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'

/** What people search for: a message, or several parts of one that an em dash joins. */
const messages = /`[^`]+`(?: — `[^`]+`)*/g

/** Fewer letters than this would be found by chance. */
const shortest = 8

/** The fixed words of a message, in order: between two of them may stand anything. */
type Pattern = string[]

function asPattern(message: string): Pattern[] {
  const words = message
    .replaceAll('`', '')
    .split('…')
    .map(part => part.trim())
  const isTelling = words.some(part => (part.match(/\p{L}/gu)?.length ?? 0) >= shortest)
  return isTelling ? [words] : []
}

function fits(text: string, words: Pattern): boolean {
  let from = 0
  return words.every(part => {
    const at = text.indexOf(part, from)
    from = at + part.length
    return at >= 0
  })
}

/** The messages in the first column of each table that has a column for them. */
export function readPatterns(page: string): Pattern[] {
  const tables = page.split('\n## ').filter(section => section.includes('\n| message |'))
  const rows = tables.flatMap(table => [...table.matchAll(/^\| (.+?) \| /gm)].map(([, cell = '']) => cell))
  return rows.flatMap(cell => (cell.match(messages) ?? []).flatMap(asPattern))
}

const documented = readPatterns(
  readFileSync(resolve(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8'),
)

/** Fails the test unless docs/troubleshooting.md has a row about an error: its message and what to do next. */
export function expectDocumented(text: string, patterns = documented): void {
  if (!patterns.some(pattern => fits(text, pattern)))
    expect.fail(`no message of docs/troubleshooting.md fits: ${text}`)
}

/** The errors among what a step printed. */
export function errorsOf(stdout: string): string[] {
  const lines = stdout.matchAll(/^::error(?: [^:\n]*)?::(.*)$/gm)
  return [...lines].map(([, text = '']) => text.replaceAll('%25', '%'))
}
