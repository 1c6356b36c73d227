/** Tests waits that fail. */
import { describe, expect, it } from 'vitest'
import { json, refusal } from '../support/fake-seam.ts'
import { inStatus, ready, repeatAnswer, requestTimes, waitFor } from '../support/waiting.ts'

describe('a missing record', () => {
  it('does not appear after that minute', async () => {
    const { seam, done } = waitFor('create-service', repeatAnswer(60, refusal(404)), { isNew: true })
    await expect(done).rejects.toThrow(
      'waiting for service s1 to be READY failed: it no longer exists, so it was deleted meanwhile (no status seen)',
    )
    expect(requestTimes(seam).at(-1)).toBeGreaterThanOrEqual(60_000)
    expect(requestTimes(seam).at(-2)).toBeLessThan(60_000)
  })

  const unlisted = [refusal(404), json(200, [])]

  it('may be missing again for a while, as reads lag', async () => {
    const script = [inStatus('CONFIGURING'), ...unlisted, ...unlisted, ready]
    const { done } = waitFor('create-service', script, { isNew: true })
    expect(await done).toMatchObject({ record: { status: 'READY' } })
  })

  it('counts as deleted if it is missing for longer than reads lag', async () => {
    const missing = Array.from({ length: 30 }, () => unlisted).flat()
    const { seam, done } = waitFor('create-service', [inStatus('CONFIGURING'), ...missing], {
      isNew: true,
    })
    await expect(done).rejects.toThrow('was deleted meanwhile (seen: CONFIGURING at ')
    // Seen after 0.5 s and three list lags of 10 s.
    expect(seam.now()).toBeGreaterThanOrEqual(30_500)
    expect(seam.now()).toBeLessThan(40_000)
  })

  it('does not get the time of a new one if a list has shown it already', async () => {
    const isList = (url: string) => url.endsWith('/services')
    const missing = repeatAnswer(30, ({ url }) => (isList(url) ? json(200, []) : refusal(404)))
    const { seam, done } = waitFor('create-service', missing, { isNew: true, isKnownToExist: true })
    await expect(done).rejects.toThrow('was deleted meanwhile (no status seen')
    expect(seam.now()).toBeLessThan(40_000)
  })

  it('counts as deleted if it existed before', async () => {
    const { seam, done } = waitFor('stop-service', [inStatus('PAUSING'), refusal(404)])
    await expect(done).rejects.toThrow('was deleted meanwhile (seen: PAUSING at 0.5s)')
    expect(requestTimes(seam)).toEqual([500, 1000])
  })
})

describe('a record that is being deleted', () => {
  it('ends the wait at once', async () => {
    const { seam, done } = waitFor('create-service', [inStatus('QUEUED'), inStatus('DELETING')])
    await expect(done).rejects.toMatchObject({
      message:
        'waiting for service s1 to be READY failed: the service is DELETING, so it was deleted meanwhile ' +
        '(seen: QUEUED at 0.5s, DELETING at 1.0s)',
      history: [
        { status: 'QUEUED', at: 500 },
        { status: 'DELETING', at: 1000 },
      ],
    })
    expect(seam.requests).toHaveLength(2)
  })
})

describe('the deadline', () => {
  it('ends the wait with all known facts, after a last check', async () => {
    const script = [
      inStatus('QUEUED'),
      refusal(503, 'busy'),
      inStatus('CONFIGURING'),
      inStatus('CONFIGURING'),
    ]
    const { seam, done } = waitFor('start-service', script, { deadline: 3000 })
    await expect(done).rejects.toMatchObject({
      name: 'WaitError',
      message:
        'waited 3.0s without success for service s1 to be READY (seen: QUEUED at 0.5s, CONFIGURING at 2.0s; ' +
        'last error: get-service (GET /projects/p1/services/s1) failed with 503 E503: busy)',
      next: 'check its status and log, or raise wait_timeout',
    })
    expect(requestTimes(seam)).toEqual([500, 1000, 2000, 3000])
  })
})

describe('a cancelled job', () => {
  const reason = new Error('cancelled')

  it('does not continue its wait', async () => {
    const fake = waitFor('create-service', [inStatus('QUEUED')])
    fake.seam.at(700, () => fake.controller.abort(reason))
    await expect(fake.done).rejects.toBe(reason)
    expect(fake.seam.now()).toBe(700)
  })

  it('does not mistake its cancellation for a failed check', async () => {
    const fake = waitFor('create-service', [])
    fake.seam.latency = 1000
    fake.seam.at(800, () => fake.controller.abort(reason))
    await expect(fake.done).rejects.toBe(reason)
  })
})
