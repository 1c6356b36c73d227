/** Tests reading of changed files. */
import { describe, expect, it } from 'vitest'
import { GitHubRefusalError, GitHubUnclearError } from '#github/ask/errors'
import { refuse } from '../support/github/answer.ts'
import { startFakeGitHub } from '../support/github/fake-github.ts'
import { type GitHubFault, okAnswer } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'

const fake = useFakeGitHub()

const ofNumber = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const ofTree = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'
const read = (token: string = tokens.readOnly) => createGitHubClient(fake, token).github.readFiles(7)
const strikeOn = (route: string, fault: GitHubFault) =>
  fake.injectFaults(request => (request.route === route ? fault : undefined))

const sha = 'a'.repeat(40)
const entry = { path: 'db/1_a.sql', mode: '100644', type: 'blob', sha }
const pullRequest = { number: 7, head: { sha }, base: { repo: { id: 1296269 } } }

describe('the files of a pull request', () => {
  it('are those of its newest commit, each with its Git hash', async () => {
    fake.openPullRequest({ number: 7 })
    fake.push(7, { 'db/1_a.sql': 'select 1' })
    const first = await read()
    fake.push(7, { 'db/1_a.sql': 'select 1', 'db/sub/2_b.sql': 'select 2' })
    const second = await read()
    expect([...second.keys()]).toEqual(['db/1_a.sql', 'db/sub/2_b.sql'])
    expect(second.get('db/1_a.sql')).toBe(first.get('db/1_a.sql'))
    expect(fake.requests.map(({ route, query }) => [route, query])).toEqual([
      [ofNumber, {}],
      [ofTree, { recursive: '1' }],
      [ofNumber, {}],
      [ofTree, { recursive: '1' }],
    ])
  })

  it('are those after a force-push', async () => {
    fake.openPullRequest({ number: 7 })
    const old = fake.push(7, { 'db/1_a.sql': 'select 1' })
    fake.push(7, { 'db/1_a.sql': 'select 2' }, { force: true })
    expect([...(await read()).keys()]).toEqual(['db/1_a.sql'])
    expect(fake.requests.map(({ path }) => path).join()).not.toContain(old)
  })

  it('of the default branch are those of its newest commit', async () => {
    fake.commits.set('main', { 'masking.yml': 'rules' })
    const files = await createGitHubClient(fake, tokens.readOnly).github.readFiles('default branch')
    // `git hash-object` of a file with this content.
    expect([...files]).toEqual([['masking.yml', '8b30841cdeae6458fe8bfca3e53f697bd46f64dd']])
    expect(fake.requests.map(({ route, path }) => [route, path.replace(/^.*\//, '')])).toEqual([
      ['GET /repos/{owner}/{repo}', expect.any(String)],
      [ofTree, 'main'],
    ])
  })

  it('of the default branch are not read if another repository has the name', async () => {
    const route = 'GET /repos/{owner}/{repo}'
    strikeOn(route, okAnswer({ id: 1, default_branch: 'main' }))
    await expect(
      createGitHubClient(fake, tokens.readOnly).github.readFiles('default branch'),
    ).rejects.toThrow(GitHubUnclearError)
    expect(fake.requests.map(request => request.route)).toEqual([route])
  })

  it('are readable on a GitHub Enterprise Server', async () => {
    const enterprise = await startFakeGitHub({ apiPath: '/api/v3' })
    try {
      enterprise.openPullRequest({ number: 7 })
      enterprise.push(7, { 'db/1_a.sql': 'select 1' })
      const files = await createGitHubClient(enterprise, tokens.readOnly).github.readFiles(7)
      expect([...files.keys()]).toEqual(['db/1_a.sql'])
    } finally {
      await enterprise.stop()
    }
  })

  it('contain no folders and no submodules', async () => {
    fake.openPullRequest({ number: 7 })
    fake.push(7, {})
    const others = [
      { ...entry, path: 'db', type: 'tree' },
      { ...entry, path: 'vendor', type: 'commit' },
    ]
    strikeOn(ofTree, okAnswer({ sha, truncated: false, tree: [...others, entry] }))
    expect([...(await read())]).toEqual([['db/1_a.sql', sha]])
  })

  it.each<[string, string, GitHubFault, new (...given: never[]) => Error]>([
    ['an incomplete list', ofTree, okAnswer({ sha, truncated: true, tree: [entry] }), GitHubUnclearError],
    ['a lost commit', ofTree, { kind: 'answer', answer: refuse(404, 'Not Found') }, GitHubRefusalError],
    [
      'an empty repository',
      ofTree,
      { kind: 'answer', answer: refuse(409, 'Git Repository is empty.') },
      GitHubRefusalError,
    ],
    ['no list', ofTree, okAnswer({ sha, truncated: false }), GitHubUnclearError],
    ['no word on whether these are all', ofTree, okAnswer({ sha, tree: [entry] }), GitHubUnclearError],
    [
      'a hash that is none',
      ofTree,
      okAnswer({ sha, truncated: false, tree: [{ ...entry, sha: 'x' }] }),
      GitHubUnclearError,
    ],
    ['a pull request without a commit', ofNumber, okAnswer({ ...pullRequest, head: {} }), GitHubUnclearError],
    ['no commit', ofNumber, okAnswer({ ...pullRequest, head: { sha: '../main' } }), GitHubUnclearError],
  ])('are unknown after %s', async (_, route, fault, error) => {
    fake.openPullRequest({ number: 7 })
    fake.push(7, { 'db/1_a.sql': 'select 1' })
    strikeOn(route, fault)
    await expect(read()).rejects.toThrow(error)
  })

  it.each([403, 404])('name the missing permission after %i', async status => {
    fake.openPullRequest({ number: 7 })
    strikeOn(ofTree, { kind: 'answer', answer: refuse(status, 'Resource not accessible by integration') })
    await expect(read()).rejects.toMatchObject({
      status,
      message: expect.stringContaining('reading the files of pull request 7 failed'),
      next: expect.stringContaining('contents: read'),
    })
  })
})

const ofChanged = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
const readChanged = () => createGitHubClient(fake, tokens.readOnly).github.readChangedFiles(7)
const changing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ filename: `db/${index}.sql` }))

