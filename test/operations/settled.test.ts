/** Tests waits for a status. */
import { describe, expect, it, test } from 'vitest'
import { RequestTimeoutError, TransportError } from '#base/errors'
import { html, json, refusal, type Scripted } from '../support/fake-seam.ts'
import { inStatus, ready, repeatAnswer, requestTimes, waitFor } from '../support/waiting.ts'

describe('a wait', () => {
  it('ends with the record at its goal, and its history', async () => {
    const script = [inStatus('QUEUED'), inStatus('QUEUED'), inStatus('CONFIGURING'), ready]
    const { seam, lines, done } = waitFor('create-service', script)
    expect(await done).toEqual({
      record: expect.objectContaining({ status: 'READY', endpoint: { host: 'h', port: 5432 } }),
      milliseconds: 4000,
      history: [
        { status: 'QUEUED', at: 500 },
        { status: 'CONFIGURING', at: 2000 },
        { status: 'READY', at: 4000 },
      ],
    })
    expect(requestTimes(seam)).toEqual([500, 1000, 2000, 4000])
    expect(lines).toEqual([
      'waiting up to 10m 00s for service s1 to be ready',
      '[0.5s] service s1 is QUEUED',
      '[2.0s] service s1 is CONFIGURING',
      '[4.0s] service s1 is READY',
    ])
  })

  it('checks at once if the work may be done already', async () => {
    const { seam, done } = waitFor('create-service', [ready], { startsWithCheck: true })
    expect(await done).toMatchObject({ milliseconds: 0 })
    expect(requestTimes(seam)).toEqual([0])
  })

  it('passes the requested values to the verdict', async () => {
    const sized = (cpu: number) => {
      const spec = { cpu_millis: cpu, memory_gbs: 4 }
      return json(200, { service_id: 's1', status: 'READY', resources: [{ spec }] })
    }
    const parameters = { cpu_millis: '1000', memory_gbs: '4' }
    const { seam, done } = waitFor('resize-service', [sized(500), sized(1000)], { parameters })
    await done
    expect(seam.requests).toHaveLength(2)
  })

  it('warns once about an unknown status, and continues', async () => {
    const script = [inStatus('HIBERNATING'), inStatus('READY'), inStatus('HIBERNATING'), ready]
    const { warnings, done } = waitFor('create-service', script)
    await done
    expect(warnings).toEqual([
      'service s1 has the status HIBERNATING, which the specification does not list; still waiting',
    ])
  })

  it('knows the statuses of a peering in any letter case, and warns once about others', async () => {
    const peering = (status: string, provisioned_id = '') => json(200, { id: '3', status, provisioned_id })
    const script = [
      peering('Pending'),
      ...repeatAnswer(2, peering('moving in')),
      peering('Connected', 'pcx-1'),
    ]
    const { warnings, done } = waitFor('create-peering', script)
    await done
    expect(warnings).toEqual([
      'peering 3 has the status moving in, which the action does not know; still waiting',
    ])
  })

  it('calls a missing status none', async () => {
    const { lines, warnings, done } = waitFor('create-service', [json(200, { service_id: 's1' }), ready])
    expect(await done).toMatchObject({ history: [{ status: 'none' }, { status: 'READY' }] })
    expect(lines[1]).toBe('[0.5s] service s1 is present, without a status')
    expect(warnings).toEqual(['service s1 has no status; still waiting'])
  })

  it('finds a replica set in a list with malformed entries', async () => {
    const active = { id: 'r1', status: 'active', endpoint: { host: 'h', port: 5432 } }
    const list = json(200, [{ id: 'r2', nodes: 'some' }, { name: 'nobody' }, active])
    expect(await waitFor('create-replica', [list]).done).toMatchObject({ record: active })
  })

  it('needs no status of a peering', async () => {
    const silent = json(200, { id: '3', peer_vpc_id: 'vpc-1' })
    const active = json(200, { id: '3', status: 'active', provisioned_id: 'pcx-1' })
    const { warnings, done } = waitFor('create-peering', [silent, active])
    await done
    expect(warnings).toEqual([])
  })

  it('sends one request for each check, with its own deadline as the limit', async () => {
    const { seam, done } = waitFor('create-service', [inStatus('QUEUED'), ready], { deadline: 20_000 })
    await done
    expect(seam.requests.map(({ timeout }) => timeout)).toEqual([19_500, 19_000])
  })
})

describe('a failed check', () => {
  test.each<[string, Scripted]>([
    ['a reset connection', new TransportError('reset', { neverSent: false })],
    ['a timeout', new RequestTimeoutError(1)],
    ['429', refusal(429)],
    ['500', refusal(500)],
    ['503', refusal(503)],
    ['a page with 200', html(200)],
    ['a page with 404', html(404)],
    ['a record without its id', json(200, {})],
    ['one 401', refusal(401)],
    ['one 403', refusal(403)],
    ['one page with 403', html(403)],
    [
      'an answer about another record',
      json(200, { service_id: 's2', status: 'READY', endpoint: { host: 'h', port: 1 } }),
    ],
  ])('with %s is temporary', async (_, answer) => {
    const { seam, done } = waitFor('create-service', [answer, ready])
    expect(await done).toMatchObject({ record: { status: 'READY' } })
    expect(requestTimes(seam)).toEqual([500, 1000])
  })

  test.each<[string, Scripted]>([
    ['401', refusal(401)],
    ['403', refusal(403)],
    ['a 401 of a gateway', html(401)],
  ])('with %s twice ends the wait', async (_, answer) => {
    const { done } = waitFor('create-service', [answer, answer])
    await expect(done).rejects.toMatchObject({
      name: 'WaitError',
      message: expect.stringContaining('waiting for service s1 to be READY was refused twice'),
      next: 'check that the key is still valid and allowed to read the project',
    })
  })

  it('with an occasional 401 is temporary', async () => {
    const { done } = waitFor('create-service', [refusal(401), inStatus('QUEUED'), refusal(401), ready])
    expect(await done).toMatchObject({ record: { status: 'READY' } })
  })

  it('with 400 is permanent', async () => {
    await expect(waitFor('create-service', [refusal(400, 'bad id')]).done).rejects.toThrow('bad id')
  })

  it('is repeated at the Retry-After, no sooner', async () => {
    const { seam, done } = waitFor('create-service', [refusal(429, 'no', { 'retry-after': '60' }), ready])
    await done
    expect(requestTimes(seam)).toEqual([500, 60_500])
  })

  it('is repeated at the deadline if the Retry-After is later', async () => {
    const script = [refusal(429, 'no', { 'retry-after': '3600' }), ready]
    const { seam, done } = waitFor('create-service', script, { deadline: 9000 })
    await done
    expect(requestTimes(seam)).toEqual([500, 9000])
  })

  it('does not delay later checks', async () => {
    const script = [refusal(429, 'no', { 'retry-after': '60' }), inStatus('QUEUED'), ready]
    const { seam, done } = waitFor('create-service', script)
    await done
    expect(requestTimes(seam)[2]).toBeLessThan(66_000)
  })
})
