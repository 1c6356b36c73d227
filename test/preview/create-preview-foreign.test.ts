/** Tests create-preview with services of other owners. */
import { describe, expect, it, test } from 'vitest'
import { previewBase, previewName, pullRequest } from '../simulator/preview-names.ts'
import { expectBetween, minute, second } from './support/inputs.ts'
import { type RunReport, Stage, stagePreview } from './support/stage.ts'

const create = 'create-preview'

/** Checks that the service of another owner is unchanged. */
function expectUntouched(stage: Stage, run: RunReport, id: string, password: string | undefined): void {
  expect(stage.livePreviews()).toContain(id)
  expect(stage.passwordOf(id)).toBe(password)
  for (const change of ['update-password', 'delete-service', 'start-service'])
    expect(run.idsOf(change)).not.toContain(id)
}

const refusalOf = (id: string, reason: string) =>
  `service ${id} has the name of the preview preview-pr-7-${previewName('aaaaaa').split('-').at(-2)}, but ${reason}: it is not changed`

describe('a service of another owner with the name of the preview', () => {
  test.each<[string, (stage: Stage) => string, (stage: Stage) => string]>([
    ['that is tagged PROD', stage => stage.createPreview({ environment: 'PROD' }), () => 'it is tagged PROD'],
    [
      'that is no fork',
      stage => stage.callAsOther('create-service', { name: previewName('a1b2c3') }) as string,
      stage => `it is no fork of ${stage.parent}`,
    ],
  ])('%s is neither used nor changed, and no other one is created', async (_, make, reason) => {
    const stage = new Stage()
    const id = make(stage)
    stage.advanceTime(10 * minute)
    const password = stage.passwordOf(id)
    const run = await stage.run(create)
    expect(run.error?.message).toBe(refusalOf(id, reason(stage)))
    expect(run.error?.next).toContain('use another name_prefix')
    expectUntouched(stage, run, id, password)
    expect(run.idsOf('fork-service')).toEqual([])
    expect(stage.comments.at(-1)).toMatchObject({ state: 'failed', problem: run.error?.message })
    // An old record names its parent if it has one.
    expect(run.took).toBeLessThan(5 * second)
  })

  test.each<[string, (stage: Stage) => string]>([
    ['that is tagged PROD', stage => stage.createPreview({ random: 'bbbbbb', environment: 'PROD' })],
    [
      'that is a fork of another parent',
      stage => stage.createPreview({ random: 'bbbbbb', parent: stage.other }),
    ],
  ])('%s, younger than the preview, is not deleted and fails the run', async (_, make) => {
    const stage = new Stage()
    const kept = stage.createPreview()
    stage.advanceTime(second)
    const foreign = make(stage)
    stage.advanceTime(10 * minute)
    const password = stage.passwordOf(foreign)
    const run = await stage.run(create)
    expect(run.error?.message).toContain(`service ${foreign} has the name of the preview`)
    expect(stage.livePreviews()).toEqual([kept, foreign])
    expectUntouched(stage, run, foreign, password)
  })

  describe.each<[string, (stage: Stage) => string]>([
    ['that is tagged PROD', stage => stage.createPreview({ environment: 'PROD' })],
    ['that is a fork of another parent', stage => stage.createPreview({ parent: stage.other })],
  ])('%s', (_, make) => {
    it('is not waited for while it is being created', async () => {
      const stage = new Stage()
      const id = make(stage)
      const run = await stage.run(create)
      expect(run.error?.message).toContain(`service ${id} has the name of the preview`)
      expect(run.took).toBeLessThan(5 * second)
      expectUntouched(stage, run, id, stage.passwordOf(id))
    })

    it('is not started while it is paused', async () => {
      const stage = new Stage()
      const id = make(stage)
      stage.advanceTime(10 * minute)
      stage.pause(id, minute)
      const run = await stage.run(create)
      expect(run.error?.message).toContain(`service ${id} has the name of the preview`)
      expect(run.idsOf('start-service')).toEqual([])
    })
  })

  it('gets no password if it is tagged PROD during the wait', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.schedule(10 * second, () => stage.setEnvironment(id, 'PROD'))
    const run = await stage.run(create)
    expect(run.error?.message).toContain('it is tagged PROD')
    expectUntouched(stage, run, id, stage.passwordOf(id))
  })

  it('is not started if it is the paused parent itself', async () => {
    const stage = new Stage()
    const id = stage.callAsOther('create-service', { name: previewName('a1b2c3') }) as string
    stage.advanceTime(10 * minute)
    stage.pause(id, minute)
    const run = await stage.run(create, { given: { service_id: id } })
    expect(run.error?.message).toBe(refusalOf(id, 'it is the parent'))
    expect(run.idsOf('start-service')).toEqual([])
  })

  it('is not used if it is the parent itself', async () => {
    const { stage, id } = stagePreview()
    const password = stage.passwordOf(id)
    const run = await stage.run(create, { given: { service_id: id } })
    expect(run.error?.message).toBe(refusalOf(id, 'it is the parent'))
    expectUntouched(stage, run, id, password)
  })

  it('does not count if it is of another repository, prefix or pull request, or its name only begins the same', async () => {
    const stage = new Stage()
    const names = ['preview-pr-7-ffffffff-a1b2c3', previewName('a1b2c3').replace(/^preview/, 'demo')]
    names.push(`${previewBase()}-by-hand`, `${previewName('a1b2c3')}-copy`, `${previewBase()}0-a1b2c3`)
    const others = names.map(name => stage.createPreview({ name, environment: 'PROD' }))
    others.push(stage.createPreview({ number: 8, environment: 'PROD' }), stage.createPreview({ number: 77 }))
    const run = await stage.run(create)
    expect(run.outcome?.created).toBe(true)
    for (const id of others) expect(stage.service(id)).toBeDefined()
  })
})

