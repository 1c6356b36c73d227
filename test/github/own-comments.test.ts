/** Tests the search for the action's own comments. */
import { describe, expect, it, test } from 'vitest'
import { renderMarker } from '#github/comment/sections'
import { createGitHubClient } from '../support/github/github-client.ts'
import { octocat, tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { addressOf, isWrite, name } from './support/comments.ts'
import { shown } from './support/preview-section.ts'

const fake = useFakeGitHub(7)

const list = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'

/** Writes the states as one run does; gives the address of the comment. */
async function write(...states: ('creating' | 'ready')[]): Promise<string | undefined> {
  const { github } = createGitHubClient(fake, tokens.actions)
  let address: string | undefined
  for (const state of states)
    address = await github.writeComment(7, shown({ state, name }), { onlyUpdate: false })
  return address
}

const addComments = (count: number) => {
  for (let index = 0; index < count; index++)
    fake.addComment(7, `Comment ${index}`, octocat).updatedAt = '2026-01-01T00:00:00Z'
}
const reads = () => fake.requests.filter(request => !isWrite(request))
const own = () => fake.commentsOf(7).filter(({ body }) => body.startsWith(renderMarker(name)))

describe('reading the comments takes', () => {
  // GitHub allows no more than 2,500 comments.
  test.each([
    [0, 5],
    [99, 5],
    [100, 6],
    [2499, 29],
  ])('if a run finds %i of others and writes its own, %i requests', async (count, expected) => {
    addComments(count)
    expect(await write('creating', 'ready')).toBe(addressOf(own()[0]?.id))
    expect(own()).toHaveLength(1)
    expect(reads()).toHaveLength(expected)
  })

  test.each([
    ['the first', 0, 1000, 4],
    ['the last', 1000, 0, 14],
    ['in the middle', 500, 500, 9],
    ['the last of a page', 99, 0, 4],
  ])(
    'if a run updates its own, which is %s (%i before, %i after), %i requests',
    async (_, before, after, expected) => {
      addComments(before)
      const { id } = fake.addComment(7, renderMarker(name))
      addComments(after)
      expect(await write('creating', 'ready')).toBe(addressOf(id))
      expect(own()).toHaveLength(1)
      expect(reads()).toHaveLength(expected)
    },
  )
})

it('reads further than a copy of its comment, which anybody can write', async () => {
  fake.addComment(7, renderMarker(name), octocat)
  addComments(100)
  const { id } = fake.addComment(7, renderMarker(name))
  expect(await write('ready')).toBe(addressOf(id))
  expect(fake.requests.filter(isWrite).map(({ method }) => method)).toEqual(['PATCH'])
})

/** As long as a text may be, of the character that takes most bytes in JSON. */
const longest = JSON.stringify('€'.repeat(65_536)).replaceAll('€', '\\ud83d\\ude00')

describe('the list of comments', () => {
  it('is readable however long its texts are', async () => {
    for (let index = 0; index < 30; index++) fake.addComment(7, `comment ${index}`)
    const address = await write('creating')
    const items = fake
      .commentsOf(7)
      .map(({ id, author, body }) =>
        body.startsWith('comment')
          ? `{"id":${id},"html_url":"","user":{"login":"octocat"},"body":${longest}}`
          : JSON.stringify({ id, html_url: '', user: author, body }),
      )
    fake.injectFaults(({ route, query }) => {
      if (route !== list) return undefined
      const size = Number(query.per_page)
      const shown = items.slice((Number(query.page) - 1) * size, Number(query.page) * size)
      const headers = { 'content-type': 'application/json' }
      return { kind: 'answer', answer: { status: 200, headers, body: `[${shown.join()}]` } }
    })
    expect(await write('ready')).toBe(address)
    expect(fake.commentsOf(7)).toHaveLength(31)
  })

  it('is unknown if an answer exceeds 16 MiB nevertheless', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = `[${' '.repeat(16 * 1024 * 1024)}]`
    fake.injectFaults(({ route }) =>
      route === list ? { kind: 'answer', answer: { status: 200, headers, body } } : undefined,
    )
    await expect(write('ready')).rejects.toThrow('larger than 16777216 bytes')
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(2)
    expect(fake.commentsOf(7)).toEqual([])
  })
})
