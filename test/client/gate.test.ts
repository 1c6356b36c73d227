import { expect, test } from 'vitest'
import { Gate } from '../../src/client/gate.ts'

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
