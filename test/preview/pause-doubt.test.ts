/** Tests that any doubt keeps a preview running. */
import { describe, expect, it, test } from 'vitest'
import { pullRequest } from '../simulator/preview-names.ts'
import { changedAnswer, refused } from './support/courses.ts'
import { decisionOf, hour, stageUnusedPreview } from './support/idle.ts'
import { minute } from './support/inputs.ts'
import type { RunOptions, Stage } from './support/stage.ts'

describe('a preview keeps running because of', () => {
  type Scene = Awaited<ReturnType<typeof stageUnusedPreview>>
  const label = (name: string) => (stage: Stage) =>
    stage.world.pullRequests.set(pullRequest, { labels: [name] })
  const unknown = { state: 'open' as const, labels: [], draft: false }

  type Reason = [string, string, (scene: Scene) => unknown]
  const asking = (operation: string): Reason => [
    `a job that was given the connection by ${operation}, and does not use it yet`,
    'a job was given its connection less than 12h 00m ago',
    async ({ stage }) => {
      await stage.run(operation, operation === 'get-connection' ? { given: {} } : {})
      stage.advanceTime(11 * hour)
    },
  ]

  const reasons: Reason[] = [
    ...['create-preview', 'preview', 'get-connection'].map(asking),
    [
      'a push',
      'its pull request changed less than 12h 00m ago',
      ({ stage }) => stage.world.pullRequests.touch(pullRequest),
    ],
    ['an open session', 'it has 1 open session', ({ stage, id }) => void stage.world.sessions.set(id, 1)],
    ['several', 'it has 3 open sessions', ({ stage, id }) => void stage.world.sessions.set(id, 3)],
    ['its age', 'younger than 14h 00m', () => ({ preview: { pauseAfter: 14 * hour } })],
    ['the guard', 'it is tagged PROD', ({ stage, id }) => stage.setEnvironment(id, 'PROD')],
    ['another parent', 'it is no fork of', ({ stage }) => ({ given: { service_id: stage.other } })],
    [
      'a pooler',
      'its pooler may hold sessions',
      ({ stage, id }) => {
        stage.callAsOther('enable-pooler', { service_id: id })
        stage.advanceTime(minute)
      },
    ],
    [
      'read replica sets',
      'it has read replica sets',
      ({ stage, id }) => {
        stage.callAsOther('create-replica', {
          service_id: id,
          name: 'reads',
          nodes: 1,
          cpu_millis: 500,
          memory_gbs: 2,
        })
        stage.advanceTime(10 * minute)
      },
    ],
    [
      'a database that does not answer',
      'its open sessions are unknown (no answer)',
      ({ stage }) => stage.onCall('readActivity', () => new Error('no answer')),
    ],
    [
      'another password',
      'its open sessions are unknown (password authentication failed)',
      ({ stage, id }) => void stage.world.ledger.passwords.set(id, 'of another secret'),
    ],
    [
      'being paused already',
      'it is PAUSED already',
      ({ stage, id }) => {
        stage.pause(id, minute)
      },
    ],
    [
      'being changed',
      'it is UPGRADING',
      ({ stage, id }) => {
        stage.callAsOther('resize-service', { service_id: id, cpu_millis: '1000', memory_gbs: '4' })
      },
    ],
    [
      'GitHub that does not answer again',
      'GitHub did not return the state of its pull request again: GitHub is down',
      ({ stage }) => stage.onCall('readPullRequest', () => new Error('GitHub is down'), 2),
    ],
    [
      'GitHub that does not answer',
      "GitHub's answer is not conclusive",
      ({ stage }) => stage.onCall('readPullRequest', () => new Error('GitHub is down')),
    ],
    [
      'a server that refuses',
      'pausing it failed:',
      ({ stage }) => stage.onEveryCall('stop-service', () => refused(403)),
    ],
  ]

  test.each(reasons)('%s', async (_, reason, change) => {
    const given = await stageUnusedPreview()
    const { stage, id, prune } = given
    const status = () => stage.service(id)?.status
    const more = ((await change(given)) ?? {}) as RunOptions
    const before = status()
    const run = await prune(more)
    expect(decisionOf(run)?.verdict).toBe('kept')
    expect(decisionOf(run)?.reason).toContain(reason)
    expect(stage.world.ledger.changes.filter(({ operation }) => operation === 'stop-service')).toEqual([])
    if (before !== 'UPGRADING') expect(status()).toBe(before)
  })

  it.each(['keep-preview', 'Keep-Preview'])('the label %s', async name => {
    const { stage, id, prune } = await stageUnusedPreview()
    label(name)(stage)
    stage.advanceTime(13 * hour)
    const run = await prune({ preview: { maxAge: hour } })
    // The reason appears once, although it prevents both.
    const reason = `its pull request has the label ${name}`
    expect(decisionOf(run)).toMatchObject({ verdict: 'kept', reason })
    expect(stage.service(id)?.status).toBe('READY')
    expect((await prune({ preview: { keepLabels: ['another', 'keep'] } })).idsOf('stop-service')).toEqual([
      id,
    ])
  })

  it('a label that it got since the list was read, also from being deleted', async () => {
    for (const maxAge of [undefined, hour]) {
      const { stage, prune } = await stageUnusedPreview()
      stage.onCall('get-service', () => void label('keep-preview')(stage) as undefined)
      const run = await prune({ preview: { maxAge } })
      expect(decisionOf(run)).toMatchObject({
        verdict: 'kept',
        reason: 'its pull request has the label keep-preview',
      })
      expect([...run.idsOf('stop-service'), ...run.idsOf('delete-service')]).toEqual([])
    }
  })

  it('a record that was tagged PROD since the list was read', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    const tagged = changedAnswer(service => ({ ...service, metadata: { environment: 'PROD' } }))
    stage.onCall('get-service', () => tagged)
    expect(decisionOf(await prune())?.reason).toBe('it is tagged PROD')
    expect(stage.service(id)?.status).toBe('READY')
  })

  it('no label, once its pull request is closed', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    label('keep-preview')(stage)
    stage.setPullRequest('closed')
    expect((await prune()).outcome?.deletedIds).toEqual([id])
  })

  it('a pull request without a date of its last change from GitHub', async () => {
    const { stage, id, prune } = await stageUnusedPreview()
    stage.world.pullRequests.shown = () => ({ ...unknown, since: 0, updated: undefined })
    const run = await prune()
    expect(decisionOf(run)?.reason).toContain('it is unknown when its pull request last changed')
    expect(stage.service(id)?.status).toBe('READY')
  })
})
