/** Tests the pooler of previews. */
import { describe, expect, it } from 'vitest'
import { refused } from './support/courses.ts'
import { minute } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const pooler = { settings: { waitForConnection: true }, preview: { pooler: true } }

describe('pooler: true', () => {
  it.each(['create-preview', 'reset-preview'])(
    'has %s make one with a pooler that was connected to',
    async operation => {
      const stage = new Stage()
      const run = await stage.run(operation, pooler)
      const { service_id: id = '' } = run.outcome?.ids ?? {}
      expect(run.idsOf('enable-pooler')).toEqual([id])
      const address = stage.service(id)?.connection_pooler?.endpoint
      expect(address).toBeDefined()
      expect(run.outcome?.record).toMatchObject({ connection_pooler: { endpoint: address } })
      expect(run.lines).toContainEqual(
        expect.stringContaining(
          `connected to the pooler of the database at ${address?.host}:${address?.port}`,
        ),
      )
    },
  )

  it('enables one for an existing preview, once', async () => {
    const stage = new Stage()
    await stage.run('create-preview')
    stage.advanceTime(10 * minute)
    const first = await stage.run('create-preview', pooler)
    expect(first.outcome).toMatchObject({ created: false, changed: true })
    const second = await stage.run('create-preview', pooler)
    expect(second.idsOf('enable-pooler')).toEqual([])
    expect(second.outcome).toMatchObject({ changed: false, record: { connection_pooler: expect.anything() } })
  })

  it('uses the pooler that another run enabled first', async () => {
    const stage = new Stage()
    stage.onCall('enable-pooler', ({ id }) => {
      stage.callAsOther('enable-pooler', { service_id: id })
      return refused(409)
    })
    const run = await stage.run('create-preview', pooler)
    expect(run.outcome?.record).toMatchObject({ connection_pooler: expect.anything() })
  })

  it('lets get-connection enable one for a preview', async () => {
    const stage = new Stage()
    await stage.run('create-preview')
    stage.advanceTime(10 * minute)
    const options = { ...pooler, given: {} }
    const run = await stage.run('get-connection', options)
    expect(run.outcome).toMatchObject({ changed: true, record: { connection_pooler: expect.anything() } })
    expect((await stage.run('get-connection', options)).outcome?.changed).toBe(false)
  })

  it('does not change other services', async () => {
    const stage = new Stage()
    const run = await stage.run('get-connection', { ...pooler, given: { service_id: stage.other } })
    expect(run.error?.message).toContain(
      `service ${stage.other} has no pooler, and its name is not that of a preview`,
    )
    expect(run.idsOf('enable-pooler')).toEqual([])
  })
})
