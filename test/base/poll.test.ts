/** Tests polling. */
import { describe, expect, it } from 'vitest'
import { type Poll, poll } from '#base/poll'
import { FakeSeam } from '../support/fake-seam.ts'

/** Polls in virtual time; gives the result, the moments of the checks, and the time left before each pause. */
async function run(options: Partial<Poll<string>> & { readyAt?: number; took?: number }) {
  const { readyAt = Number.POSITIVE_INFINITY, took = 0, ...given } = options
  const seam = new FakeSeam()
  const checks: number[] = []
  const left: number[] = []
  const result = await poll<string>(
    { seam },
    {
      interval: 1000,
      until: 2500,
      check: async () => {
        checks.push(seam.now())
        if (took > 0) await seam.sleep(took)
        return seam.now() >= readyAt ? 'ready' : undefined
      },
      onPause: milliseconds => left.push(milliseconds),
      ...given,
    },
  )
  return { result, checks, left }
}

describe('a poll', () => {
  it('returns the first result at once', async () => {
    expect(await run({ readyAt: 0 })).toEqual({ result: 'ready', checks: [0], left: [] })
  })

  it('checks a last time at the deadline, then gives up', async () => {
    const checks = [0, 1000, 2000, 2500]
    expect(await run({})).toEqual({ result: undefined, checks, left: [2500, 1500, 500] })
  })

  it('checks once when the deadline is over at the start', async () => {
    expect(await run({ until: -1 })).toEqual({ result: undefined, checks: [0], left: [] })
  })

  it('gives up after a check that ends past the deadline', async () => {
    expect((await run({ took: 3000 })).checks).toEqual([0])
  })

  it('pauses before the first check if it starts later', async () => {
    expect((await run({ startsLater: true, readyAt: 1000 })).checks).toEqual([1000])
  })

  it('computes each interval again', async () => {
    const lengths = [100, 700, 900]
    expect((await run({ interval: () => lengths.shift() ?? 0, readyAt: 1700 })).checks).toEqual([
      0, 100, 800, 1700,
    ])
  })

  it('ends with the error of a check', async () => {
    const failure = new Error('no')
    await expect(run({ check: () => Promise.reject(failure) })).rejects.toBe(failure)
  })

  it('ends a pause when the wait is cancelled', async () => {
    const reason = new Error('cancelled')
    const signal = AbortSignal.abort(reason)
    const wait = { interval: 1, until: 10, check: async () => undefined }
    await expect(poll({ seam: new FakeSeam(), signal }, wait)).rejects.toBe(reason)
  })
})