describe('a preview that was created from another parent', () => {
  it('gets its own error: the workflow names another parent now, so only reset-preview recreates it', async () => {
    const stage = new Stage()
    const id = stage.createPreview({ parent: stage.other })
    stage.advanceTime(10 * minute)
    const password = stage.passwordOf(id)
    const run = await stage.run(create)
    expect(run.error?.message).toBe(
      `service ${id} has the name of the preview ${previewBase()}, but it is a fork of ${stage.other}, ` +
        `and this step forks ${stage.parent}: it is not changed`,
    )
    expect(run.error?.next).toBe(
      `if ${stage.other} is a masked copy, set masked: true; if two databases share this name, give each its own name_prefix; if service_id has changed on purpose, run \`operation: reset-preview\``,
    )
    expectUntouched(stage, run, id, password)
    expect(run.idsOf('fork-service')).toEqual([])
    expect(stage.comments.at(-1)).toMatchObject({ state: 'failed', problem: run.error?.message })
  })

  it('gets the usual error if it was created empty, but with the same instruction', async () => {
    const stage = new Stage()
    const created = await stage.run(create, { given: {} })
    stage.advanceTime(10 * minute)
    const run = await stage.run(create)
    expect(run.error?.message).toBe(refusalOf(created.id, `it is no fork of ${stage.parent}`))
    expect(run.error?.next).toContain('created empty, run delete-preview without service_id')
    const closed = { given: {}, event: { pullRequest: undefined }, preview: { pullRequest } }
    expect((await stage.run('delete-preview', closed)).outcome?.deletedIds).toEqual([created.id])
    expect((await stage.run(create)).outcome).toMatchObject({ created: true })
  })

  it('has another owner if it is tagged PROD as well', async () => {
    const stage = new Stage()
    const id = stage.createPreview({ parent: stage.other, environment: 'PROD' })
    stage.advanceTime(10 * minute)
    const run = await stage.run(create)
    expect(run.error?.message).toBe(refusalOf(id, 'it is tagged PROD'))
    expect(run.error?.next).not.toContain('delete-preview')
  })
})

describe('a preview whose record names no parent', () => {
  const late = (forked_from: number, parts = {}) =>
    new Stage({ lag: { kind: 'records', upTo: { forked_from } }, ...parts })

  it('is owned by the run because of its name', async () => {
    const stage = late(10 * minute)
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ created: true })
    expect(stage.livePreviews()).toEqual([run.id])
    expect(run.took).toBeLessThan(30 * second)
  })

  it.each([
    ['new', {}],
    ['of an unknown age', { dating: { kind: 'missing' } }],
  ] as const)(
    'is waited for if it is %s, and published once its record names the parent',
    async (_, parts) => {
      const stage = late(40 * second, parts)
      const id = stage.createPreview()
      const run = await stage.run(create)
      expect(run.outcome).toMatchObject({ ids: { service_id: id }, created: false })
      expect(run.took).toBeGreaterThan(39 * second)
      expect(run.idsOf('update-password')).toEqual([id])
    },
  )

  it('has another owner if its record names no parent after three times the lag of lists', async () => {
    const stage = late(10 * minute)
    const id = stage.createPreview()
    const run = await stage.run(create)
    expect(run.error?.message).toBe(refusalOf(id, `it is no fork of ${stage.parent}`))
    expectUntouched(stage, run, id, stage.passwordOf(id))
    // READY after 20 s, and then 30 s.
    expectBetween(run.took, 50 * second, 60 * second)
  })

  it('has another parent if its record names that one later', async () => {
    const stage = late(40 * second)
    const id = stage.createPreview({ parent: stage.other })
    const run = await stage.run(create)
    expect(run.error?.message).toContain(`it is a fork of ${stage.other}, and this step forks`)
    expectUntouched(stage, run, id, stage.passwordOf(id))
  })

  it('is waited for until the deadline of the step at most', async () => {
    const stage = late(10 * minute)
    const id = stage.createPreview()
    const run = await stage.run(create, { patience: 30 * second })
    expect(run.error?.message).toBe(refusalOf(id, `it is no fork of ${stage.parent}`))
    expect(run.took).toBeLessThan(32 * second)
  })
})
