/** Tests the comment on a pull request. */
import { describe, expect, it, test } from 'vitest'
import { GitHubRefusalError, GitHubUnclearError, GitHubUnreachableError } from '#github/ask/errors'
import { renderMarker } from '#github/comment/sections'
import type { PreviewReport } from '#preview/base/github'
import { type GitHubFault, page, secondaryLimit, serverError } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { actionsBot, octocat, previewApp, tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import {
  addressOf,
  always,
  creating,
  deleted,
  name,
  onlyUpdate,
  ready,
  writerTo,
} from './support/comments.ts'
import { shown } from './support/preview-section.ts'

const fake = useFakeGitHub(7)

const write = writerTo(fake)
const bodies = () => fake.commentsOf(7).map(({ body }) => body)
const sent = (method: string) => fake.requests.filter(request => request.method === method)

describe('the comment', () => {
  it('stays the same one in all states', async () => {
    const address = await write(creating)
    expect(address).toBe(addressOf(fake.commentsOf(7)[0]?.id))
    for (const report of [ready, deleted]) {
      // A run of its own, as for another push.
      expect(await write(report, onlyUpdate)).toBe(address)
    }
    expect(bodies()).toEqual([expect.stringContaining('deleted')])
    expect(sent('POST').filter(({ route }) => route !== 'POST /graphql')).toHaveLength(1)
  })

  it('stays a single one if two runs write it at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const number = fake.openPullRequest()
      const write = () =>
        createGitHubClient(fake, tokens.actions).github.writeComment(number, shown(ready), always)
      const addresses = await Promise.all([write(), write()])
      expect(fake.commentsOf(number)).toHaveLength(1)
      expect(new Set(addresses).size).toBe(1)
    }
    expect(sent('DELETE').length).toBeGreaterThan(0)
  })

  it('is not created if it must only be updated', async () => {
    expect(await write(deleted, onlyUpdate)).toBeUndefined()
    expect(bodies()).toEqual([])
  })

  it('is one for each preview', async () => {
    const names = [name, 'other-pr-7-0a1b2c3d', 'preview-pr-7-0a1b2c3d2']
    const { github } = createGitHubClient(fake, tokens.actions)
    for (const name of names) await github.writeComment(7, shown({ ...ready, name }), always)
    expect(bodies().map(body => body.split('\n')[0])).toEqual(names.map(renderMarker))
  })

  it('of an older version of the action is updated', async () => {
    // Written out, so that a marker that changes is seen: every team's comments would be doubled.
    const marker = '<!-- managed-database-action:preview:preview-pr-7-0a1b2c3d -->'
    const { id } = fake.addComment(7, `${marker}\n### Preview database: ready\n\nas it was`)
    const address = await write(deleted, onlyUpdate)
    expect(address).toBe(addressOf(id))
    expect(bodies()).toEqual([expect.stringMatching(/^<!-- .* -->\n### ⚪ Preview database was deleted\n/)])
  })

  it('is the oldest of several', async () => {
    const [first, second] = [0, 1].map(() => fake.addComment(7, `${renderMarker(name)}\nold`))
    expect(await write(ready)).toBe(addressOf(first?.id))
    expect(second?.body).toBe(`${renderMarker(name)}\nold`)
  })

  it('is created again if its marker was removed after this run wrote it', async () => {
    const { github } = createGitHubClient(fake, tokens.actions)
    await github.writeComment(7, shown(creating), always)
    Object.assign(fake.commentsOf(7)[0] as object, { body: 'of a person now' })
    await github.writeComment(7, shown(ready), always)
    expect(bodies()).toEqual(['of a person now', expect.stringContaining('db.example')])
  })

  it('contains no known secret, encoded or not', async () => {
    const report: PreviewReport = {
      ...ready,
      state: 'failed',
      problem: 'refused hush-hush',
      // Without the invisible character, it is the secret.
      host: 'hush-\u200bhush.example',
    }
    const { github } = createGitHubClient(fake, tokens.actions, {
      redact: text => text.replaceAll('hush-hush', '***'),
    })
    await github.writeComment(7, shown(report), always)
    expect(bodies()[0]).toContain('refused ***')
    expect(bodies()[0]).not.toContain('hush')
  })
})

describe("another account's comment with the marker", () => {
  test.each([
    ['by a user', octocat, tokens.actions],
    ['by another app', previewApp, tokens.actions],
    ['by the bot of the jobs, where the token is a user’s', actionsBot, tokens.personal],
    ['by the bot of the jobs, where the token is an app’s', actionsBot, tokens.app],
  ])('%s stays unchanged', async (_, author, token) => {
    const theirs = fake.addComment(7, `${renderMarker(name)}\ntheirs`, author)
    await write(ready, always, token)
    expect(theirs.body).toBe(`${renderMarker(name)}\ntheirs`)
    expect(sent('PATCH')).toEqual([])
    expect(bodies()).toHaveLength(2)
  })

  test.each(['github-actions', 'github-actions-fan', 'not-github-actions[bot]'])(
    'by %s stays unchanged without GraphQL',
    async login => {
      const theirs = fake.addComment(7, renderMarker(name), { ...octocat, login })
      fake.injectFaults(({ path }) => (path === '/graphql' ? page(404) : undefined))
      await write(ready)
      expect(theirs.body).toBe(renderMarker(name))
      expect(bodies()).toHaveLength(2)
    },
  )

  it('by a deleted account stays unchanged', async () => {
    const theirs = { id: 1, html_url: 'https://github.example/1', body: renderMarker(name), user: null }
    fake.injectFaults(({ method, path, route }) => {
      if (path === '/graphql') return serverError()
      return method === 'GET' && route?.endsWith('/comments')
        ? { kind: 'answer', answer: { status: 200, body: [theirs] } }
        : undefined
    })
    await write(ready)
    expect(sent('PATCH')).toEqual([])
  })

  test.each([
    ['quoted', `> ${renderMarker(name)}`],
    ['not in the first line', `Look:\n${renderMarker(name)}`],
    ['in the middle of a line', `Look: ${renderMarker(name)}`],
    ['of another preview', renderMarker('preview-pr-8-0a1b2c3d')],
    ['nowhere', ''],
  ])("is not taken for the preview's comment if its own text has the marker %s", async (_, body) => {
    const other = fake.addComment(7, body)
    await write(ready)
    expect(other.body).toBe(body)
  })
})

describe('the author', () => {
  test.each([
    ['the bot of the jobs', tokens.actions, actionsBot],
    ['the bot of an app', tokens.app, previewApp],
    ['the user of the token', tokens.personal, octocat],
  ])('%s finds its own comment again, also if GraphQL fails once', async (_, token, author) => {
    await write(creating, always, token)
    const faults = [serverError()]
    fake.injectFaults(({ path }) => (path === '/graphql' ? faults.pop() : undefined))
    await write(ready, always, token)
    expect(fake.commentsOf(7)).toMatchObject([{ author, body: expect.stringContaining('ready') }])
  })

  test.each([
    ['fails', serverError()],
    ['is not there', page(404)],
    ['answers something else', { kind: 'answer', answer: { status: 200, body: { errors: [] } } }],
  ] as [string, GitHubFault][])("is the jobs' bot if GraphQL %s", async (_, fault) => {
    const ours = fake.addComment(7, renderMarker(name))
    fake.injectFaults(({ path }) => (path === '/graphql' ? fault : undefined))
    await write(ready)
    expect(ours.body).toContain('db.example')
  })

  it('is unknown if GraphQL is unreachable, so no second comment is written', async () => {
    await write(creating, always, tokens.app)
    fake.injectFaults(({ path }) => (path === '/graphql' ? { kind: 'reset' } : undefined))
    await expect(write(ready, always, tokens.app)).rejects.toThrow(GitHubUnreachableError)
    expect(fake.commentsOf(7)).toHaveLength(1)
  })

  it('is read once', async () => {
    fake.injectFaults(({ path }) => (path === '/graphql' ? page(404) : undefined))
    const { github } = createGitHubClient(fake, tokens.actions)
    for (const report of [creating, ready, deleted]) await github.writeComment(7, shown(report), always)
    expect(fake.requests.filter(({ path }) => path === '/user')).toHaveLength(1)
  })

  it('is read again after a doubtful answer', async () => {
    const { github } = createGitHubClient(fake, tokens.personal)
    fake.injectFaults(() => serverError())
    await expect(github.writeComment(7, shown(creating), always)).rejects.toThrow(GitHubUnclearError)
    fake.injectFaults(() => undefined)
    await github.writeComment(7, shown(ready), always)
    expect(fake.commentsOf(7)).toMatchObject([{ author: octocat }])
  })

  it('is doubtful if the answer is not a user: no comment is written', async () => {
    fake.injectFaults(({ path }) => {
      if (path === '/graphql') return serverError()
      return path === '/user' ? { kind: 'answer', answer: { status: 200, body: {} } } : undefined
    })
    await expect(write(ready, always, tokens.personal)).rejects.toThrow(GitHubUnclearError)
    expect(bodies()).toEqual([])
  })
})

describe('a comment that cannot be written', () => {
  it('with a read-only token names the missing permission', async () => {
    const failure = await write(ready, always, tokens.readOnly).catch(error => error)
    expect(failure).toBeInstanceOf(GitHubRefusalError)
    expect(failure).toMatchObject({ status: 403, next: expect.stringContaining('pull-requests: write') })
    expect(sent('POST').filter(({ route }) => route?.endsWith('/comments'))).toHaveLength(1)
  })

  it('on a missing pull request is an error', async () => {
    fake.pullRequests.delete(7)
    await expect(write(ready)).rejects.toMatchObject({ status: 404 })
  })

  test.each([
    ['trouble', serverError()],
    ['half a page', { kind: 'half' }],
    ['a rate limit', secondaryLimit(403, 600)],
    ['a page of a proxy', page(200)],
  ] as [string, GitHubFault][])('is not sent if the list of comments has %s', async (_, fault) => {
    for (let index = 0; index < 101; index++) fake.addComment(7, 'Hello', octocat)
    fake.injectFaults(({ path, query }) => {
      if (path === '/graphql') return serverError()
      return query.page === '2' ? fault : undefined
    })
    await expect(write(ready)).rejects.toThrow(Error)
    expect(fake.commentsOf(7)).toHaveLength(101)
  })
})
