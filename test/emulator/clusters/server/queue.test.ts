/** Tests the queue of jobs of a server. */
import { expect, test } from 'vitest'
import { Queue } from '../../../../emulator/clusters/server/queue.ts'

test('a queue runs one job after the other, even after a failure', async () => {
  const queue = new Queue()
  const steps: string[] = []
  const job = (name: string) => async () => {
    steps.push(`${name} begins`)
    await Promise.resolve()
    steps.push(`${name} ends`)
    if (name === 'a') throw new Error('a failed')
    return name
  }
  const results = await Promise.allSettled([queue.run(job('a')), queue.run(job('b'))])
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled'])
  await queue.idle()
})
