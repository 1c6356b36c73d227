/** Tests repeated requests. */
import { describe, expect, it } from 'vitest'
import { type Repetition, retry } from '#operations/wait/wait-log'
import { fakeContext } from '../support/fake-context.ts'

/** Attempts that fail `failures` times, in virtual time: their result or error, their moments, and the log. */
async function run(failures: number, until: Repetition['until'], onAttempt = (_stop: AbortController) => {}) {
  const { context, seam, lines } = fakeContext([])
  const stop = new AbortController()
  const attempts: number[] = []
  const attempt = async () => {
    attempts.push(seam.now())
    onAttempt(stop)
    if (attempts.length <= failures) throw new Error(`failure ${attempts.length}`)
    return 'done'
  }
  const outcome = await retry({ ...context, signal: stop.signal }, attempt, { interval: 1000, until }).catch(
    (error: Error) => error.message,
  )
  return { outcome, attempts, lines }
}

describe('a retry', () => {
  it('pauses after each failure, which it logs, until an attempt succeeds', async () => {
    const lines = ['failure 1; retrying in 1.0s', 'failure 2; retrying in 1.0s']
    expect(await run(2, () => 5000)).toEqual({ outcome: 'done', attempts: [0, 1000, 2000], lines })
  })

  it('throws the last failure if no complete pause is left before the deadline', async () => {
    expect(await run(9, () => 2500)).toMatchObject({ outcome: 'failure 3', attempts: [0, 1000, 2000] })
  })

  it('throws a permanent failure', async () => {
    expect(await run(9, () => undefined)).toMatchObject({ outcome: 'failure 1', attempts: [0] })
  })

  it('throws the reason of a cancellation instead of the failure', async () => {
    const cancel = (stop: AbortController) => stop.abort(new Error('cancelled'))
    expect(await run(9, () => undefined, cancel)).toMatchObject({ outcome: 'cancelled', attempts: [0] })
  })
})
