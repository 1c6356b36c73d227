/** Tests waits for deletions. */
import { describe, expect, it } from 'vitest'
import { html, json, refusal } from '../support/fake-seam.ts'
import { waitFor } from '../support/waiting.ts'

const paths = (seam: { requests: { url: string }[] }) =>
  seam.requests.map(({ url }) => url.replace('https://api.example/v1/projects/p1', ''))

const deleting = json(200, { service_id: 's1', status: 'DELETING' })
const others = json(200, [{ service_id: 's2' }])

describe('a service', () => {
  it('is gone if it is neither found nor listed', async () => {
    const { seam, lines, done } = waitFor('delete-service', [deleting, refusal(404), others])
    expect(await done).toEqual({
      record: undefined,
      milliseconds: 1000,
      history: [{ status: 'DELETING', at: 500 }],
    })
    expect(paths(seam)).toEqual(['/services/s1', '/services/s1', '/services'])
    expect(lines).toEqual([
      'waiting up to 10m 00s for service s1 to be deleted',
      '[0.5s] service s1 is DELETING',
      '[1.0s] service s1 is deleted',
    ])
  })

  it('is not gone while it is listed', async () => {
    const listed = json(200, [{ service_id: 's1' }])
    const { done } = waitFor('delete-service', [refusal(404), listed, refusal(404), others])
    expect(await done).toMatchObject({ milliseconds: 1000 })
  })

  it('is not gone while it is so new that reads may miss it', async () => {
    const script = Array.from({ length: 20 }, () => [refusal(404), others]).flat()
    const { seam, done } = waitFor('delete-service', script, { isNew: true, startsWithCheck: true })
    expect(await done).toMatchObject({ record: undefined })
    expect(seam.now()).toBeGreaterThanOrEqual(10_000)
  })

  it('is not gone after a page with status 404, which another server sent', async () => {
    const { seam, done } = waitFor('delete-service', [html(404), html(404), html(404)], {
      deadline: 2000,
    })
    await expect(done).rejects.toThrow(
      /waited 2.0s without success for service s1 to be gone \(no status seen; last error: .* status 404/,
    )
    expect(seam.requests).toHaveLength(3)
  })

  it('is not gone if the list is unreadable', async () => {
    const { done } = waitFor('delete-service', [refusal(404), refusal(503), refusal(404), html(200)], {
      deadline: 1000,
    })
    await expect(done).rejects.toMatchObject({
      message: expect.stringContaining('waited 1.0s without success for service s1 to be gone'),
      // By then a repeated deletion may get 404.
      next: 'check the service with get-service; if it still exists, run the step again or raise wait_timeout',
    })
  })

  it.each([
    ['has no id', { status: 'READY' }, false],
    ['has its id and no more that can be read', { service_id: 's1', name: 7 }, false],
    ['has another id', { service_id: 's2', name: 7 }, true],
  ])('is uncertain if an entry of the list %s', async (_, odd, isGone) => {
    const list = json(200, [{ service_id: 's3' }, odd])
    const { done } = waitFor('delete-service', [refusal(404), list, refusal(404), list], { deadline: 1000 })
    if (isGone) expect(await done).toMatchObject({ milliseconds: 500 })
    else await expect(done).rejects.toThrow('last error: list-services')
  })

  it('is not gone in status DELETING or READY', async () => {
    const script = [deleting, json(200, { service_id: 's1', status: 'READY' })]
    await expect(waitFor('delete-service', script, { deadline: 1000 }).done).rejects.toThrow(
      '(seen: DELETING at 0.5s, READY at 1.0s)',
    )
  })

  it.each(['DELETED', 'Deleted'])('is gone if it stays listed as %s', async status => {
    const { seam, lines, done } = waitFor('delete-service', [
      deleting,
      json(200, { service_id: 's1', status }),
    ])
    expect(await done).toMatchObject({ record: undefined, milliseconds: 1000 })
    expect(seam.requests).toHaveLength(2)
    expect(lines.at(-1)).toBe('[1.0s] service s1 is deleted')
  })

  it('is gone if it is not found, and listed as DELETED', async () => {
    const listed = json(200, [{ service_id: 's1', status: 'DELETED' }])
    const { done } = waitFor('delete-service', [refusal(404), listed])
    expect(await done).toMatchObject({ record: undefined, milliseconds: 500 })
  })
})

describe('a replica set, which can only be listed', () => {
  it('is gone if two lists do not contain it', async () => {
    const there = json(200, [{ id: 'r1', status: 'deleting' }, { id: 'r2' }])
    const missing = json(200, [{ id: 'r2' }])
    const { seam, done } = waitFor('delete-replica', [there, missing, missing])
    expect(await done).toMatchObject({ record: undefined, history: [{ status: 'deleting', at: 500 }] })
    expect(new Set(paths(seam))).toEqual(new Set(['/services/s1/replicaSets']))
  })
})

describe('a VPC, which has no status', () => {
  it('is gone under the same conditions', async () => {
    const script = [json(200, { id: 7 }), refusal(404), json(200, [{ id: 8 }])]
    const { lines, seam, done } = waitFor('delete-vpc', script)
    await done
    expect(lines).toEqual([
      'waiting up to 10m 00s for VPC 7 to be deleted',
      '[0.5s] VPC 7 is present, without a status',
      '[1.0s] VPC 7 is deleted',
    ])
    expect(paths(seam)).toEqual(['/vpcs/7', '/vpcs/7', '/vpcs'])
  })
})

describe('a peering', () => {
  it('is gone under the same conditions', async () => {
    const { seam, done } = waitFor('delete-peering', [refusal(404), json(200, [])])
    await done
    expect(paths(seam)).toEqual(['/vpcs/7/peerings/3', '/vpcs/7/peerings'])
  })
})
