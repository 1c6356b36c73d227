/** Tests the deadline of create-preview. */
import { describe, expect, it } from 'vitest'
import { brokenConnection } from './support/courses.ts'
import { minute, second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'

/** A stage on which a database needs 20 minutes to become READY. */
function slowStage(deleteAfter = 5 * second): Stage {
  const stage = new Stage({ readyAfter: 20 * minute, deleteAfter })
  stage.advanceTime(30 * minute)
  return stage
}

describe('the time for a preview', () => {
  it('covers all steps, and the error names the one that used it up', async () => {
    const stage = slowStage(17 * minute)
    const old = stage.createPreview()
    stage.advanceTime(30 * minute)
    stage.deleteService(old)
    const run = await stage.run(create)
    const [created] = stage.livePreviews()
    expect(run.error).toMatchObject({ name: 'WaitError' })
    expect(run.error?.message).toMatch(
      new RegExp(
        `^waited 12m .* without success for service ${created} to be READY .*; 30m 00s have passed: ` +
          `waiting for service ${old} to be deleted took 17m \\d\\ds, ` +
          `waiting for service ${created} to be ready took 12m \\d\\ds$`,
      ),
    )
    expect(run.took).toBeLessThan(30 * minute + second)
    expect(stage.comments.at(-1)).toMatchObject({ state: 'failed', problem: run.error?.message })
  })

  it('counts a lost answer, the lookups and GitHub as well', async () => {
    const stage = slowStage()
    stage.onCall('fork-service', () => brokenConnection())
    const run = await stage.run(create, { patience: 3 * minute })
    expect(run.error?.message).toMatch(
      /; 3m 00s have passed: waiting for service \w+ to be ready took 1m \d\ds, creating service "preview-.*" took 1m \d\ds/,
    )
    expect(run.error?.message.match(/have passed/g)).toHaveLength(1)
  })
})

describe('the time for any operation', () => {
  const fork = async (patience: number, stage = slowStage()) =>
    await stage.run('fork-service', {
      given: { service_id: stage.parent, fork_strategy: 'NOW', name: 'shop' },
      patience,
    })

  it('is not in an error before it is over', async () => {
    const stage = slowStage()
    const created = () => stage.world.services().find(({ name }) => name === 'shop')?.service_id ?? ''
    stage.schedule(minute, () => stage.deleteService(created()))
    const { error } = await fork(10 * minute, stage)
    expect(error).toMatchObject({
      name: 'WaitError',
      message: expect.stringContaining('was deleted meanwhile'),
    })
    expect(error?.message).not.toContain('have passed')
  })
})
