/** Tests create-preview from an event to a READY preview. */
import { describe, expect, it, test } from 'vitest'
import { ApiError } from '#base/errors'
import { GitHubFailure, type Outlook } from '#preview/base/github-failure'
import { derivePassword } from '#preview/base/password'
import { previewBase, pullRequest } from '../simulator/preview-names.ts'
import { keys } from '../simulator/world.ts'
import { refused } from './support/courses.ts'
import { eventOf, minute, pushEvent } from './support/inputs.ts'
import { Stage, stagePreview } from './support/stage.ts'

const create = 'create-preview'
const passwordFor = (id: string | undefined) => derivePassword(keys.secretKey, id ?? '')

describe('a pull request without a preview', () => {
  it('gets a fork of the parent, READY and with the derived password', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { event: eventOf('opened') })
    const id = run.id
    expect(run.error).toBeUndefined()
    expect(run.warnings).toEqual([])
    expect(stage.livePreviews()).toEqual([id])
    expect(stage.service(id)).toMatchObject({
      name: expect.stringMatching(new RegExp(`^${previewBase()}-[a-z0-9]{6}$`)),
      status: 'READY',
      forked_from: { service_id: stage.parent },
      metadata: { environment: 'DEV' },
    })
    expect(stage.passwordOf(id)).toBe(passwordFor(id))
    expect(run.masked).toContain(passwordFor(id))
    expect(run.outcome).toMatchObject({
      operation: create,
      resource: 'service',
      ids: { service_id: id },
      record: { service_id: id, status: 'READY' },
      password: passwordFor(id),
      created: true,
      changed: true,
      pullRequest,
      commentUrl: `https://github.example/comment-of-${pullRequest}`,
    })
    expect(run.outcome?.skipped).toBeUndefined()
    const waits = run.outcome?.timeline?.spans.filter(({ isWait }) => isWait)
    expect(waits).toEqual([
      expect.objectContaining({
        name: `waiting for service ${run.id} to be ready`,
        watched: {
          id: run.id,
          history: expect.arrayContaining([expect.objectContaining({ status: 'READY' })]),
        },
      }),
    ])
  })

  it('gets a comment that shows the preview as creating, then as ready', async () => {
    const stage = new Stage()
    const id = (await stage.run(create)).id
    const service = stage.service(id)
    expect(stage.comments).toEqual([
      { pullRequest, state: 'creating', name: previewBase(), data: 'unknown', parentId: stage.parent },
      {
        pullRequest,
        state: 'ready',
        name: previewBase(),
        serviceId: id,
        host: service?.endpoint?.host,
        port: service?.endpoint?.port,
        database: 'tsdb',
        user: 'tsdbadmin',
        url: `postgresql://tsdbadmin@${service?.endpoint?.host}:5432/tsdb?sslmode=require`,
        status: 'READY',
        data: 'now',
        parentId: stage.parent,
        createdAt: service?.created,
        size: '0.5 CPU, 2 GB',
        facts: [],
        quarantine: '1 job',
        quarantineDetails: ['quarantined job in tsdb: send_mail'],
      },
    ])
  })

  it('gets an empty one if no parent is given, always DEV', async () => {
    const stage = new Stage()
    const given = { addons: ['time-series'], region_code: 'eu-central-1' }
    const run = await stage.run(create, { given })
    expect(stage.service(run.id)).toMatchObject({
      service_type: 'TIMESERIESDB',
      region_code: 'eu-central-1',
      metadata: { environment: 'DEV' },
    })
    expect(run.idsOf('fork-service')).toEqual([])
  })

  test.each([
    [
      'neither a parent nor `empty`',
      {},
      false,
      'service_id: expected the id of the parent, but the input arrived',
    ],
    ['both', { service_id: 's1' }, true, 'empty: expected either service_id or `empty: true`, got both'],
  ])('gets none, and causes no request, if the inputs are %s', async (_, given, empty, problem) => {
    const run = await new Stage().run(create, { given, preview: { empty } })
    expect(run.error?.message).toContain(problem)
    expect(run.calls).toEqual([])
  })

  test.each([
    ['the last snapshot by default', undefined, 'LAST_SNAPSHOT'],
    ['the present data if the inputs request it', 'NOW', 'NOW'],
  ])('gets %s', async (_, asked, fork_strategy) => {
    const stage = new Stage()
    const run = await stage.run(create, {
      given: { service_id: stage.parent, fork_strategy: asked, cpu_millis: '500' },
    })
    const fork = run.calls.find(({ name }) => name === 'fork-service')
    expect(fork).toMatchObject({ id: stage.parent, body: { fork_strategy, cpu_millis: '500' } })
    expect(run.warnings).toEqual([])
  })

  it('gets the data of NOW, with a warning, if there is no snapshot yet', async () => {
    const stage = new Stage()
    stage.onCall('fork-service', () =>
      refused(400, "the service doesn't yet have any backups or snapshots available"),
    )
    const run = await stage.run(create, { given: { service_id: stage.parent } })
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.warnings).toEqual([
      `${stage.parent} has no snapshot to fork from yet: forking its present data`,
    ])
  })

  test.each([
    ['if the API refuses it for another reason', 'LAST_SNAPSHOT', 400, 'no room'],
    ['if NOW was requested', 'NOW', 400, 'no snapshot'],
    ['if the same message has another status', 'LAST_SNAPSHOT', 409, 'no room'],
  ])('gets none %s', async (_, fork_strategy, status, message) => {
    const stage = new Stage()
    stage.onEveryCall('fork-service', () => refused(status, message))
    const run = await stage.run(create, { given: { service_id: stage.parent, fork_strategy } })
    expect(run.error).toBeInstanceOf(ApiError)
    expect(run.idsOf('fork-service')).toHaveLength(1)
    expect(stage.livePreviews()).toEqual([])
    expect(stage.comments.at(-1)).toMatchObject({
      state: 'failed',
      problem: `fork-service failed with ${status} REFUSED: ${message}`,
    })
  })
})

