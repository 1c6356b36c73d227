/** Tests the search for the action's own comments. */
import { beforeEach, describe, expect, it, test } from 'vitest'
import { renderMarker } from '#github/comment/sections'
import { refuse } from '../support/github/answer.ts'
import type { GitHubRequestSeen } from '../support/github/fake-github.ts'
import { type GitHubFault, okAnswer } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { actionsBot, octocat, tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { shown } from './support/preview-section.ts'

const fake = useFakeGitHub(7)

const name = 'preview-pr-7-0a1b2c3d'
const list = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'

/** Writes the states as one run does; gives the address of the comment. */
async function write(...states: ('creating' | 'ready')[]): Promise<string | undefined> {
  const { github } = createGitHubClient(fake, tokens.actions)
  let address: string | undefined
  for (const state of states)
    address = await github.writeComment(7, shown({ state, name }), { onlyUpdate: false })
  return address
}

const addComments = (count: number, author = octocat) => {
  for (let index = 0; index < count; index++) fake.addComment(7, `Comment ${index}`, author)
}
const isWrite = ({ method, path }: GitHubRequestSeen) =>
  method === 'PATCH' || (method === 'POST' && path !== '/graphql')
const reads = () => fake.requests.filter(request => !isWrite(request))
const own = () => fake.commentsOf(7).filter(({ body }) => body.startsWith(renderMarker(name)))
const addressOf = (id: number | undefined) => `https://github.example/octo-org/shop/pull/7#issuecomment-${id}`

/** As long as a text may be, of the character that takes most bytes in JSON. */
const longest = JSON.stringify('€'.repeat(65_536)).replaceAll('€', '\\ud83d\\ude00')

describe('reading the comments takes', () => {
  test.each([
    [0, 3],
    [15, 3],
    [98, 3],
    [99, 4],
    [100, 4],
    [1000, 4],
    [9990, 4],
  ])('if a run finds %i of others and writes its own, %i requests', async (count, expected) => {
    addComments(count)
    expect(await write('creating', 'ready')).toBe(addressOf(own()[0]?.id))
    expect(own()).toHaveLength(1)
    expect(reads()).toHaveLength(expected)
  })

  test.each([
    ['the first', 0, 1000, 3],
    ['the last', 1000, 0, 4],
    ['in the middle', 500, 500, 4],
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

  it('at most five requests if other workflows have written 2,500 with the same account', async () => {
    addComments(2500, actionsBot)
    await write('creating', 'ready')
    expect(own()).toHaveLength(1)
    expect(reads()).toHaveLength(5)
  })
})

describe('texts of other workflows with the same account', () => {
  /** Answers each question for texts with the longest ones. */
  function lengthenTexts(): void {
    fake.injectFaults(({ path, body }) => {
      const { variables = {} } = (body ?? {}) as { variables?: Record<string, string[]> }
      const names = Object.keys(variables).filter(key => /^t\d+$/.test(key))
      if (path !== '/graphql' || names.length === 0) return undefined
      const lists = names.map(key => `"${key}":[${(variables[key] ?? []).map(id => renderText(id)).join()}]`)
      const headers = { 'content-type': 'application/json' }
      return { kind: 'answer', answer: { status: 200, headers, body: `{"data":{${lists.join()}}}` } }
    })
  }

  function renderText(nodeId: string): string {
    const found = fake
      .commentsOf(7)
      .find(({ id }) => Buffer.from(nodeId, 'base64url').toString().includes(String(id)))
    const facts = { viewerDidAuthor: true, url: addressOf(found?.id), updatedAt: found?.updatedAt }
    const text = found?.body.startsWith('Comment') ? longest : JSON.stringify(found?.body)
    return `${JSON.stringify({ fullDatabaseId: String(found?.id), ...facts }).slice(0, -1)},"body":${text}}`
  }

  it('are read in portions if all together are too large', async () => {
    addComments(40, actionsBot)
    const { id } = fake.addComment(7, renderMarker(name))
    lengthenTexts()
    expect(await write('ready')).toBe(addressOf(id))
    expect(fake.requests.filter(({ body }) => JSON.stringify(body)?.includes('nodes(ids'))).toHaveLength(3)
    expect(fake.requests.filter(({ route }) => route === list)).toEqual([])
  })

  it('may be deleted during the read', async () => {
    addComments(20, actionsBot)
    const { id } = fake.addComment(7, renderMarker(name))
    let isFirst = true
    fake.injectFaults(({ path }) => {
      if (path === '/graphql' && !isFirst) fake.world.comments.splice(18, 1)
      isFirst = false
      return undefined
    })
    expect(await write('ready')).toBe(addressOf(id))
    expect(fake.requests.filter(({ route }) => route === list)).toEqual([])
  })
})

describe('all comments are listed page by page', () => {
  const author = (id: number) => ({ id: `${id}`, fullDatabaseId: `${id}`, viewerDidAuthor: false })
  const text = { ...author(1), url: '', updatedAt: '', body: '' }
  const answer = (totalCount: number, pages: object) =>
    okAnswer({ data: { repository: { pullRequest: { comments: { totalCount, nodes: [] }, ...pages } } } })
  const full = { nodes: Array.from({ length: 100 }, (_, index) => author(index + 1)) }

  test.each<[string, GitHubFault]>([
    ['there is no GraphQL', { kind: 'answer', answer: refuse(404, 'Not Found') }],
    ['it does not know a field', okAnswer({ errors: [{ message: "Field 'fullDatabaseId' doesn't exist" }] })],
    [
      'it refuses the pull request',
      okAnswer({ data: { repository: { pullRequest: null } }, errors: [{ message: 'No' }] }),
    ],
    ['its page has fewer than its total', answer(2, { p0: { nodes: [author(1)] } })],
    ['its page is missing', answer(0, {})],
    ['its page holds something else', answer(1, { p0: { nodes: [null] } })],
    [
      'its pages do not end',
      answer(100, Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, full]))),
    ],
  ])('if %s', async (_, fault) => {
    const { id } = fake.addComment(7, renderMarker(name))
    fake.injectFaults(({ path, body }) =>
      path === '/graphql' && JSON.stringify(body).includes('pullRequest') ? fault : undefined,
    )
    expect(await write('ready')).toBe(addressOf(id))
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(1)
  })

  it('if only its last page is full', async () => {
    const { id } = fake.addComment(7, renderMarker(name))
    const answers = [answer(100, { p0: full }), answer(100, { p0: { nodes: [author(101)] }, p1: full })]
    fake.injectFaults(({ path, body }) =>
      path === '/graphql' && JSON.stringify(body).includes('pullRequest') ? answers.shift() : undefined,
    )
    expect(await write('ready')).toBe(addressOf(id))
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(1)
  })

  it('if a text is missing', async () => {
    addComments(20, actionsBot)
    const { id } = fake.addComment(7, renderMarker(name))
    const nodes = [...Array.from({ length: 5 }, () => text), null]
    fake.injectFaults(({ path, body }) =>
      path === '/graphql' && JSON.stringify(body).includes('nodes(ids')
        ? okAnswer({ data: { t0: nodes } })
        : undefined,
    )
    expect(await write('ready')).toBe(addressOf(id))
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(2)
  })
})

describe('the list of comments', () => {
  beforeEach(() => fake.world.comments.splice(0))
  const noGraphql = ({ path }: GitHubRequestSeen): GitHubFault | undefined =>
    path === '/graphql' ? { kind: 'answer', answer: refuse(404, 'Not Found') } : undefined

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
    fake.injectFaults(request => {
      const { route, query } = request
      if (route !== list) return noGraphql(request)
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
    fake.injectFaults(request =>
      request.route === list
        ? { kind: 'answer', answer: { status: 200, headers, body } }
        : noGraphql(request),
    )
    await expect(write('ready')).rejects.toThrow('larger than 16777216 bytes')
    expect(fake.requests.filter(({ route }) => route === list)).toHaveLength(1)
    expect(fake.commentsOf(7)).toEqual([])
  })
})
