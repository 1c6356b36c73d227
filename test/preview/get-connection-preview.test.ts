/** Tests get-connection for previews. */
import { describe, expect, it, test } from 'vitest'
import type { Service } from '#api/records'
import { derivePassword } from '#preview/base/password'
import { previewBase, previewName } from '../simulator/preview-names.ts'
import { keys } from '../simulator/world.ts'
import { changedAnswer, changedList, refused } from './support/courses.ts'
import { eventOf, expectBetween, minute, pushEvent, second } from './support/inputs.ts'
import { type RunOptions, Stage, stagePreview } from './support/stage.ts'

const connect = (stage: Stage, options: RunOptions = {}) =>
  stage.run('get-connection', { given: {}, ...options })
const passwordFor = (id: string | undefined) => derivePassword(keys.secretKey, id ?? '')

/** A preview from a run ten minutes ago. */
async function scene() {
  const stage = new Stage()
  const { outcome } = await stage.run('create-preview')
  stage.advanceTime(10 * minute)
  return { stage, id: outcome?.ids.service_id as string }
}

const changes = /^(create|fork|update|delete|start|stop|resize|set|attach|detach|writeComment)/

describe('get-connection', () => {
  it('publishes the preview of the pull request with its password, and changes nothing', async () => {
    const { stage, id } = await scene()
    const run = await connect(stage)
    expect(run.outcome).toMatchObject({
      operation: 'get-connection',
      ids: { service_id: id },
      record: { status: 'READY', endpoint: stage.service(id)?.endpoint },
      password: passwordFor(id),
      pullRequest: 7,
    })
    expect(run.masked).toEqual([passwordFor(id)])
    expect(run.calls.filter(({ name }) => changes.test(name))).toEqual([])
  })

  it('publishes a preview by its id, on any event', async () => {
    const { stage, id } = await scene()
    const event = pushEvent
    const run = await connect(stage, { given: { service_id: id }, event })
    expect(run.outcome).toMatchObject({ password: passwordFor(id), pullRequest: 7 })
  })

  it('publishes the oldest of duplicates, and none that is being deleted', async () => {
    const stage = new Stage({ deleteAfter: minute })
    const [ending, oldest] = ['cccccc', 'bbbbbb', 'aaaaaa'].map(random => {
      stage.advanceTime(second)
      return stage.createPreview({ random })
    }) as [string, string, string]
    stage.advanceTime(10 * minute)
    stage.deleteService(ending)
    // As set by its creating run.
    stage.world.ledger.passwords.set(oldest, passwordFor(oldest))
    stage.onEveryCall('list-services', () => changedList(services => services.toReversed()))
    expect((await connect(stage)).outcome?.ids.service_id).toBe(oldest)
  })

  it('tries a young one for a while, though its record names no parent yet', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.world.ledger.passwords.set(id, passwordFor(id))
    stage.world.held(id).text = JSON.stringify({ service_id: id, ready: true, seeds: [] })
    stage.advanceTime(minute)
    const until = stage.world.time.now + 4 * second
    const refuse = () => (stage.world.time.now < until ? new Error('connect ECONNREFUSED') : undefined)
    stage.onEveryCall('openContents', refuse)
    const nameless = ({ forked_from: _, ...service }: Service) => service
    stage.onEveryCall('list-services', () => changedList(services => services.map(nameless)))
    const run = await connect(stage, { settings: { waitForConnection: false } })
    expect(run.id).toBe(id)
    expect(run.took).toBeGreaterThanOrEqual(4 * second)
  })

  /** A preview one minute old. Lists show no parent for it, and its database is unreachable. */
  function outOfReach() {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.world.ledger.passwords.set(id, passwordFor(id))
    stage.advanceTime(minute)
    const nameless = ({ forked_from: _, ...service }: Service) => service
    stage.onEveryCall('list-services', () => changedList(services => services.map(nameless)))
    return { stage, id, settings: { waitForConnection: false } }
  }

  it('reports an unreachable database as not quarantined, though a list named no parent', async () => {
    const { stage, id, settings } = outOfReach()
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    const run = await connect(stage, { settings })
    expect(run.id).toBe(id)
    expect(run.warnings).toContainEqual(expect.stringContaining(`service ${id} is not quarantined`))
  })

  /** As `outOfReach`; no read names the parent in the first 40 seconds. */
  function lateParent() {
    const { stage, id, settings } = outOfReach()
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    const until = stage.world.time.now + 40 * second
    const nameless = (record: object) => ({ ...record, forked_from: undefined })
    stage.onEveryCall('get-service', () =>
      stage.world.time.now < until ? changedAnswer(nameless) : undefined,
    )
    return { stage, id, settings, until }
  }

  it('waits for the parent of a young one that cannot be reached before it publishes', async () => {
    const { stage, id, settings, until } = lateParent()
    const run = await connect(stage, { settings })
    expect(run.id).toBe(id)
    expect(stage.world.time.now).toBeGreaterThanOrEqual(until)
    expect(run.warnings).toContainEqual(expect.stringContaining(`service ${id} is not quarantined`))
  })

  it.each([
    ['by its pull request', {}, { wait: true }],
    ['by its pull request, at once', {}, { wait: false }],
    ['by its id', { service_id: 'its id' }, { wait: true }],
  ])(
    'refuses a young one without a parent that cannot be reached, with quarantine: strict, %s',
    async (_, given, wait) => {
      const { stage, id, settings } = lateParent()
      const asked = { given: 'service_id' in given ? { service_id: id } : {} }
      const run = await connect(stage, { ...asked, settings: { ...settings, ...wait, quarantine: 'strict' } })
      expect(run.error?.message).toContain(`service ${id} is not quarantined`)
      expect(run.outcome).toBeUndefined()
    },
  )

  it('publishes it without a wait if no quarantine is requested', async () => {
    const { stage, settings, until } = lateParent()
    const run = await connect(stage, { settings: { ...settings, quarantine: false } })
    expect(run.warnings).toEqual([])
    expect(stage.world.time.now).toBeLessThan(until)
  })

  it('uses the next one if it is deleted while it is unreachable', async () => {
    const { stage, id, settings } = outOfReach()
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    stage.schedule(second, () => {
      const next = stage.createPreview({ random: 'bbbbbb' })
      stage.world.ledger.passwords.set(next, passwordFor(next))
      stage.deleteService(id)
    })
    const run = await connect(stage, { settings })
    expect(run.id).not.toBe(id)
    expect(stage.livePreviews()).toEqual([run.id])
  })

  it('does not wait for it if the inputs exclude the wait', async () => {
    const stage = new Stage()
    stage.createPreview()
    const run = await connect(stage, { settings: { wait: false } })
    expect(run.outcome?.record).toMatchObject({ status: expect.stringMatching(/^(QUEUED|CONFIGURING)$/) })
    expect(run.took).toBeLessThan(2 * second)
  })

  it.each([
    ['PAUSING', 100],
    ['PAUSED', minute],
  ])('starts it if it is %s', async (status, since) => {
    const { stage, id } = await scene()
    const before = stage.service(id)
    stage.pause(id, since)
    expect(stage.service(id)?.status).toBe(status)
    const run = await connect(stage)
    expect(run.idsOf('start-service')).toEqual([id])
    expect(run.outcome).toMatchObject({
      changed: true,
      record: { status: 'READY', endpoint: before?.endpoint },
    })
    expect(run.outcome?.password).toBe(stage.passwordOf(id))
    expect((await connect(stage)).outcome?.changed).toBe(false)
  })

  it('reports in a dry run that it would start it, or enable its pooler', async () => {
    const { stage, id } = await scene()
    const settings = { dryRun: true }
    const pooled = await connect(stage, { settings, preview: { pooler: true } })
    expect(pooled.outcome?.skipped).toContain(`dry run: would enable the pooler of service ${id}`)
    stage.pause(id, minute)
    const run = await connect(stage, { settings })
    expect(run.outcome?.skipped).toContain(`dry run: would start service ${id}, which is PAUSED`)
    expect(run.outcome?.record).not.toHaveProperty('endpoint')
    expect(stage.service(id)?.status).toBe('PAUSED')
  })

  it('starts it and does not wait if wait is false', async () => {
    const { stage, id } = await scene()
    stage.pause(id, minute)
    const run = await connect(stage, { settings: { wait: false } })
    expect(run.idsOf('start-service')).toEqual([id])
    expect(run.outcome?.record).toMatchObject({ status: 'RESUMING' })
  })

  it('starts nothing that is not a preview of this repository, or tagged PROD', async () => {
    const { stage, id } = await scene()
    stage.setEnvironment(id, 'PROD')
    for (const service_id of [id, stage.other]) {
      stage.pause(service_id, minute)
      const run = await connect(stage, { given: { service_id } })
      expect(run.error?.message).toMatch(/is PAUSED, and it.+: this operation does not start it$/)
      expect(run.error?.next).toBe('start it with start-service')
      expect(run.idsOf('start-service')).toEqual([])
    }
  })
})

