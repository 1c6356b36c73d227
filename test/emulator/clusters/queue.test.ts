import { expect, test } from 'vitest'
import { Gate, Queue } from '../../../emulator/clusters/queue.ts'

test('a queue runs one job after the other, also after one that failed', async () => {
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

test('a gate lets in no more than its limit, and everybody in the end', async () => {
  const gate = new Gate(2)
  let inside = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, i) =>
      gate.run(async () => {
        most = Math.max(most, ++inside)
        await Promise.resolve()
        inside--
        if (i % 2) throw new Error('odd')
      }),
    ),
  )
  expect(most).toBe(2)
  expect(inside).toBe(0)
  expect(results).toHaveLength(7)
})
