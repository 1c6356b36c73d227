/** Tests the pauses between attempts. */
import { expect, test } from 'vitest'
import { createBackoff } from '#base/backoff'
import { FakeSeam } from '../support/fake-seam.ts'

const usual = 600_000

test.each([
  ['as long as the longest pause', [2000, 7000, 3000], usual, 7000],
  ['not at all without a pause', [], usual, 0],
  ['a minute at most', [3_600_000], usual, 60_000],
  ['not at all if the deadline comes first', [7000], 5000, 0],
])('a call waits %s', async (_, pauses, deadline, waits) => {
  const seam = new FakeSeam()
  const backoff = createBackoff(seam)
  for (const milliseconds of pauses) backoff.pause(milliseconds)
  await backoff.waitUntilOver(deadline, undefined)
  expect(seam.now()).toBe(waits)
})

test('a waiting call ends when the signal aborts', async () => {
  const seam = new FakeSeam()
  const backoff = createBackoff(seam)
  backoff.pause(7000)
  await expect(backoff.waitUntilOver(usual, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  )
})
