/** Tests how prune pauses masked copies. */
import { describe, expect, it } from 'vitest'
import { changedAnswer } from '../support/courses.ts'
import { minute } from '../support/inputs.ts'
import { type RunOptions, Stage } from '../support/stage.ts'
import { createMaskedParent, hour, idOf, maskedCopies } from './support/night.ts'

const prune = (stage: Stage, options: RunOptions = {}) =>
  stage.run('prune-previews', {
    given: { service_id: stage.parent },
    event: { name: 'schedule', action: undefined, pullRequest: undefined },
    ...options,
    preview: { masked: true, pauseAfter: 2 * hour, ...options.preview },
  })

const create = (stage: Stage, options: RunOptions = {}) =>
  stage.run('create-preview', { given: { service_id: stage.parent }, preview: { masked: true }, ...options })

async function afterOneNight(): Promise<{ stage: Stage; id: string }> {
  const stage = new Stage()
  const id = idOf(await createMaskedParent(stage))
  stage.advanceTime(8 * hour)
  return { stage, id }
}

const statusOf = (stage: Stage, id: string) => stage.service(id)?.status

describe('prune with masked and pause_after', () => {
  it('pauses an unused masked copy', async () => {
    const { stage, id } = await afterOneNight()
    const run = await prune(stage)
    expect(run.error).toBeUndefined()
    expect(run.idsOf('stop-service')).toEqual([id])
    expect(statusOf(stage, id)).toBe('PAUSED')
    expect(run.outcome).toMatchObject({ changed: true, deletedIds: [] })
    expect((await prune(stage)).idsOf('stop-service')).toEqual([])
  })

  it('keeps it paused when a preview is forked from it, which works', async () => {
    const { stage, id } = await afterOneNight()
    await prune(stage)
    const created = await create(stage)
    expect(stage.service(idOf(created))).toMatchObject({ status: 'READY', forked_from: { service_id: id } })
    expect(statusOf(stage, id)).toBe('PAUSED')
    expect(stage.world.leaks).toEqual([])
  })

  it.each(['create-preview', 'reset-preview'])('has %s wait until the copy is paused', async operation => {
    const stage = new Stage({ changeAfter: minute })
    const id = idOf(await createMaskedParent(stage))
    stage.advanceTime(8 * hour)
    const given = { service_id: stage.parent }
    const [, created] = await Promise.all([
      prune(stage),
      stage.run(operation, { given, preview: { masked: true }, start: 20_000 }),
    ])
    expect(created.error).toBeUndefined()
    expect(stage.service(idOf(created))?.forked_from?.service_id).toBe(id)
  })

  it.each<[string, (stage: Stage, id: string) => RunOptions | undefined]>([
    ['is young', () => ({ preview: { pauseAfter: 9 * hour } })],
    [
      'has no date',
      (stage, id) =>
        void stage.onEveryCall('get-service', asked =>
          asked.id === id ? changedAnswer(({ created: _, ...rest }) => rest) : undefined,
        ),
    ],
    ['has a session', (stage, id) => void stage.world.sessions.set(id, 1)],
    ['is tagged', (stage, id) => void stage.setEnvironment(id, 'PROD')],
    [
      'is tagged meanwhile',
      (stage, id) => void stage.onCall('get-service', () => void stage.setEnvironment(id, 'PROD')),
    ],
    ['is unreachable', stage => void stage.onCall('readActivity', () => new Error('ECONNREFUSED'))],
    ['is not to be masked', () => ({ preview: { masked: false } })],
    ['is of another service', stage => ({ given: { service_id: stage.other } })],
    ['is seen in a dry run', () => ({ settings: { dryRun: true } })],
  ])('keeps one running that %s', async (_, prepare) => {
    const { stage, id } = await afterOneNight()
    const run = await prune(stage, prepare(stage, id))
    expect(run.error).toBeUndefined()
    expect(run.idsOf('stop-service')).toEqual([])
    expect(statusOf(stage, id)).toBe('READY')
  })

  it('keeps production, other services and unfinished copies running', async () => {
    const { stage } = await afterOneNight()
    stage.createPreview({ name: 'masked-00000000-aaaaaa' })
    stage.advanceTime(8 * hour)
    const [run] = await Promise.all([prune(stage, { start: 40_000 }), createMaskedParent(stage)])
    expect(run.idsOf('stop-service')).toEqual(maskedCopies(stage, 'masked').slice(0, 1))
  })

  it('reports that it cannot list them, without a failure', async () => {
    const { stage } = await afterOneNight()
    stage.onCall('list-services', () => new Error('ECONNREFUSED'), 2)
    const run = await prune(stage)
    expect(run.error).toBeUndefined()
    expect(run.warnings.join()).toMatch(/^masked copies are not paused: /)
  })
})
