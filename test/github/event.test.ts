/** Tests reading of the workflow's event. */
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { parseEvent, readEvent } from '#github/event'
import { mergeGroupEvent } from '../support/github/merge-group-event.ts'
import { pullRequestEvent } from '../support/github/pull-request-event.ts'
import { sha } from '../support/github/records.ts'
import { useWorkspace } from '../support/workspace.ts'

const environment = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_REPOSITORY: 'octo-org/shop',
  GITHUB_REPOSITORY_ID: '1296269',
  GITHUB_ACTOR: 'octocat',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '42',
  GITHUB_RUN_ATTEMPT: '2',
}

const parse = (payload: unknown) => parseEvent(environment, JSON.stringify(payload))

describe('the npm source of the action', () => {
  test.each([
    ['acme/managed-database-action', 'v1', undefined, 'github:acme/managed-database-action#v1'],
    ['acme/managed-database-action', '', undefined, 'github:acme/managed-database-action'],
    ['', '', undefined, undefined],
    ['acme/managed-database-action', 'v1', 'https://git.example', undefined],
  ])('%s at %s on %s', (GITHUB_ACTION_REPOSITORY, GITHUB_ACTION_REF, GITHUB_SERVER_URL, source) => {
    const environment = { GITHUB_ACTION_REPOSITORY, GITHUB_ACTION_REF, GITHUB_SERVER_URL }
    const { packageSource, explanation } = parseEvent(environment, undefined)
    expect(packageSource).toBe(source)
    const page = `https://github.com/${GITHUB_ACTION_REPOSITORY}/blob/${GITHUB_ACTION_REF || 'HEAD'}/docs/previews.md`
    expect(explanation).toBe(source && `${page}#the-comment`)
  })
})

describe('an event', () => {
  it('has the properties that a preview needs', () => {
    expect(parse(pullRequestEvent('opened', { number: 7 }))).toEqual({
      name: 'pull_request',
      action: 'opened',
      pullRequest: { number: 7, state: 'open', fromFork: false, labels: [], draft: false, commit: sha },
      mergeGroup: undefined,
      repository: 'octo-org/shop',
      repositoryId: '1296269',
      actor: 'octocat',
      runUrl: 'https://github.com/octo-org/shop/actions/runs/42/attempts/2',
      isPublic: false,
    })
  })

  test.each([
    ['opened', 'open'],
    ['synchronize', 'open'],
    ['closed', 'closed'],
  ] as const)('%s is %s', (action, state) => {
    expect(parse(pullRequestEvent(action))).toMatchObject({ action, pullRequest: { state } })
  })

  it.each([true, false])('of a repository that is private: %s', isPrivate => {
    const payload = JSON.stringify({ repository: { private: isPrivate } })
    expect(parseEvent({}, payload).isPublic).toBe(!isPrivate)
  })

  it('has the labels of the pull request, and whether it is a draft', () => {
    const event = pullRequestEvent('labeled', { labels: ['bug', 'preview'], draft: true })
    expect(parse(event).pullRequest).toMatchObject({ labels: ['bug', 'preview'], draft: true })
  })

  it('of the merge queue has its commit', () => {
    const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
    const payload = mergeGroupEvent({ ref: 'refs/heads/gh-readonly-queue/main/pr-7-0', sha })
    const event = parseEvent({ ...environment, GITHUB_EVENT_NAME: 'merge_group' }, JSON.stringify(payload))
    expect(event).toMatchObject({
      name: 'merge_group',
      action: 'checks_requested',
      mergeGroup: { headSha: sha },
      pullRequest: undefined,
    })
  })

  it.each([undefined, '', '6dcb09b', 'main', '../main'])(
    'of the merge queue with %j has no entry',
    head_sha => {
      expect(parse({ action: 'checks_requested', merge_group: { head_sha } }).mergeGroup).toBeUndefined()
    },
  )

  it('is read in the same way on pull_request_target', () => {
    const target = { ...environment, GITHUB_EVENT_NAME: 'pull_request_target' }
    expect(parseEvent(target, JSON.stringify(pullRequestEvent('opened', { fromFork: true })))).toMatchObject({
      name: 'pull_request_target',
      pullRequest: { number: 7, state: 'open', fromFork: true },
    })
  })
})

const own = { repo: { id: 1 } }

test.each([
  ['the same repository', own, own, false],
  ['another repository', { repo: { id: 2 } }, own, true],
  ['a deleted fork', { repo: null }, own, true],
  ['a head that does not say', {}, own, false],
  ['no head', undefined, own, false],
  ['a base without repository', own, {}, true],
  ['no repository at all', undefined, undefined, false],
])('%s comes from a fork or not', (_, head, base, fromFork) => {
  const pull_request = { number: 7, state: 'open', head, base }
  expect(parse({ action: 'opened', pull_request }).pullRequest).toMatchObject({
    number: 7,
    state: 'open',
    fromFork,
  })
})

