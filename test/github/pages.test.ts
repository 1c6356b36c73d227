import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { refuse } from '../support/github/answer.ts'
import { askAs } from '../support/github/ask-as.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/github/fake-github.ts'
import { type GitHubFault, page, right, secondaryLimit, trouble } from '../support/github/faults.ts'
import { tokens } from '../support/github/tokens.ts'

let fake: FakeGitHub
beforeEach(async () => {
  fake = await startFakeGitHub()
})
afterEach(() => fake.stop())

const list = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
const heads = () => askAs(fake, tokens.readOnly).github.listQueueHeads()
const enqueue = (count: number) => Array.from({ length: count }, (_, index) => fake.enqueue(index + 1).sha)

describe('a list', () => {
  test.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [250, 3],
  ])('of %i is read over %i pages', async (count, pages) => {
    const all = enqueue(count)
    expect(await heads()).toEqual(new Set(all))
    expect(fake.requests.filter(({ route }) => route === list).map(({ query }) => query)).toEqual(
      Array.from({ length: pages }, (_, index) => ({ per_page: '100', page: String(index + 1) })),
    )
  })

  const reference = { ref: 'refs/heads/gh-readonly-queue/main/pr-7-0', object: { sha: 'a'.repeat(40) } }
  const linked = (link: string): GitHubFault => ({
    kind: 'answer',
    answer: { status: 200, headers: { link }, body: [reference] },
  })

  test.each<[string, GitHubFault]>([
    ['has trouble', trouble(500)],
    ['is not there', { kind: 'answer', answer: refuse(404, 'Not Found') }],
    ['is refused', { kind: 'answer', answer: refuse(403, 'No') }],
    ['meets a rate limit', secondaryLimit(429, 3600)],
    ['is half', { kind: 'half' }],
    ['breaks off', { kind: 'cut' }],
    ['is lost', { kind: 'reset' }],
    ['is a page of a proxy', page(200)],
    ['is no list', right({ message: 'ok' })],
    ['is empty text', right('')],
    ['holds something else', right([reference, {}])],
    ['leads back', linked('<http://127.0.0.1/refs?page=1>; rel="next"')],
    ['leads too far', linked('<http://127.0.0.1/refs?page=9>; rel="next"')],
    ['leads nowhere', linked('<nowhere>; rel="next"')],
  ])('is in doubt where its second page %s', async (_, fault) => {
    enqueue(150)
    fake.strike(({ query }) => (query.page === '2' ? fault : undefined))
    await expect(heads()).rejects.toThrow(Error)
  })

  it('is whole where the header that links the pages is lost', async () => {
    const all = enqueue(150)
    const items = all.map(sha => ({ ...reference, object: { sha } }))
    fake.strike(({ route, query }) =>
      route === list
        ? right(items.slice((Number(query.page) - 1) * 100, Number(query.page) * 100))
        : undefined,
    )
    expect(await heads()).toEqual(new Set(all))
  })

  it('is in doubt where it does not end', async () => {
    fake.strike(({ route, query }) =>
      route === list
        ? linked(`<http://127.0.0.1/refs?page=${Number(query.page) + 1}>; rel="next"`)
        : undefined,
    )
    await expect(heads()).rejects.toThrow('100 pages')
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(100)
  })
})

describe('the comments of a pull request', () => {
  const comments = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
  const write = (state: 'creating' | 'ready' = 'ready') =>
    askAs(fake, tokens.actions).github.writeComment(
      7,
      { state, name: 'preview-pr-7-0a1b2c3d' },
      { onlyUpdate: false },
    )

  it('are found however long their texts are', async () => {
    fake.openPullRequest({ number: 7 })
    for (let index = 0; index < 100; index++) fake.addComment(7, `comment ${index}`)
    const address = await write('creating')
    // As long as a text may be, of the character that takes most bytes in JSON.
    const longest = JSON.stringify('€'.repeat(65_536)).replaceAll('€', '\\ud83d\\ude00')
    const items = fake
      .commentsOf(7)
      .map(({ id, author, body }) =>
        body.startsWith('comment')
          ? `{"id":${id},"html_url":"","user":{"login":"octocat"},"body":${longest}}`
          : JSON.stringify({ id, html_url: '', user: author, body }),
      )
    fake.strike(({ route, query }) => {
      if (route !== comments) return undefined
      const size = Number(query.per_page)
      const shown = items.slice((Number(query.page) - 1) * size, Number(query.page) * size)
      const headers = { 'content-type': 'application/json' }
      return { kind: 'answer', answer: { status: 200, headers, body: `[${shown.join()}]` } }
    })
    expect(await write()).toBe(address)
    expect(fake.commentsOf(7)).toHaveLength(101)
  })

  it('are not read where an answer is longer than 16 MiB all the same', async () => {
    fake.openPullRequest({ number: 7 })
    const headers = { 'content-type': 'application/json' }
    const body = `[${' '.repeat(16 * 1024 * 1024)}]`
    fake.strike(({ route }) =>
      route === comments ? { kind: 'answer', answer: { status: 200, headers, body } } : undefined,
    )
    await expect(write()).rejects.toThrow('larger than 16777216 bytes')
    expect(fake.commentsOf(7)).toEqual([])
  })
})
