/** Tests stores that imitate another server. */
import { describe, expect, it, test } from 'vitest'
import { type Profile, parseProfile } from '../../../emulator/store/progress/profile.ts'
import { Store } from '../../../emulator/store/store.ts'
import { seeded, start, timing } from '../support/virtual-store.ts'

const profile: Profile = {
  changes: {
    'create-service': {
      lasts: 9000,
      statuses: [
        ['QUEUED', 1000],
        ['PREPARING', 8000],
      ],
    },
    'stop-service': { lasts: 200, statuses: [] },
    'enable-pooler': { lasts: 5000, statuses: [] },
  },
  snapshotAfter: 60_000,
}

describe('a store like another server', () => {
  it('shows its statuses for as long, including unknown ones', () => {
    let now = start
    const store = new Store({ now: () => now, random: seeded(1), timing: { ...timing, like: profile } })
    const project_id = store.project.id
    const { body } = store.call('create-service', { project_id, name: 'shop' })
    const { service_id } = body as { service_id: string }
    const statusAt = (milliseconds: number) => {
      now = start + milliseconds
      return (store.call('get-service', { project_id, service_id }).body as { status: string }).status
    }
    expect([0, 999, 1000, 8999, 9000].map(statusAt)).toEqual([
      ...['QUEUED', 'QUEUED', 'PREPARING', 'PREPARING', 'READY'],
    ])
    // No status was seen on the way: that of before is shown, and yet nothing else can be asked for.
    store.call('stop-service', { project_id, service_id })
    expect([9199].map(statusAt)).toEqual(['READY'])
    for (const operation of ['stop-service', 'start-service'] as const)
      expect(store.call(operation, { project_id, service_id }).status).toBe(409)
    const asked = { project_id, service_id, fork_strategy: 'NOW' } as const
    expect(store.call('fork-service', asked).status).toBe(409)
    expect([9200].map(statusAt)).toEqual(['PAUSED'])
    store.call('start-service', { project_id, service_id })
    expect([9200 + timing.readyAfter - 1, 9200 + timing.readyAfter].map(statusAt)).toEqual([
      'RESUMING',
      'READY',
    ])
    const hasPoolerAt = (milliseconds: number) => {
      now = start + milliseconds
      const shown = store.call('get-service', { project_id, service_id }).body
      return 'connection_pooler' in (shown as object)
    }
    store.call('enable-pooler', { project_id, service_id })
    expect([10_200 + 4999, 10_200 + 5000].map(hasPoolerAt)).toEqual([false, true])
  })
})

describe('parseProfile', () => {
  it('reads its argument', () => {
    expect(parseProfile(JSON.stringify(profile))).toEqual(profile)
  })

  test.each([
    [[], 'expected the profile that npm run live writes'],
    [{ changes: { 'make-tea': { lasts: 1, statuses: [] } } }, 'no operation is called "make-tea"'],
    [{ changes: { 'stop-service': { lasts: -1, statuses: [] } } }, 'stop-service: expected lasts'],
    [{ changes: { 'stop-service': { lasts: 1, statuses: [['READY', 1]] } } }, 'stop-service: expected lasts'],
    [{ changes: { 'stop-service': { lasts: 1, statuses: ['PAUSING'] } } }, 'stop-service: expected lasts'],
    [{ changes: {}, snapshotAfter: '1s' }, 'snapshotAfter: expected milliseconds'],
  ])('refuses %j', (value, message) => {
    expect(() => parseProfile(JSON.stringify(value))).toThrow(message)
  })
})
