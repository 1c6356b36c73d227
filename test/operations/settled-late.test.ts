/** Tests waits that exceed their deadline. */
import { describe, expect, it } from 'vitest'
import type { Cleanup } from '#operations/base/context'
import { brokenConnection } from '../preview/support/courses.ts'
import { second } from '../preview/support/inputs.ts'
import { Stage } from '../preview/support/stage.ts'

const look = 'check its status and log, or raise wait_timeout'

describe('a new record that is not ready in time', () => {
  const fork = async (cleanup: Cleanup, name: string) => {
    const stage = new Stage({ readyAfter: 60 * second })
    const given = { service_id: stage.parent, fork_strategy: 'NOW', name }
    return await stage.run('fork-service', { given, settings: { cleanup }, patience: 20 * second })
  }

  it.each<[Cleanup, string]>([
    ['never', 'it was not deleted, and still costs money'],
    ['always', 'the post step deletes it (`cleanup: always`)'],
    [
      'on-failure',
      'the post step deletes it if the job fails (`cleanup: on-failure`); otherwise it stays, and costs money',
    ],
  ])('with cleanup: %s is explained in the error', async (cleanup, left) => {
    const { error } = await fork(cleanup, 'shop')
    expect(error).toMatchObject({ name: 'WaitError', next: `${look}; ${left}` })
  })

  it("is not announced for deletion if it may be another job's", async () => {
    const stage = new Stage({ readyAfter: 60 * second })
    stage.onCall('create-replica', () => brokenConnection(50))
    const sizes = { nodes: 1, cpu_millis: 500, memory_gbs: 2 }
    const given = { service_id: stage.parent, name: 'readers', ...sizes }
    const run = { given, settings: { cleanup: 'always' as const }, patience: 20 * second }
    const { error } = await stage.run('create-replica', run)
    expect(error?.next).toBe(`${look}; it was not deleted, and still costs money`)
  })

  it('stays for the next run of its pull request', async () => {
    const { error } = await new Stage({ readyAfter: 60 * second }).run('create-preview', {
      patience: 20 * second,
    })
    expect(error?.next).toBe(`${look}; the next run of the pull request continues with it`)
  })
})
