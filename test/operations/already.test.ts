/** Tests changes of a record that has the requested state already. */
import { describe, expect, it, test } from 'vitest'
import { type Endpoint, isRead } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Already } from '#api/goal'
import type { GivenParameters } from '#operations/base/context'
import { requiredValues } from '../../tools/reference/example-values.ts'
import { changedAnswer, refused } from '../preview/support/courses.ts'
import { minute, second } from '../preview/support/inputs.ts'
import { Stage, type StageOptions } from '../preview/support/stage.ts'

/** A stage with a record of each kind, and the ids of them. */
function furnish(options: StageOptions = {}) {
  const stage = new Stage(options)
  const service_id = stage.other
  const set = { service_id, name: 'reader', nodes: 1, cpu_millis: 500, memory_gbs: 2 }
  const replica_set_id = stage.callAsOther('create-replica', set)
  const vpc_id = stage.callAsOther('create-vpc', {
    name: 'net',
    cidr: '10.0.0.0/16',
    region_code: 'us-east-1',
  })
  stage.advanceTime(minute)
  return { stage, ids: { service_id, replica_set_id, vpc_id } }
}

/**
 * The setup for each operation, besides running it twice with its required inputs: other values than the default, and
 * earlier operations.
 */
const special: Record<string, { fields?: object; first?: EndpointName[] }> = {
  'start-service': { first: ['stop-service'] },
  'resize-service': { fields: { cpu_millis: '1000', memory_gbs: '4' } },
  'set-ha': { fields: { replica_count: 1 } },
  'disable-pooler': { first: ['enable-pooler'] },
  'detach-vpc': { first: ['attach-vpc'] },
  'rename-service': { fields: { name: 'shop' } },
  'resize-replica': { fields: { cpu_millis: '1000', memory_gbs: '4' } },
  'disable-replica-pooler': { first: ['enable-replica-pooler'] },
  'rename-vpc': { fields: { name: 'shop' } },
}

const rows = Object.entries(endpoints).flatMap(([name, row]) =>
  row.already ? [[name as EndpointName, row.already as Already<unknown>] as const] : [],
)

describe.each(rows)('%s', (name, already) => {
  const { fields = {}, first = [] } = special[name] ?? {}

  it('succeeds without a change if the record has the requested state', async () => {
    const { stage, ids } = furnish()
    const given: GivenParameters = { ...requiredValues(), ...ids, ...fields }
    for (const operation of first) {
      stage.callAsOther(operation, given)
      stage.advanceTime(minute)
    }
    const once = await stage.run(name, { given })
    expect(once.error).toBeUndefined()
    expect(once.outcome?.changed, 'the record was so before: ask for something else above').toBe(true)
    const twice = await stage.run(name, { given })
    expect(twice.error).toBeUndefined()
    expect(twice.outcome).toMatchObject({ changed: false, created: false, deleted: false })
    expect(twice.outcome?.record).toEqual(once.outcome?.record)
    const notice = /^(?:service|replica set|VPC) \S+ (?:is already|already has) /m
    expect(twice.lines.join('\n'), 'the words of `already` begin so').toMatch(notice)
    expect(twice.idsOf(name)).toHaveLength(already.call === 'spared' ? 0 : 1)
  })
})

test('a repeatable change is always sent, because the record that was read may be outdated', () => {
  const repeatable = Object.entries<Endpoint>(endpoints).filter(([, row]) => row.repeatable && !isRead(row))
  const others = repeatable.filter(([, { already }]) => already?.call !== 'sent').map(([name]) => name)
  // No record shows a password or a login.
  expect(others, 'set `already`, with the call `sent`').toEqual(['update-password', 'log-out'])
})

describe('a record that is being deleted', () => {
  test.each(rows.filter(([name]) => name !== 'rename-vpc'))('has nothing of %s', (name, already) => {
    const sizes = { cpu_millis: 500, memory_gbs: 2 }
    const common = { name: 'shop', metadata: { environment: 'DEV' }, ha_replicas: { replica_count: 1 } }
    const rest = { resources: [{ spec: sizes }], vpcEndpoint: undefined, ...sizes }
    for (const status of ['DELETING', 'DELETED', 'deleting']) {
      const record = { service_id: 's1', id: 'i1', ...common, ...rest, status }
      const given = { name: 'shop', environment: 'DEV', cpu_millis: '500', memory_gbs: '2' }
      expect(already.is(record, { ...given, replica_count: 1, vpc_id: '7' }), name).toBe(false)
    }
  })
})

