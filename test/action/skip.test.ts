/** Tests skipped steps. */
import { expect, test } from 'vitest'
import { isUntrusted } from '#action/skip'
import { parseEvent } from '#github/event'

const own = { number: 7, state: 'open', fromFork: false, labels: [] as string[], draft: false } as const

test.each([
  ['a pull request from a fork', { pullRequest: { ...own, fromFork: true } }, true],
  ['Dependabot', { actor: 'dependabot[bot]', pullRequest: own }, true],
  ['a pull request of the repository', { actor: 'octocat', pullRequest: own }, false],
  ['any other event', { actor: 'octocat' }, false],
])('GitHub withholds secrets, or not, from %s', (_, parts, expected) => {
  expect(isUntrusted({ ...parseEvent({}, undefined), ...parts })).toBe(expected)
})
