/** Tests lists with several pages. */
import { describe, expect, it, test } from 'vitest'
import { type GitHubFault, okAnswer, serverError } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'

const fake = useFakeGitHub()

const list = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
const heads = () => createGitHubClient(fake, tokens.readOnly).github.listQueueHeads()
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
    ['has trouble', serverError(500)],
    ['is no list', okAnswer({ message: 'ok' })],
    ['holds something else', okAnswer([reference, {}])],
    ['leads back', linked('<http://127.0.0.1/refs?page=1>; rel="next"')],
    ['leads too far', linked('<http://127.0.0.1/refs?page=9>; rel="next"')],
    ['leads nowhere', linked('<nowhere>; rel="next"')],
  ])('is unknown if its second page %s', async (_, fault) => {
    enqueue(150)
    fake.injectFaults(({ query }) => (query.page === '2' ? fault : undefined))
    await expect(heads()).rejects.toThrow(Error)
  })

  it('is complete if the header with the next page is lost', async () => {
    const all = enqueue(150)
    const items = all.map(sha => ({ ...reference, object: { sha } }))
    fake.injectFaults(({ route, query }) =>
      route === list
        ? okAnswer(items.slice((Number(query.page) - 1) * 100, Number(query.page) * 100))
        : undefined,
    )
    expect(await heads()).toEqual(new Set(all))
  })

  it('is unknown if it does not end', async () => {
    fake.injectFaults(({ route, query }) =>
      route === list
        ? linked(`<http://127.0.0.1/refs?page=${Number(query.page) + 1}>; rel="next"`)
        : undefined,
    )
    await expect(heads()).rejects.toThrow('100 pages')
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(100)
  })
})
