/** Tests the limit on concurrent jobs. */
import { expect, test } from 'vitest'
import { Semaphore } from '#base/semaphore'

test('a semaphore never exceeds its limit and runs every job', async () => {
  const semaphore = new Semaphore(2)
  let inside = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, i) =>
      semaphore.run(async () => {
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
