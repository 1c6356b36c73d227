import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findMessages } from '../../tools/source/error-messages.ts'
import { readSources } from './read-sources.ts'

/** As the page and the sources have in common: no code marks, one blank between words. */
const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\s+/g, ' ')

const page = plain(readFileSync(resolve(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8'))

/** Where all words of a message come from elsewhere: what the page has in its place. */
const wordedElsewhere: Record<string, string> = {
  // `${done}, but GITHUB_OUTPUT cannot be written`
  'src/action/runner-files.ts': 'cannot be written (',
  // The words of the system, and the advice of the class.
  'src/client/transport-failure.ts': 'check base_url and that the runner can reach it',
}

const messages = findMessages(readSources('src/**/*.ts'))

test('errors are found in every room that makes some', () => {
  const rooms = new Set(messages.map(({ file }) => file.split('/')[1]))
  expect([...rooms].sort()).toEqual(['action', 'client', 'github', 'operations', 'preview'])
})

test('every error that people read has its entry in docs/troubleshooting.md', () => {
  const missing = messages.filter(({ file, fragment = wordedElsewhere[file] }) =>
    fragment === undefined ? true : !page.includes(plain(fragment)),
  )
  expect(missing).toEqual([])
})

test('no file is said to have its words elsewhere that has them itself', () => {
  const wordless = new Set(messages.filter(({ fragment }) => !fragment).map(({ file }) => file))
  expect(Object.keys(wordedElsewhere).sort()).toEqual([...wordless].sort())
})

const errors = 'class ActionError extends Error {}\nclass OwnError extends ActionError {}\n'

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is examined
  ['throw new ActionError(`the id ${id} is not known`, "look")', ['is not known']],
  ["throw new OwnError('nothing is left here', next)", ['nothing is left here']],
  ['throw new ActionError(problem, "correct the inputs")', ['correct the inputs']],
  ['throw new ActionError(problem, next)', [undefined]],
  ["throw this.#failed('it took too long', next)", ['it took too long']],
  ["throw new Error('not for people at all')", []],
  [
    "class SaidError extends OwnError {\n  constructor() {\n    super('said by the class', 'x')\n  }\n}\nnew SaidError()",
    ['said by the class'],
  ],
])('in %j the message is %j', (source, fragments) => {
  const found = findMessages(new Map([['src/a.ts', errors + source]]))
  expect(found.map(({ fragment }) => fragment)).toEqual(fragments)
})
