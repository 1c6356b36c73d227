/** Tests the state that create-preview saves for its post step. */
import { describe, expect, test } from 'vitest'
import { second } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'

describe('before a run waits for its new service', () => {
  test('its name is in the log and in the state before the request is sent', async () => {
    const stage = new Stage()
    let seen: unknown
    stage.onCall('fork-service', ({ body }) => {
      stage.cancel()
      seen = body.name
      return undefined
    })
    const run = await stage.run(create)
    expect(run.lines).toContainEqual(`fork-service: creating service "${seen}"`)
    expect(run.notes.intent).toMatchObject({
      operation: 'fork-service',
      match: { name: seen },
      isUniqueName: true,
      existing: [],
      production: false,
      parentId: stage.parent,
      posts: 1,
    })
  })

  test('its id is in the state, and it is announced without a way into it', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { cancelledAfter: 5 * second })
    const [id] = stage.livePreviews()
    expect(run.error?.name).toBe('CancelledError')
    expect(run.notes.created).toMatchObject({ resource: 'service', ids: { service_id: id }, certain: true })
    expect(run.notes.announced).toMatchObject({
      operation: create,
      ids: { service_id: id },
      created: true,
      pullRequest: 7,
    })
    expect(JSON.stringify(run.notes.announced)).not.toContain(stage.passwordOf(id))
    expect(JSON.stringify(run.notes.announced)).not.toContain('endpoint')
  })

  test('an empty service is planned as such', async () => {
    const run = await new Stage().run(create, { given: {} })
    expect(run.notes.intent).toMatchObject({ operation: 'create-service', isUniqueName: true })
    expect(run.notes.intent?.parentId).toBeUndefined()
  })
})