test.each([
  ['of SHA-1', 'a'.repeat(40), 'a'.repeat(40)],
  ['of SHA-256', 'b'.repeat(64), 'b'.repeat(64)],
  ['that is cut', 'a'.repeat(39), undefined],
  ['that is something else', 'a'.repeat(39).concat('|'), undefined],
  ['that is no text', 7, undefined],
  ['that is missing', undefined, undefined],
])('a commit %s', (_, sent, commit) => {
  const head = { ...own, sha: sent }
  const pull_request = { number: 7, state: 'open', head, base: own }
  expect(parse({ action: 'opened', pull_request }).pullRequest?.commit).toBe(commit)
})

test('the event builder supports deleted forks', () => {
  const { pullRequest } = parse(pullRequestEvent('closed', { fromFork: true, deletedFork: true }))
  expect(pullRequest).toMatchObject({ number: 7, state: 'closed', fromFork: true, commit: sha })
})

const right = { number: 7, state: 'open', head: own, base: own }

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['what is no JSON', '{"pull_request": {"number": 7,'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"pull_request"'],
  ['a schedule', '{"schedule":"0 3 * * *"}'],
  ['a pull request that is null', '{"pull_request":null}'],
  ['a number that is a text', JSON.stringify({ pull_request: { ...right, number: '7' } })],
  ['number 0', JSON.stringify({ pull_request: { ...right, number: 0 } })],
  ['a number with a fraction', JSON.stringify({ pull_request: { ...right, number: 7.5 } })],
  ['an unknown state', JSON.stringify({ pull_request: { ...right, state: 'merged' } })],
  ['no state', JSON.stringify({ pull_request: { ...right, state: undefined } })],
  ['a repository without id', JSON.stringify({ pull_request: { ...right, head: { repo: {} } } })],
])('%s is an event without a pull request', (_, text) => {
  expect(parseEvent(environment, text)).toMatchObject({ name: 'pull_request', pullRequest: undefined })
})

test.each([
  ['a number', { action: 7 }],
  ['an object', { action: {} }],
  ['missing', {}],
])('the action %s is undefined', (_, payload) => {
  expect(parse(payload).action).toBeUndefined()
})

test('a payload cannot reach inherited properties', () => {
  expect(parseEvent(environment, '{"__proto__":{"action":"opened"}}').action).toBeUndefined()
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['nonsense', undefined],
  ['https://github.com', undefined],
  ['https://GitHub.com/', undefined],
  ['https://Git.example', 'git.example'],
  ['https://git.example:8443/', 'git.example:8443'],
  ['https://team.ghe.com', 'team.ghe.com'],
])('the server at %j is %j', (GITHUB_SERVER_URL, server) => {
  expect(parseEvent({ ...environment, GITHUB_SERVER_URL }, undefined).server).toBe(server)
})

describe('the page of the run', () => {
  const runUrl = (change: NodeJS.ProcessEnv) => parseEvent({ ...environment, ...change }, undefined).runUrl

  test.each([
    ['names the attempt', {}, 'https://github.com/octo-org/shop/actions/runs/42/attempts/2'],
    [
      'does without the attempt',
      { GITHUB_RUN_ATTEMPT: '' },
      'https://github.com/octo-org/shop/actions/runs/42',
    ],
    [
      'is on the Enterprise Server',
      { GITHUB_SERVER_URL: 'https://git.example' },
      'https://git.example/octo-org/shop/actions/runs/42/attempts/2',
    ],
    ['is unknown without a run', { GITHUB_RUN_ID: undefined }, ''],
    ['is unknown without a repository', { GITHUB_REPOSITORY: undefined }, ''],
  ])('%s', (_, change, url) => {
    expect(runUrl(change)).toBe(url)
  })
})

test('an empty environment is an event without properties', () => {
  expect(parseEvent({}, undefined)).toEqual({
    name: '',
    action: undefined,
    pullRequest: undefined,
    mergeGroup: undefined,
    repository: '',
    repositoryId: '',
    actor: '',
    runUrl: '',
    isPublic: false,
  })
})

describe('the event file', () => {
  const { path: folder, write } = useWorkspace()

  it('is read', () => {
    write({ event: JSON.stringify(pullRequestEvent('opened', { number: 9 })) })
    const file = join(folder, 'event')
    expect(readEvent({ ...environment, GITHUB_EVENT_PATH: file }).pullRequest?.number).toBe(9)
  })

  test.each([
    ['is missing', join(folder, 'nothing.json')],
    ['is a folder', folder],
    ['is not named', undefined],
  ])('without a pull request if it %s', (_, file) => {
    const event = readEvent({ ...environment, GITHUB_EVENT_PATH: file })
    expect(event).toEqual(parseEvent(environment, undefined))
  })
})