describe('a pull request that has its preview', () => {
  it('gets the same one, with nothing changed', async () => {
    const stage = new Stage()
    const first = await stage.run(create)
    stage.advanceTime(10 * minute)
    const second = await stage.run(create)
    expect(second.outcome).toMatchObject({
      ids: { service_id: first.id },
      password: first.outcome?.password,
      created: false,
      changed: false,
    })
    expect(second.calls.map(({ name }) => name)).toEqual([
      'readPullRequest',
      'list-services',
      'openContents',
      'list-services',
      'openContents',
      'readPullRequest',
      'writeComment',
    ])
    expect(stage.commentStates()).toEqual(['creating', 'ready', 'ready'])
  })

  it('gets the derived password if it has another one, with a warning', async () => {
    const { stage, id } = stagePreview()
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ ids: { service_id: id }, created: false, changed: false })
    expect(stage.passwordOf(id)).toBe(passwordFor(id))
    expect(run.warnings).toEqual([
      expect.stringContaining('had another password'),
      expect.stringContaining('has no note'),
    ])
  })
})

test('no comment is written with comment: false', async () => {
  const stage = new Stage()
  const run = await stage.run(create, { preview: { comment: false } })
  expect(run.outcome).toMatchObject({ created: true, commentUrl: undefined })
  expect(run.idsOf('writeComment')).toEqual([])
})

test.each<[Outlook, number]>([
  ['passes', 2],
  ['limit', 1],
  ['lasts', 1],
])('a comment whose refusal %s is tried %i times in a step', async (outlook, times) => {
  class Refused extends GitHubFailure {}
  const stage = new Stage()
  stage.onEveryCall('writeComment', () => new Refused('not accessible', 'grant it', { outlook }))
  const run = await stage.run(create)
  expect(run.idsOf('writeComment')).toHaveLength(times)
  expect(run.warnings).toEqual([expect.stringContaining('not accessible — grant it')])
})

test('an unreachable GitHub is one warning, for the pull request and the comment', async () => {
  const stage = new Stage()
  for (const question of ['readPullRequest', 'writeComment'])
    stage.onEveryCall(question, () => new Error('GitHub is down'))
  for (const operation of ['preview', create]) {
    const run = await stage.run(operation, { event: eventOf('opened') })
    expect(run.outcome?.ids.service_id).toBeDefined()
    expect(run.warnings).toEqual([expect.stringContaining('GitHub is down')])
    // The consequence is logged anyway, once.
    const failureLines = run.lines.filter(line => line.includes('GitHub is down'))
    expect(failureLines).toContainEqual(
      expect.stringMatching(/^the comment .* is not written: GitHub is down/),
    )
    expect(failureLines).toEqual([...new Set(failureLines)])
  }
})

describe('which preview', () => {
  test('preview_name counts before both, with or without its random part', async () => {
    const stage = new Stage()
    stage.setPullRequest('open', 12)
    const first = await stage.run(create, { preview: { previewName: previewBase(12), pullRequest: 5 } })
    const { name } = stage.service(first.id) ?? {}
    const second = await stage.run(create, { preview: { previewName: name } })
    expect([first.id, second.id]).toEqual([stage.livePreviews(12)[0], stage.livePreviews(12)[0]])
  })

  test.each([
    [
      'a name that is not of our grammar',
      { previewName: 'production' },
      'preview_name: production is not the name',
    ],
    [
      'the name of another repository',
      { previewName: 'preview-pr-7-ffffffff' },
      'preview_name: preview-pr-7-ffffffff is not the name of a preview of this repository, whose names are like preview-pr-7-',
    ],
    ['a pull request that is not there', { pullRequest: 9999 }, 'there is no pull request 9999 in octo/shop'],
  ])('fails with %s', async (_, preview, expected) => {
    const stage = new Stage()
    const run = await stage.run(create, { preview })
    expect(run.error?.message).toContain(expected)
    expect(run.idsOf('fork-service')).toEqual([])
    expect(stage.comments).toEqual([])
  })

  test('fails if the event has no pull request and none is set', async () => {
    const stage = new Stage()
    const run = await stage.run(create, {
      event: pushEvent,
    })
    expect(run.error?.message).toBe('the event push has no pull request, and none is given')
    expect(run.calls).toEqual([])
  })

  test('fails if the environment does not name the repository', async () => {
    const run = await new Stage().run(create, { event: { repositoryId: '' } })
    expect(run.error?.message).toContain('GITHUB_REPOSITORY_ID is missing')
    expect(run.error?.next).toContain('act --env GITHUB_REPOSITORY_ID=1')
  })
})