describe('if another job makes the same change', () => {
  test.each([
    ['stop-service', 'stop-service', 'PAUSING', 'PAUSED'],
    ['start-service', 'start-service', 'RESUMING', 'READY'],
  ] as const)('%s waits for the change of the other job', async (name, other, status, end) => {
    const { stage, ids } = furnish()
    if (name === 'start-service') stage.callAsOther('stop-service', ids)
    stage.advanceTime(minute)
    stage.onCall(name, () => void stage.callAsOther(other, ids))
    const run = await stage.run(name, { given: ids })
    expect(run.error).toBeUndefined()
    expect(run.outcome).toMatchObject({ changed: false, record: { status: end } })
    expect(run.lines).toContain(`service ${ids.service_id} is ${status} because of another call`)
  })

  test.each([405, 412, 422, 423])('a refusal with any status is examined, like %d', async status => {
    const { stage, ids } = furnish()
    stage.callAsOther('stop-service', ids)
    stage.advanceTime(minute)
    stage.onEveryCall('stop-service', () => refused(status))
    const run = await stage.run('stop-service', { given: ids })
    expect(run.error).toBeUndefined()
    expect(run.outcome?.changed).toBe(false)
  })

  // The service answers 400, another server may answer 409 (docs/internals/api.md, "Already as requested").
  it.each([400, 409])('the record is read again after list_lag for a refusal: %d', async status => {
    const { stage, ids } = furnish()
    stage.callAsOther('stop-service', ids)
    stage.advanceTime(minute)
    stage.onCall('stop-service', () => refused(status))
    stage.onCall('get-service', () => changedAnswer(service => ({ ...service, status: 'READY' })))
    const run = await stage.run('stop-service', { given: ids })
    expect(run.error).toBeUndefined()
    expect(run.outcome?.changed).toBe(false)
    expect(run.idsOf('get-service')).toHaveLength(2)
    expect(run.took).toBeGreaterThanOrEqual(10 * second)
  })
})

describe('a refusal remains a failure', () => {
  const sent = async (name: EndpointName, status: number, message?: string, more = {}) => {
    const { stage, ids } = furnish()
    stage.onEveryCall(name, () => refused(status, message))
    return await stage.run(name, { given: { ...ids, ...more } })
  }

  it('if the record has another state', async () => {
    const run = await sent('stop-service', 409)
    expect(run.error).toMatchObject({ status: 409, message: expect.stringContaining('stop-service') })
  })

  test.each([
    ['stop-service', 422],
    ['attach-vpc', 400],
    ['set-ha', 400],
  ] as const)('at once if it is not a conflict: %s, %d', async (name, status) => {
    const run = await sent(name, status, undefined, { replica_count: 1 })
    expect(run.error).toMatchObject({ status })
    expect(run.took).toBeLessThan(second)
  })

  it('if its message reports another change with an unknown end', async () => {
    const words = 'service s1 is still being attached to VPC 7; try again later'
    expect((await sent('detach-vpc', 409, words)).error).toMatchObject({ status: 409 })
    // The record alone looks detached.
    expect((await sent('detach-vpc', 409)).error).toBeUndefined()
  })

  test.each([401, 403, 404])('if it concerns the key or the id: %d', async status => {
    expect((await sent('detach-vpc', status)).error).toMatchObject({ status })
  })

  it('if the record is unreadable', async () => {
    const { stage, ids } = furnish()
    stage.onEveryCall('detach-vpc', () => refused(409))
    stage.onEveryCall('get-service', () => refused(403))
    const run = await stage.run('detach-vpc', { given: ids })
    expect(run.error).toMatchObject({ status: 409 })
  })
})

describe('a read may be outdated', () => {
  const other = { cpu_millis: '1000', memory_gbs: '4' }

  it('a size is requested if only one read shows it', async () => {
    const { stage, ids } = furnish()
    const spec = { cpu_millis: 1000, memory_gbs: 4 }
    stage.onCall('get-service', () => changedAnswer(service => ({ ...service, resources: [{ spec }] })))
    const run = await stage.run('resize-service', { given: { ...ids, ...other } })
    expect(run.outcome?.changed).toBe(true)
    expect(stage.service(ids.service_id)?.resources?.[0]?.spec).toMatchObject(spec)
  })

  it('a tag is always set', async () => {
    const { stage, ids } = furnish()
    stage.onCall('get-service', () =>
      changedAnswer(service => ({ ...service, metadata: { environment: 'PROD' } })),
    )
    const run = await stage.run('set-environment', { given: { ...ids, environment: 'PROD' } })
    expect(run.error).toBeUndefined()
    expect(stage.service(ids.service_id)?.metadata?.environment).toBe('PROD')
  })

  it('a failed read does not prevent the change', async () => {
    const { stage, ids } = furnish()
    stage.onCall('get-service', () => refused(403))
    const run = await stage.run('resize-service', { given: { ...ids, ...other } })
    expect(run.outcome).toMatchObject({ changed: true, record: { status: 'READY' } })
  })

  it('a size is requested if the time is too short for a second read', async () => {
    const { stage, ids } = furnish()
    const given = { ...ids, cpu_millis: '500', memory_gbs: '2' }
    const run = await stage.run('resize-service', { given, patience: 9 * second })
    expect(run.idsOf('resize-service')).toHaveLength(1)
    expect(run.outcome?.changed).toBe(false)
  })
})
