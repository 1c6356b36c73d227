import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { type Inputs, query } from '../support/workbench.ts'

let repository: Repository
let parent: { id: string; url: string }
beforeAll(async () => {
  repository = await openRepository()
  parent = await repository.production(5)
})
afterAll(() => repository.stop())

const count = async (url: string | undefined) => (await query(url, 'select count(*)::int from orders'))[0]

it('a preview is paused where nobody uses it, started again, given a pooler, and reset to fresh data', async () => {
  const number = repository.github.openPullRequest()
  const making = { service_id: parent.id, fork_strategy: 'NOW' }
  const step = async (inputs: Inputs) => {
    const result = await repository.on('synchronize', number, { ...making, ...inputs })
    expect(result.exitCode, result.stdout).toBe(0)
    return result
  }
  const { outputs: made } = await step({ operation: 'create-preview' })
  await query(made.database_url, 'delete from orders where id > 2')

  // A pull request of long ago, and a database that is up for more than a millisecond.
  const pause = { operation: 'prune-previews', service_id: parent.id, min_age: '1ms', pause_after: '1ms' }
  // The session of the query above ends a moment after its client has gone.
  await vi.waitFor(async () => {
    const paused = await repository.onEvent('schedule', pause)
    expect(paused.exitCode, paused.stdout).toBe(0)
    expect(paused.stdout).toContain(`(${made.service_id}): paused, not used for`)
  }, 30_000)
  await expect(query(made.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect(repository.github.commentsOf(number)).toEqual([
    expect.objectContaining({ body: expect.stringContaining('Preview database: paused') }),
  ])

  const { outputs: started } = await repository.on('synchronize', number, {
    operation: 'get-connection',
    pooler: 'true',
  })
  for (const name of ['service_id', 'host', 'port', 'password', 'database_url'])
    expect(started[name]).toBe(made[name])
  expect(started.changed).toBe('true')
  for (const url of [started.database_url, started.pooler_url]) expect(await count(url)).toEqual({ count: 2 })

  await query(parent.url, 'insert into orders values (6)')
  const reset = await step({ operation: 'reset-preview', pooler: 'true' })
  expect(reset.outputs).toMatchObject({ created: 'true', deleted: 'true', deleted_ids: made.service_id })
  expect(reset.outputs.service_id).not.toBe(made.service_id)
  expect(reset.outputs.password).not.toBe(made.password)
  expect(reset.stdout).toContain(`service_id was ${made.service_id}, is ${reset.outputs.service_id}`)
  for (const url of [reset.outputs.database_url, reset.outputs.pooler_url])
    expect(await count(url)).toEqual({ count: 6 })
  await expect(query(made.database_url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  expect((await repository.services()).map(({ service_id }) => service_id).sort()).toEqual(
    [parent.id, reset.outputs.service_id].sort(),
  )
})
