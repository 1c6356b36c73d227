import { describe, expect, it, test } from 'vitest'
import { derivePassword } from '../../src/preview/password.ts'
import { previewBase } from '../simulator/preview-names.ts'
import { keys } from '../simulator/world.ts'
import { changedList } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { type RunOptions, Stage } from './support/stage.ts'

const connect = (stage: Stage, options: RunOptions = {}) =>
  stage.run('get-connection', { given: {}, ...options })
const passwordFor = (id: string | undefined) => derivePassword(keys.secretKey, id ?? '')

/** A preview that a run made, ten minutes ago. */
async function scene() {
  const stage = new Stage()
  const { outcome } = await stage.run('create-preview')
  stage.pass(10 * minute)
  return { stage, id: outcome?.ids.service_id as string }
}

const changes = /^(create|fork|update|delete|start|stop|resize|set|attach|detach|writeComment)/

describe('get-connection', () => {
  it('gives the preview of the pull request with its password, and changes nothing', async () => {
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
    expect(run.asked.filter(({ what }) => changes.test(what))).toEqual([])
  })

  it('gives a preview by its id, on any event', async () => {
    const { stage, id } = await scene()
    const event = { name: 'push', action: undefined, pullRequest: undefined }
    const run = await connect(stage, { given: { service_id: id }, event })
    expect(run.outcome).toMatchObject({ password: passwordFor(id), pullRequest: 7 })
  })

  it('gives any service without a password, and says that it is not known', async () => {
    const stage = new Stage()
    const run = await connect(stage, { given: { service_id: stage.other } })
    expect(run.outcome).toMatchObject({ ids: { service_id: stage.other }, record: { status: 'READY' } })
    expect(run.outcome?.password).toBeUndefined()
    expect(run.outcome?.pullRequest).toBeUndefined()
    expect(run.lines).toContainEqual(expect.stringContaining('its password is not known here'))
  })

  it('gives the oldest of twins, and none that is ending', async () => {
    const stage = new Stage({ deleteAfter: minute })
    const [ending, oldest] = ['cccccc', 'bbbbbb', 'aaaaaa'].map(random => {
      stage.pass(second)
      return stage.preview({ random })
    }) as [string, string, string]
    stage.pass(10 * minute)
    stage.remove(ending)
    // As the run that made it would have set it.
    stage.world.ledger.passwords.set(oldest, passwordFor(oldest))
    stage.whenever('list-services', () => changedList(services => services.toReversed()))
    expect((await connect(stage)).outcome?.ids.service_id).toBe(oldest)
  })

  it('waits for one that is on its way', async () => {
    const stage = new Stage()
    const id = stage.preview()
    const run = await connect(stage)
    expect(run.outcome).toMatchObject({ ids: { service_id: id }, record: { status: 'READY' } })
    expect(run.took).toBeGreaterThanOrEqual(19 * second)
  })

  it('does not where the inputs say so', async () => {
    const stage = new Stage()
    stage.preview()
    const run = await connect(stage, { settings: { wait: false } })
    expect(run.outcome?.record).toMatchObject({ status: expect.stringMatching(/^(QUEUED|CONFIGURING)$/) })
    expect(run.took).toBeLessThan(2 * second)
  })

  it.each([
    ['PAUSING', 100],
    ['PAUSED', minute],
  ])('starts it where it is %s', async (status, since) => {
    const { stage, id } = await scene()
    const before = stage.service(id)
    stage.somebody('stop-service', { service_id: id })
    stage.pass(since)
    expect(stage.service(id)?.status).toBe(status)
    const run = await connect(stage)
    expect(run.of('start-service')).toEqual([id])
    expect(run.outcome).toMatchObject({
      changed: true,
      record: { status: 'READY', endpoint: before?.endpoint },
    })
    expect(run.outcome?.password).toBe(stage.passwordOf(id))
    expect((await connect(stage)).outcome?.changed).toBe(false)
  })

  it('says in a dry run that it would start it, or give it a pooler', async () => {
    const { stage, id } = await scene()
    const settings = { dryRun: true }
    const pooled = await connect(stage, { settings, preview: { pooler: true } })
    expect(pooled.outcome?.skipped).toContain(`dry run: would switch on the pooler of service ${id}`)
    stage.somebody('stop-service', { service_id: id })
    stage.pass(minute)
    const run = await connect(stage, { settings })
    expect(run.outcome?.skipped).toContain(`dry run: would start service ${id}, which is PAUSED`)
    expect(stage.service(id)?.status).toBe('PAUSED')
  })

  it('starts it and waits for nothing where wait is false', async () => {
    const { stage, id } = await scene()
    stage.somebody('stop-service', { service_id: id })
    stage.pass(minute)
    const run = await connect(stage, { settings: { wait: false } })
    expect(run.of('start-service')).toEqual([id])
    expect(run.outcome?.record).toMatchObject({ status: 'RESUMING' })
  })

  it('starts nothing that is not a preview of this repository, or tagged PROD', async () => {
    const { stage, id } = await scene()
    stage.tag(id, 'PROD')
    for (const service_id of [id, stage.other]) {
      stage.somebody('stop-service', { service_id })
      stage.pass(minute)
      const run = await connect(stage, { given: { service_id } })
      expect(run.error?.message).toMatch(/is PAUSED, and it.+: this operation does not start it$/)
      expect(run.error?.next).toBe('start it with start-service')
      expect(run.of('start-service')).toEqual([])
    }
  })

  it('fails where there is no preview, or only one that is ending', async () => {
    const stage = new Stage({ deleteAfter: minute })
    const none = await connect(stage)
    expect(none.error?.message).toBe(`there is no preview ${previewBase()}`)
    expect(none.error?.next).toContain('run create-preview first')
    const id = stage.preview()
    stage.pass(10 * minute)
    stage.remove(id)
    expect((await connect(stage)).error?.message).toBe(`there is no preview ${previewBase()}`)
  })
})

test('one that the list calls DELETED is none', async () => {
  const { stage } = await scene()
  stage.whenever('list-services', () =>
    changedList(services => services.map(service => ({ ...service, status: 'DELETED' }))),
  )
  expect((await connect(stage)).error?.message).toBe(`there is no preview ${previewBase()}`)
})

test('a service that only looks like a preview of this repository has no password here', async () => {
  const stage = new Stage()
  const id = stage.preview({ name: 'preview-pr-7-ffffffff-a1b2c3' })
  stage.pass(10 * minute)
  const run = await connect(stage, { given: { service_id: id } })
  expect(run.error).toBeUndefined()
  expect(run.outcome?.password).toBeUndefined()
})
