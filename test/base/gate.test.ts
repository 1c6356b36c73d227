import { expect, test } from 'vitest'
import { Gate, runEach } from '#base/gate'

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

test('a job that finishes something overtakes those that wait', async () => {
  const gate = new Gate(1)
  const order: string[] = []
  const job = (name: string) => async () => void order.push(name)
  await Promise.all([
    gate.run(job('inside')),
    gate.run(job('waiting')),
    gate.run(job('finishing'), { first: true }),
  ])
  expect(order).toEqual(['inside', 'finishing', 'waiting'])
})

test('once a job for one of many has failed, no other is begun', async () => {
  const begun: number[] = []
  const running = runEach([1, 2, 3, 4, 5], 2, async item => {
    begun.push(item)
    await Promise.resolve()
    if (item === 2) throw new Error('doubt')
  })
  await expect(running).rejects.toThrow('doubt')
  expect(begun).not.toContain(5)
})
