/** Finds dead references in the documents: links, named tests, and error messages that the code does not have. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Sources } from './check-imports.ts'

/** A heading as GitHub makes an anchor of it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (document = '') =>
  [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** The links of a document that lead to no file or heading of the repository, or show another name than the file's. */
export function findBrokenLinks(path: string, text: string, documents: Sources, root: string): string[] {
  const links = [...text.matchAll(/\[([^\]]*)\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)]
  return links.flatMap(([link, title = '', file = '', anchor]) => {
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(join(root, target))) return [link]
    if (/\.ts$/.test(title) && !file.endsWith(`/${title}`)) return [link]
    return anchor === undefined || anchorsIn(documents.get(target)).includes(anchor) ? [] : [link]
  })
}

/** The titles that a document names behind the link to a test, but that no test of this file has. */
export function findMissingTests(path: string, text: string, tests: Sources): string[] {
  const named = [...text.matchAll(/\[[^\]]*\]\(([^)\s]*\.test\.ts)\)\s+`([^`]+)`/g)]
  return named.flatMap(([, file = '', title = '']) => {
    const target = normalize(join(dirname(path), file))
    return tests.get(target)?.includes(title) ? [] : [`${target}: ${title}`]
  })
}

/** Fewer letters than this would be found by chance. */
const shortest = 8

const letters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

/** The messages at the start of list items whose fixed words are in no source. An ellipsis stands for varying words. */
export function findUnknownMessages(page: string, sources: Sources): string[] {
  const code = [...sources.values()]
    .join('\n')
    .replace(/(['"`])\s*\+\s*(['"`])/g, '')
    .replaceAll("\\'", "'")
  const messages = [...page.matchAll(/^- `([^`]+)`: /gm)].map(([, message = '']) => message)
  return messages.filter(message =>
    message.split('…').some(part => letters(part) >= shortest && !code.includes(part.trim())),
  )
}
