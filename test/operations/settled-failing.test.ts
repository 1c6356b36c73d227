import { describe, expect, it } from 'vitest'
import { json, refusal } from '../support/fake-seam.ts'
import { inStatus, moments, ready, times, waitFor } from '../support/waiting.ts'

describe('a record that is not there', () => {
  it('may appear within a minute of its creation', async () => {
    const { seam, done } = waitFor('create-service', [...times(25, refusal(404)), ready], {
      justCreated: true,
    })
    expect(await done).toMatchObject({ record: { status: 'READY' } })
    expect(moments(seam).at(-2)).toBeLessThan(60_000)
  })

  it('does not appear after that', async () => {
    const { seam, done } = waitFor('create-service', times(60, refusal(404)), { justCreated: true })
    await expect(done).rejects.toThrow(
      'waiting for service s1 to be READY failed: it is not there any more: somebody deleted it (no status seen)',
    )
    expect(moments(seam).at(-1)).toBeGreaterThanOrEqual(60_000)
    expect(moments(seam).at(-2)).toBeLessThan(60_000)
  })

  const unlisted = [refusal(404), json(200, [])]

  it('may be missing again for a while once it was seen, as reads lag', async () => {
    const script = [inStatus('CONFIGURING'), ...unlisted, ...unlisted, ready]
    const { done } = waitFor('create-service', script, { justCreated: true })
    expect(await done).toMatchObject({ record: { status: 'READY' } })
  })

  it('was deleted where it is missing for longer than any read lags', async () => {
    const missing = Array.from({ length: 30 }, () => unlisted).flat()
    const { seam, done } = waitFor('create-service', [inStatus('CONFIGURING'), ...missing], {
      justCreated: true,
    })
    await expect(done).rejects.toThrow('somebody deleted it (seen: CONFIGURING at ')
    // Seen after 0.5 s, and three times the 10 s by which reads are said to lag.
    expect(seam.now()).toBeGreaterThanOrEqual(30_500)
    expect(seam.now()).toBeLessThan(40_000)
  })

  it('is not waited for like a new one where a list has shown it already', async () => {
    const isList = (url: string) => url.endsWith('/services')
    const missing = times(30, ({ url }) => (isList(url) ? json(200, []) : refusal(404)))
    const { seam, done } = waitFor('create-service', missing, { justCreated: true, isSeen: true })
    await expect(done).rejects.toThrow('somebody deleted it (no status seen')
    expect(seam.now()).toBeLessThan(40_000)
  })

  it('was deleted where it was there before', async () => {
    const { seam, done } = waitFor('stop-service', [inStatus('PAUSING'), refusal(404)])
    await expect(done).rejects.toThrow('somebody deleted it (seen: PAUSING at 0.5s)')
    expect(moments(seam)).toEqual([500, 1000])
  })
})

describe('a record that is being deleted', () => {
  it('ends the wait at once', async () => {
    const { seam, done } = waitFor('create-service', [inStatus('QUEUED'), inStatus('DELETING')])
    await expect(done).rejects.toMatchObject({
      message:
        'waiting for service s1 to be READY failed: the service is DELETING: somebody deleted it ' +
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
  it('ends the wait with all that is known, after a last look', async () => {
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
        'waited 3.0s in vain for service s1 to be READY (seen: QUEUED at 0.5s, CONFIGURING at 2.0s; ' +
        'last error: get-service (GET /projects/p1/services/s1) failed with 503 E503: busy)',
      next: 'look at its status and log, or raise wait_timeout',
    })
    expect(moments(seam)).toEqual([500, 1000, 2000, 3000])
  })

  it('says that what was created is still there', async () => {
    const { done } = waitFor('create-service', times(2, inStatus('QUEUED')), {
      deadline: 900,
      justCreated: true,
    })
    await expect(done).rejects.toMatchObject({
      next: 'look at its status and log, or raise wait_timeout; it was not deleted, and still costs money',
    })
  })

  it('says who else has to act', async () => {
    const pending = json(200, { id: '3', status: 'PENDING' })
    const { done } = waitFor('create-peering', [pending], { deadline: 500 })
    await expect(done).rejects.toMatchObject({
      message: 'waited 0.5s in vain for peering 3 to be accepted (seen: PENDING at 0.5s)',
      next: 'the owner of the peer VPC must accept the peering request on their side',
    })
  })

  it('that is over already ends the wait without a look', async () => {
    const { seam, done } = waitFor('create-service', [], { deadline: 0 })
    await expect(done).rejects.toThrow('waited 0.0s in vain for service s1 to be READY (no status seen)')
    expect(seam.requests).toHaveLength(0)
  })
})

describe('a cancelled job', () => {
  const reason = new Error('cancelled')

  it('does not wait on', async () => {
    const fake = waitFor('create-service', [inStatus('QUEUED')])
    fake.seam.at(700, () => fake.controller.abort(reason))
    await expect(fake.done).rejects.toBe(reason)
    expect(fake.seam.now()).toBe(700)
  })

  it('does not take its own end for a failed look', async () => {
    const fake = waitFor('create-service', [])
    fake.seam.latency = 1000
    fake.seam.at(800, () => fake.controller.abort(reason))
    await expect(fake.done).rejects.toBe(reason)
  })
})
