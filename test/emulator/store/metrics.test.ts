/** Tests the metrics of services. */
import { expect, test } from 'vitest'
import { readyStore, start, timing, VirtualStore } from '../support/virtual-store.ts'

const statistics = (transactions: number) => ({ connections: 3, transactions, diskBytes: 1000 })
const minute = 60_000
const at = (ms: number) => new Date(start + ms).toISOString()

/** A service in a world where a minute is over each time that it is asked for a series. */
function measured() {
  const { store, service_id } = readyStore()
  store.now = start
  const read = (metric_name: string, transactions?: number, more: object = {}) => {
    const [series] = store.call(
      'get-metric-series',
      { service_id, metric_name, from: at(0), to: at(3 * minute), ...more },
      transactions === undefined ? {} : { statistics: statistics(transactions) },
    )
    store.pass(minute)
    return series?.data?.map(({ value }) => value)
  }
  return { store, service_id, read }
}

test('a measurement is in the bucket of its time, and in no other', () => {
  const { read } = measured()
  expect(read('timescale_cloud_database_num_connections', 10)).toEqual([3, null, null])
  expect(read('timescale_cloud_system_disk_usage_bytes')).toEqual([1000, null, null])
  expect(read('timescale_cloud_system_disk_usage_bytes', 10)).toEqual([1000, null, 1000])
})

test('transactions per second are counted between samples, and not over a restart', () => {
  const { store, read } = measured()
  store.pass(timing.readyAfter + 10_000)
  expect(read('timescale_cloud_database_qps', 100)).toEqual([10, null, null])
  expect(read('timescale_cloud_database_qps', 400)).toEqual([10, 5, null])
  expect(read('timescale_cloud_database_qps', 1)).toEqual([10, 5, null])
})

test('the size of the service is known all the time', () => {
  const { read } = measured()
  expect(read('timescale_cloud_system_cpu_total_millicores')).toEqual([500, null, null])
  expect(read('timescale_cloud_system_memory_total_bytes')).toEqual([2 ** 31, 2 ** 31, null])
})

test.each([
  [[{ key: 'role', value: 'primary' }], 3],
  [[{ key: 'role', value: 'replica' }], undefined],
  [[{ key: 'ordinal', value: '0', match_type: 'EQUAL' }], 3],
  [[{ key: 'ordinal', value: '0', match_type: 'NOT_EQUAL' }], undefined],
  [[{ key: 'datname', value: 'tsdb', match_type: 'NOT_EQUAL' }], 3],
])('of the labels %j there is %s', (filters, length) => {
  expect(measured().read('timescale_cloud_database_qps', 1, { filters })?.length).toBe(length)
})

/** Four samples in one bucket: 4, 2, 3 and 9 connections. */
test.each([
  ['LAST', 9],
  [undefined, 9],
  ['COUNT', 4],
  ['SUM', 18],
  ['AVG', 4.5],
  ['MIN', 2],
  ['MIN_TOTAL', 2],
  ['MAX', 9],
  ['MAX_TOTAL', 9],
  ['P50', 3],
  ['P90', 9],
  ['INCREASE', 9],
  ['RATE', 9 / 3600],
])('%s makes %d of the samples of a bucket', (fn, value) => {
  const { store, service_id } = readyStore()
  const metric_name = 'timescale_cloud_database_num_connections'
  const given = { service_id, metric_name, from: at(0), to: at(60 * minute), bucket_seconds: 3600 }
  for (const connections of [4, 2, 3, 9])
    store.call('get-metric-series', given, { statistics: { ...statistics(1), connections } })
  const [series] = store.call('get-metric-series', { ...given, ...(fn && { fn: fn as 'LAST' }) })
  expect(series?.data?.map(point => point.value)).toEqual([value])
})

test.each([
  ['timescale_cloud_system_cpu_total_millicores', undefined, { role: 'primary' }],
  ['timescale_cloud_database_qps', undefined, {}],
  ['timescale_cloud_database_qps', ['role'], { role: 'primary' }],
  ['timescale_cloud_database_qps', ['region', 'ordinal'], { region: 'us-east-1', ordinal: '0' }],
])('the series %s grouped by %j has the labels %j', (metric_name, group_by, labels) => {
  const store = new VirtualStore()
  const given = { service_id: store.readyService(), metric_name, from: at(0), to: at(minute) }
  expect(store.call('get-metric-series', { ...given, group_by })[0]?.labels).toEqual(labels)
})

test('the details of a series are described, those of an unknown one are not found', () => {
  const { store, service_id } = readyStore()
  for (const metric_name of store.call('list-metric-series', { service_id }) as string[])
    expect(store.call('get-metric-details', { service_id, metric_name })).toMatchObject({
      metric_name,
      type: 'GAUGE',
      default_agg: 'LAST',
    })
  expect(store.refusal('get-metric-details', { service_id, metric_name: 'nope' }).status).toBe(404)
})

test.each([
  ['0000-01-01T00:00:00Z', '0000-01-02T00:00:00Z', 10 ** 12, 1],
  ['0346-05-12T00:00:00Z', '0346-05-13T00:00:00Z', Number.MAX_SAFE_INTEGER, 1],
  ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59-23:59', 3600, 24],
])('any time can be asked for, like %s', (from, to, bucket_seconds, length) => {
  const values = measured().read('timescale_cloud_database_qps', 1, { from, to, bucket_seconds })
  expect(values).toEqual(Array.from({ length }, () => null))
})

test.each([
  // A bucket begins at a whole day, which the time asked for does not.
  [at(60 * minute), 60, 0],
  [at(24 * 60 * minute), 24, 0],
  [at(60 * 24 * 60 * minute), 60, 1],
])('up to %s there are %i values and %i', (to, length, extra) => {
  expect(measured().read('timescale_cloud_database_qps', 1, { from: at(0), to })?.length).toBe(length + extra)
})
