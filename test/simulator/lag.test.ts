/** Tests of lagging answers. */
import { describe, expect, it, test } from 'vitest'
import type { Store } from '../../emulator/store/store.ts'
import { Chance } from './chance.ts'
import type { Lag } from './climate.ts'
import { Ledger } from './ledger.ts'
import { PullRequests } from './pull-requests.ts'
import { createServer } from './server.ts'
import { createView } from './view.ts'
import { VirtualTime } from './virtual-time.ts'

const project_id = 'em00000001'

/** A server whose time stands still until it is set, with lagging answers. */
function scene(lag: Lag) {
  const clock = { now: 0 }
  const server = createServer({
    now: () => clock.now,
    random: () => chance.next(),
    timing: { readyAfter: 1000, deleteAfter: 1000 },
    project: { id: project_id, name: 'simulated' },
  })
  const chance = new Chance(7)
  const ledger = new Ledger()
  const { births } = ledger
  const view = createView({ server, lag, chance, now: () => clock.now, births })
  const create = (name: string) => {
    const { body } = server.change(store => store.call('create-service', { project_id, name }))
    const at = clock.now
    return ledger.created({ operation: 'create-service', by: 'a test', sent: at, at }, body)
  }
  const parent = create('parent')
  clock.now = 100_000
  return {
    clock,
    create,
    fork: () => {
      const given = { project_id, service_id: parent, fork_strategy: 'NOW' as const }
      const { body } = server.change(store => store.call('fork-service', given))
      return ledger.created({ operation: 'fork-service', by: 'a test', sent: 0, at: clock.now }, body)
    },
    remove: (service_id: string) =>
      server.change(store => store.call('delete-service', { project_id, service_id })),
    list: () => {
      const { body } = view('list-services', store => store.call('list-services', { project_id }))
      return (body as { service_id: string; status: string }[]).map(({ service_id, status }) => [
        service_id,
        status,
      ])
    },
    get: (service_id: string) => {
      const reply = view('get-service', store => store.call('get-service', { project_id, service_id }))
      return reply.body as { code?: string; status?: string; forked_from?: unknown }
    },
  }
}

it('keeps the past states of the server, with the same ids', () => {
  const clock = { now: 0 }
  const chance = new Chance(3)
  const server = createServer({ now: () => clock.now, random: () => chance.next() })
  const list = (store: Store) =>
    (store.call('list-services', { project_id }).body as { service_id: string }[]).map(
      ({ service_id }) => service_id,
    )
  server.change(store => store.call('create-service', { project_id, name: 'one' }))
  clock.now = 5000
  server.change(store => store.call('create-service', { project_id, name: 'two' }))
  const [one, two] = list(server.store)
  clock.now = 9000
  expect(list(server.ago(5000))).toEqual([one])
  expect(list(server.ago(4000))).toEqual([one, two])
  clock.now = 10_000
  expect(list(server.ago(5000))).toEqual([one, two])
})

describe('answers that are behind', () => {
  test.each([
    { stale: 'lists', isListed: false, isFound: true },
    { stale: 'records', isListed: true, isFound: false },
    { stale: 'both', isListed: false, isFound: false },
  ] as const)('of $stale', ({ stale, isListed, isFound }) => {
    const { clock, create, list, get } = scene({ kind: 'steady', stale, by: 3000 })
    const id = create('late')
    const seen = () => [list().some(([listed]) => listed === id), get(id).code === undefined]
    clock.now += 2900
    expect(seen()).toEqual([isListed, isFound])
    clock.now += 100
    expect(seen()).toEqual([true, true])
  })

  it('come from replicas, each with its own lag', () => {
    const { clock, create, list } = scene({ kind: 'replicas', stale: 'both', by: [0, 1000, 3000] })
    create('late')
    clock.now += 500
    const lengths = () => new Set(Array.from({ length: 50 }, () => list().length))
    expect(lengths()).toEqual(new Set([1, 2]))
    clock.now += 2600
    expect(lengths()).toEqual(new Set([2]))
  })
})

/** Many records, each on time, or late by a third or all of the lag. */
const many = Array.from({ length: 40 }, (_, index) => `late-${index}`)

describe('records that are late', () => {
  it('to be listed, though found by their id', () => {
    const { clock, create, list, get } = scene({ kind: 'records', upTo: { listed: 9000 } })
    const ids = many.map(create)
    const count = () => list().length - 1
    expect(count()).toBeGreaterThan(0)
    expect(count()).toBeLessThan(many.length)
    expect(ids.map(id => get(id).status)).not.toContain(undefined)
    clock.now += 8900
    expect(count()).toBeLessThan(many.length)
    clock.now += 100
    expect(count()).toBe(many.length)
  })

  it('to be found by their id, though listed', () => {
    const { clock, create, list, get } = scene({ kind: 'records', upTo: { found: 9000 } })
    const ids = many.map(create)
    const count = () => ids.filter(id => get(id).code === undefined).length
    expect(list()).toHaveLength(many.length + 1)
    expect(count()).toBeLessThan(many.length)
    clock.now += 9000
    expect(count()).toBe(many.length)
  })

  it('to change, and to be gone', () => {
    const { clock, create, remove, list } = scene({
      kind: 'records',
      upTo: { changed: 3000, gone: 9000 },
    })
    const ids = many.map(create)
    clock.now += 20_000
    ids.map(remove)
    const seen = (status: string) => list().filter(([, has]) => has === status).length
    clock.now += 500
    expect(seen('READY')).toBeGreaterThan(1)
    expect(seen('DELETING')).toBeGreaterThan(0)
    clock.now += 3000
    expect(seen('READY')).toBe(1)
    expect(seen('DELETING')).toBeGreaterThan(0)
    clock.now += 8000
    expect(list()).toHaveLength(1)
  })

  it('to show their parents', () => {
    const { clock, fork, get } = scene({ kind: 'records', upTo: { forked_from: 9000 } })
    const ids = many.map(fork)
    const count = () => ids.filter(id => get(id).forked_from !== undefined).length
    expect(count()).toBeGreaterThan(0)
    expect(count()).toBeLessThan(many.length)
    clock.now += 9000
    expect(count()).toBe(many.length)
  })
})

it('lets GitHub return an old state of a pull request for a while', () => {
  const time = new VirtualTime()
  const pullRequests = new PullRequests(time, 30_000)
  pullRequests.set(7, 'open')
  time.now = 50_000
  pullRequests.set(7, 'closed')
  time.now = 79_999
  expect(pullRequests.shown(7)?.state).toBe('open')
  time.now = 80_000
  expect(pullRequests.shown(7)).toMatchObject({ state: 'closed', since: 50_000 })
  expect(pullRequests.shown(8)).toBeUndefined()
})