test('a service that only looks like a preview of this repository has no password here', async () => {
  const { stage, id } = stagePreview({}, { name: 'preview-pr-7-ffffffff-a1b2c3' })
  const run = await connect(stage, { given: { service_id: id } })
  expect(run.error).toBeUndefined()
  expect(run.outcome?.password).toBeUndefined()
})

describe('get-connection before there is a preview', () => {
  const awaits =
    /^waiting up to (?:29m \d\ds|30m 00s) for the preview preview-pr-7-\w{8} to be created: there is none yet, and this step does not create it$/

  it('logs the wait for the creating run, and publishes the same preview', async () => {
    const stage = new Stage()
    const [run, created] = await Promise.all([
      connect(stage, { settings: { waitForConnection: true } }),
      stage.run('create-preview', { start: minute }),
    ])
    const id = created.id
    expect(run.outcome).toMatchObject({
      ids: { service_id: id },
      record: { status: 'READY' },
      password: passwordFor(id),
    })
    expect(run.lines).toContainEqual(expect.stringMatching(awaits))
    expect(run.calls.filter(({ name }) => changes.test(name))).toEqual([])
    const waits = run.outcome?.timeline?.spans.filter(({ isWait }) => isWait).map(({ name }) => name)
    expect(waits?.[0]).toBe(`waiting for the preview ${previewBase()} to be created`)
  })

  it('waits if the only one is being deleted, as in a reset', async () => {
    const { stage, id: old } = stagePreview({ deleteAfter: minute })
    stage.deleteService(old)
    const [run, created] = await Promise.all([connect(stage), stage.run('create-preview', { start: second })])
    expect(run.id).toBe(created.id)
    expect(created.id).not.toBe(old)
  })

  it('searches for the next one if the awaited one is deleted', async () => {
    const stage = new Stage({ deleteAfter: 5 * second })
    const old = stage.createPreview()
    stage.schedule(15 * second, () => stage.deleteService(old))
    const [run, created] = await Promise.all([connect(stage), stage.run('create-preview', { start: minute })])
    expect(run.lines).toContainEqual(expect.stringContaining(`service ${old} was deleted in the meantime`))
    expect(run.id).toBe(created.id)
  })

  it('continues with a young one that reads and lists miss for a while', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.world.ledger.passwords.set(id, passwordFor(id))
    stage.world.held(id).text = JSON.stringify({ service_id: id, ready: true, seeds: [] })
    stage.advanceTime(minute / 6)
    const until = stage.world.time.now + 5 * second
    const isBehind = () => stage.world.time.now > until - 4 * second && stage.world.time.now < until
    stage.onEveryCall('get-service', () => (isBehind() ? refused(404) : undefined))
    stage.onEveryCall('list-services', () => (isBehind() ? changedList(() => []) : undefined))
    const run = await connect(stage)
    expect(run.id).toBe(id)
    expect(run.lines).not.toContainEqual(expect.stringContaining('went away'))
  })

  it('publishes the one that all runs keep, even if the first list showed only a younger one', async () => {
    const stage = new Stage({ readyAfter: 0 })
    const [kept] = ['aaaaaa', 'bbbbbb'].map(random => {
      stage.advanceTime(second)
      const id = stage.createPreview({ random })
      stage.world.ledger.passwords.set(id, passwordFor(id))
      return id
    })
    stage.advanceTime(second)
    stage.onEveryCall('openContents', () => new Error('connect ECONNREFUSED'))
    const until = stage.world.time.now + 5 * second
    const hides = (services: Service[]) => services.filter(({ service_id }) => service_id !== kept)
    stage.onEveryCall('list-services', () => (stage.world.time.now < until ? changedList(hides) : undefined))
    const run = await connect(stage, { settings: { waitForConnection: false } })
    expect(run.id).toBe(kept)
    expect(run.lines).toContainEqual(expect.stringMatching(/checking for duplicates of/))
  })

  it('fails at the deadline if no run has created it', async () => {
    const run = await connect(new Stage(), { patience: 2 * minute })
    expect(run.error?.message).toMatch(/^there is no preview preview-pr-7-\w{8} after [12]m \d\ds$/)
    expect(run.error?.next).toContain('run create-preview')
    expectBetween(run.took, 2 * minute, 2 * minute + 5 * second)
  })

  it.each([
    ['wait is false', { wait: false }],
    ['it is a dry run', { dryRun: true }],
  ])('fails at once if %s', async (_, settings) => {
    const run = await connect(new Stage(), { settings })
    expect(run.error?.message).toBe(`there is no preview ${previewBase()}`)
    expect(run.took).toBeLessThan(2 * second)
  })

  it.each([
    ['at once', { wait: false }, ''],
    ['at the deadline', {}, ' after [12]m \\d\\ds'],
  ])('names the prefixes of other previews of the pull request %s', async (_, settings, after) => {
    const stage = new Stage()
    for (const prefix of ['orders', 'billing'])
      stage.createPreview({ name: previewName('a1b2c3').replace(/^preview/, prefix) })
    stage.createPreview({ name: previewName('a1b2c3', 70).replace(/^preview/, 'of-another') })
    const { error } = await connect(stage, { settings, patience: 2 * minute })
    expect(error?.message).toMatch(
      new RegExp(
        `^there is no preview ${previewBase()}${after}; pull request 7 has previews with name_prefix billing, orders$`,
      ),
    )
    expect(error?.next).toBe('set name_prefix to that of the preview')
  })

  it.each<[string, (stage: Stage) => void, RunOptions]>([
    ['pull request 7 is closed', stage => stage.setPullRequest('closed'), {}],
    ['pull request 7 is closed', () => {}, { event: eventOf('closed') }],
    ['pull request 7 does not have the label preview', () => {}, { preview: { labels: ['preview'] } }],
    [
      'pull request 7 is a draft',
      stage => stage.setPullRequest({ draft: true }),
      { preview: { drafts: false } },
    ],
  ])('is skipped at once with a notice if %s', async (reason, arrange, options) => {
    const stage = new Stage()
    arrange(stage)
    const run = await connect(stage, options)
    expect(run.outcome).toMatchObject({ operation: 'get-connection', skipped: reason, pullRequest: 7 })
    expect(run.notices).toEqual([`get-connection: skipped; ${reason}, so there is no preview to connect to`])
    expect(run.took).toBeLessThan(2 * second)
  })

  it('is skipped if the pull request is closed while it waits', async () => {
    const stage = new Stage()
    stage.schedule(minute, () => stage.setPullRequest('closed'))
    const run = await connect(stage)
    expect(run.outcome?.skipped).toBe('pull request 7 is closed')
    expectBetween(run.took, minute, 2 * minute)
  })

  it('waits even if GitHub does not answer or the API is down', async () => {
    const stage = new Stage()
    stage.onEveryCall('readPullRequest', () => new Error('down'))
    stage.onCall('list-services', () => refused(503), 3)
    const [run, created] = await Promise.all([connect(stage), stage.run('create-preview', { start: minute })])
    expect(run.id).toBe(created.id)
  })
})