describe('the changed files of a pull request', () => {
  it('come with both paths of a renamed file, and with removed files', async () => {
    const renamed = { filename: 'db/new.sql', previous_filename: 'old/1.sql', status: 'renamed' } as const
    fake.openPullRequest({ number: 7, changed: [renamed, { filename: 'db/gone.sql', status: 'removed' }] })
    expect(await readChanged()).toEqual(['db/new.sql', 'old/1.sql', 'db/gone.sql'])
  })

  it('are read over all pages, up to the 3,000 that GitHub lists', async () => {
    fake.openPullRequest({ number: 7, changed: changing(3000) })
    const files = await readChanged()
    expect([files.length, files.at(-1)]).toEqual([3000, 'db/2999.sql'])
    // The last page is full, so an empty one after it shows that nothing is missing.
    expect(fake.requests.filter(({ route }) => route === ofChanged)).toHaveLength(31)
  })

  it('are in doubt beyond 3,000 files, and no list is read', async () => {
    fake.openPullRequest({ number: 7, changed: changing(3001) })
    await expect(readChanged()).rejects.toThrow('3001 files, of which GitHub lists 3000')
    expect(fake.requests.map(({ route }) => route)).toEqual([ofNumber])
  })

  it('are in doubt after a list that lacks some', async () => {
    fake.openPullRequest({ number: 7, changed: changing(2) })
    strikeOn(ofChanged, okAnswer([]))
    await expect(readChanged()).rejects.toThrow('0 of 2 files')
  })
})
