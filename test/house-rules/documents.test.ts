/** Checks that the documents refer only to files, headings, tests and messages that exist. */

import { existsSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import { previewInputs } from '#preview/base/inputs'
import type { Sources } from './check-imports.ts'
import { readSources } from './read-sources.ts'

/** A heading as GitHub makes an anchor of it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (document = '') =>
  [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** The links of a document that lead to no file or heading of the repository, or show another name than the file's. */
function findBrokenLinks(path: string, text: string, documents: Sources, root: string): string[] {
  const links = [...text.matchAll(/\[([^\]]*)\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)]
  return links.flatMap(([link, title = '', file = '', anchor]) => {
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(join(root, target))) return [link]
    if (/\.ts$/.test(title) && !file.endsWith(`/${title}`)) return [link]
    return anchor === undefined || anchorsIn(documents.get(target)).includes(anchor) ? [] : [link]
  })
}

/** The titles that a document names behind the link to a test, but that no test of this file has. */
function findMissingTests(path: string, text: string, tests: Sources): string[] {
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
function findUnknownMessages(page: string, sources: Sources): string[] {
  const code = [...sources.values()]
    .join('\n')
    .replace(/(['"`])\s*\+\s*(['"`])/g, '')
    .replaceAll("\\'", "'")
  const messages = [...page.matchAll(/^- `([^`]+)`: /gm)].map(([, message = '']) => message)
  return messages.filter(message =>
    message.split('…').some(part => letters(part) >= shortest && !code.includes(part.trim())),
  )
}

const root = resolve(import.meta.dirname, '../..')
const documents = new Map([...readSources('*.md'), ...readSources('{docs,test}/**/*.md')])

test.each([...documents])('every link of %s leads to a file and a heading', (path, text) => {
  expect(findBrokenLinks(path, text, documents, root)).toEqual([])
})

test('a guide names every input of previews and databases, outside of generated tables', () => {
  const guides = [...documents].filter(([path]) => /^(?:docs\/(?!reference)[\w-]+|README)\.md$/.test(path))
  const text = guides.map(([, guide]) => guide.replace(/<!-- BEGIN .*?<!-- END /gs, '')).join('\n')
  const names = Object.keys({ ...previewInputs, ...contentsInputs, ...rehearsalInputs })
  const missing = names.filter(name => !new RegExp(`\`${name}\\b|\\b${name}: `).test(text))
  expect(missing, 'add a sentence to README.md or a page of docs/').toEqual([])
})

test('every guarantee names a test and its title, and both exist', () => {
  const path = 'docs/internals/guarantees.md'
  const page = documents.get(path) ?? ''
  const sections = page.split('\n## ').slice(1)
  expect(sections.filter(section => !/^Tests: \[.*\.test\.ts\)\s`/ms.test(section))).toEqual([])
  expect(findMissingTests(path, page, readSources('test/**/*.test.ts'))).toEqual([])
})

test('every message that the page on troubleshooting explains is in the code', () => {
  const page = documents.get('docs/troubleshooting.md') ?? ''
  expect(findUnknownMessages(page, readSources('{src,emulator}/**/*.ts'))).toEqual([])
})

test('Vale finds every word that the glossary avoids', () => {
  const rows = [...(documents.get('docs/internals/glossary.md') ?? '').matchAll(/^\|.*\| ([^|]+) \|$/gm)]
  const avoided = rows
    .flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
    .filter(word => /^[a-z]/.test(word))
  const [terms = ''] = readSources('.github/vale/Project/Terms.yml').values()
  const { swap } = parse(terms) as { swap: Record<string, string> }
  const found = Object.keys(swap).map(pattern => new RegExp(`^(?:${pattern})$`, 'i'))
  expect(avoided).toContain('twin')
  expect(avoided.filter(word => word !== 'avoid' && !found.some(pattern => pattern.test(word)))).toEqual([])
})

describe('the check finds', () => {
  test.each([
    '[a](test/no-such.test.ts)',
    '[guard.ts](src/preview/base/name.ts)',
    '[a](README.md#no-such-heading)',
    '[a](#no-such-heading)',
  ])('the broken link %s', link => {
    const text = `${link} [guard.ts](src/preview/base/guard.ts)`
    expect(findBrokenLinks('SECURITY.md', text, documents, root)).toEqual([link])
  })

  test('a title that its test does not have', () => {
    const tests = new Map([['test/a.test.ts', "test('works', () => {})"]])
    const text = '[a.test.ts](../test/a.test.ts) `works`, [a.test.ts](../test/a.test.ts)\n`fails`'
    expect(findMissingTests('docs/x.md', text, tests)).toEqual(['test/a.test.ts: fails'])
  })

  test('a message that the code does not have', () => {
    const page = '- `the server … is not there`: b\n- `it was lost`: c\n- `the server is odd`: d\n'
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source file
    const sources = new Map([['src/a.ts', "fail(`the server ${name} is not there`, 'it was ' +\n  'lost')"]])
    expect(findUnknownMessages(page, sources)).toEqual(['the server is odd'])
  })
})
