/** Tests invariants of the store over random calls. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Effect } from '../../../emulator/store/effect.ts'
import { requiredValues } from '../../../tools/reference/example-values.ts'
import { VirtualStore } from '../support/virtual-store.ts'

/** One step of a random life: some time passes, then a call is made, then some effects are reported. */
interface Step {
  operation: EndpointName
  passes: number
  /** Picks among all ids seen so far, also those of a deleted service; 6 is an unknown one. */
  service: number
  child: number
  size: string
  strategy: 'NOW' | 'LAST_SNAPSHOT' | 'PITR'
  addon: 'ai' | 'time-series'
  account: string
  count: number
  effects: 'report' | 'fail' | 'keep'
}

const operations = Object.keys(endpoints) as EndpointName[]
/** Creations more often than the others, so that there is something to work on. */
const creations = operations.filter(operation => (endpoints[operation] as Endpoint).creates)

/** Long ones: little happens in a short life. */
const lives = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 30, maxLength: 80, size: 'max' })

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.constantFrom(...operations, ...creations, ...creations),
  passes: fc.constantFrom(0, 1, 200, 400, 1000, 2000),
  service: fc.nat(6),
  child: fc.nat(6),
  size: fc.constantFrom('500', '2000'),
  strategy: fc.constantFrom('NOW' as const, 'LAST_SNAPSHOT' as const, 'PITR' as const),
  addon: fc.constantFrom('ai' as const, 'time-series' as const),
  account: fc.constantFrom('1', '000000000000', '999999999999'),
  count: fc.nat(2),
  effects: fc.oneof(
    { weight: 12, arbitrary: fc.constant('report' as const) },
    { weight: 1, arbitrary: fc.constant('fail' as const) },
    { weight: 3, arbitrary: fc.constant('keep' as const) },
  ),
})

const required = requiredValues()

/** Performs steps and checks the invariants after each. It uses plain assertions, since there are many thousands. */
class Life {
  readonly store: VirtualStore
  readonly #ids: Record<string, string[]> = { service: [], replica_set: [], vpc: [], peering: [] }
  readonly #kept: Effect[] = []
  #alive = new Set<string>()
  readonly #gone = new Set<string>()

  constructor(store: VirtualStore) {
    this.store = store
  }

  take(step: Step): unknown {
    this.store.pass(step.passes)
    const row: Endpoint = endpoints[step.operation]
    const { status, body, effects } = this.store.reply(step.operation, this.#params(step) as never)
    if (status >= 300) {
      assert.ok([400, 404, 409].includes(status), `status ${status}`)
      const { code, message, ...others } = body as { code: unknown; message: unknown }
      assert.deepEqual([typeof code, typeof message, others, effects], ['string', 'string', {}, []])
    } else {
      assert.equal(status, row.status)
      if (row.response) assert.equal(row.response.safeParse(body).error, undefined)
      else assert.equal(body, undefined)
      if (row.creates) this.#remember(row.creates, body)
    }
    this.#carryOut(step, effects)
    this.#checkIds()
    return { status, body }
  }

  #remember(kind: string, body: unknown): void {
    const { id, service_id = id } = body as { id: string; service_id?: string }
    const all = Object.values(this.#ids).flat()
    assert.ok(!all.includes(service_id), `${service_id} was given before`)
    this.#ids[kind]?.push(service_id)
  }

  #carryOut(step: Step, effects: Effect[]): void {
    this.#kept.push(...effects)
    if (step.effects === 'keep') return
    for (const { id, kind } of this.#kept.splice(0)) {
      if (step.effects === 'fail' && kind !== 'delete-service') this.store.store.failed(id, 'bad luck')
      else this.store.store.completed(id, { address: { host: '127.0.0.1', port: 5432 } })
    }
  }

  #checkIds(): void {
    const services = this.store.call('list-services', {})
    const vpcs = this.store.call('list-vpcs', {})
    const sets = services.flatMap(service => service.read_replica_sets ?? [])
    const ids = [...services.map(service => service.service_id), ...[...vpcs, ...sets].map(({ id }) => id)]
    assert.equal(new Set(ids).size, ids.length)
    for (const id of this.#alive) if (!ids.includes(id)) this.#gone.add(id)
    assert.deepEqual(
      ids.filter(id => this.#gone.has(id)),
      [],
    )
    this.#alive = new Set(ids)
  }

  #params(step: Step): Record<string, unknown> {
    const pick = (kind: string, index: number) => {
      const ids = this.#ids[kind] ?? []
      return (index < 6 ? ids[index % ids.length] : undefined) ?? 'unknown'
    }
    return {
      ...required,
      service_id: pick('service', step.service),
      replica_set_id: pick('replica_set', step.child),
      vpc_id: pick('vpc', step.child),
      peering_id: pick('peering', step.child),
      addons: [step.addon],
      cpu_millis: step.operation === 'create-replica' ? Number(step.size) : step.size,
      memory_gbs: step.operation === 'create-replica' ? 2 : '2',
      replica_count: step.count,
      sync_replica_count: step.count,
      fork_strategy: step.strategy,
      target_time: step.strategy === 'PITR' ? new Date(this.store.now - 300).toISOString() : undefined,
      peer_account_id: step.account,
    }
  }
}

test.each(['invented', 'real'] as const)(
  'for any calls, with %s databases, every answer conforms to the API',
  databases => {
    const takeAll = fc.property(lives(step), steps => {
      const life = new Life(new VirtualStore({ databases }))
      for (const one of steps) life.take(one)
    })
    expect(() => fc.assert(takeAll, { numRuns: 40 })).not.toThrow()
  },
)

test('ids stay unique even if the random source always returns the same number', () => {
  const store = new VirtualStore({ random: () => 0.999 })
  const ids = Array.from({ length: 50 }, () => store.call('create-service', { name: 'shop' }).service_id)
  expect(new Set(ids).size).toBe(50)
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{10}$/)
})

test('with the same seed, the same calls give the same answers, and more reads change nothing', () => {
  const compare = fc.property(lives(step), steps => {
    const seldom = new Life(new VirtualStore())
    const often = new Life(new VirtualStore())
    for (const one of steps) {
      for (const passes of [0.25, 0.5, 0.75].map(share => Math.floor(one.passes * share))) {
        often.store.now += passes
        often.store.call('list-services', {})
        often.store.now -= passes
      }
      assert.deepEqual(often.take(one), seldom.take(one))
    }
  })
  expect(() => fc.assert(compare, { numRuns: 25 })).not.toThrow()
})
