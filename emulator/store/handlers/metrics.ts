/** Handlers of metric series. */
import type { EndpointParameters } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import { systemSeries } from '#api/logs-and-metrics'
import type { Handlers } from '../handler.ts'
import { invalid, notFound } from '../refusal.ts'
import { keepSample } from '../samples.ts'
import type { Sample, ServiceState } from '../state.ts'
import { type Aggregation, aggregates } from './aggregate.ts'
import { findService } from './find.ts'

interface Bucket {
  start: number
  end: number
}

/** The samples of a series in a bucket, oldest first. */
type Measure = (service: ServiceState, bucket: Bucket) => number[]

interface Metric {
  description: string
  measure: Measure
}

const samplesIn = ({ samples }: ServiceState, { start, end }: Bucket) =>
  samples.filter(({ at }) => at >= start && at < end)

const figure =
  (name: 'connections' | 'diskBytes'): Measure =>
  (service, bucket) =>
    samplesIn(service, bucket).map(sample => sample[name])

/** A value that a service has had during its whole life, as far as this emulator knows. */
const constant =
  (size: (service: ServiceState) => number | undefined): Measure =>
  (service, { end }) => {
    const value = end > service.created ? size(service) : undefined
    return value === undefined ? [] : [value]
  }

/** Transactions per second since the previous sample, or since the service started. */
function transactionRate(service: ServiceState, sample: Sample): number[] {
  const before = service.samples.findLast(({ at }) => at < sample.at)
  const seconds = (sample.at - (before?.at ?? service.readyAt ?? service.created)) / 1000
  const done = sample.transactions - (before?.transactions ?? 0)
  // After a crash PostgreSQL counts from zero again.
  return seconds > 0 && done >= 0 ? [done / seconds] : []
}

const metrics: Record<string, Metric> = {
  timescale_cloud_database_num_connections: {
    description: 'Number of client connections.',
    measure: figure('connections'),
  },
  timescale_cloud_database_qps: {
    description: 'Transactions per second.',
    measure: (service, bucket) =>
      samplesIn(service, bucket).flatMap(sample => transactionRate(service, sample)),
  },
  timescale_cloud_system_cpu_total_millicores: {
    description: 'CPU of the service in millicores.',
    measure: constant(({ sizes }) => sizes.cpuMillis),
  },
  timescale_cloud_system_disk_usage_bytes: {
    description: 'Size of all databases in bytes.',
    measure: figure('diskBytes'),
  },
  timescale_cloud_system_memory_total_bytes: {
    description: 'Memory of the service in bytes.',
    measure: constant(({ sizes }) => sizes.memoryGbs && sizes.memoryGbs * 2 ** 30),
  },
}

export const metricNames: readonly string[] = Object.keys(metrics)

const labels = {
  region: 'The region of the service.',
  role: 'The role of the server: primary or replica.',
  ordinal: 'The number of the server within its role.',
}

export const metricLabels: readonly string[] = Object.keys(labels)

/** A service has one server here, the primary, even with high availability. */
const labelsOf = ({ regionCode }: ServiceState): Record<string, string> => ({
  region: regionCode,
  role: 'primary',
  ordinal: '0',
})

/** Upper limit for the values in one answer. */
const mostBuckets = 11_000

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The default length of a bucket, which depends on the requested time. */
function usualLength(window: number): number {
  if (window <= hour) return minute
  return window <= 30 * day ? hour : day
}

/** The first and the last moment of the years with four digits, as RFC 3339 requires. */
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latestWritten = Date.parse('9999-12-31T23:59:59.999Z')

type Query = EndpointParameters<Endpoints['get-metric-series']>

/** The buckets of a query, oldest first. Throws `Refusal`. */
function readBuckets(query: Query): Bucket[] {
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
  if (!(from < to)) throw invalid('from, to: expected two dates with times, the earlier one first')
  const length = query.bucket_seconds === undefined ? usualLength(to - from) : query.bucket_seconds * 1000
  const first = Math.max(Math.floor(from / length) * length, earliest)
  const count = Math.max(0, Math.ceil((Math.min(to, latestWritten) - first) / length))
  if (count > mostBuckets) {
    throw invalid(
      `bucket_seconds: expected at most ${mostBuckets} buckets in the requested time, not ${count}`,
    )
  }
  return Array.from({ length: count }, (_, index) => ({
    start: first + index * length,
    end: first + (index + 1) * length,
  }))
}

/** A value for each bucket; `null` without a measurement. */
function readValues(service: ServiceState, { measure }: Metric, fn: Aggregation, now: number) {
  return (bucket: Bucket) => {
    const samples = bucket.start > now ? [] : measure(service, bucket)
    const seconds = (bucket.end - bucket.start) / 1000
    const value = samples.length === 0 ? null : aggregates[fn](samples, seconds)
    return { time: new Date(bucket.start).toISOString(), value }
  }
}

/** The labels of the one series. A system series always has its role, another one the labels in `group_by`. */
function readLabels(query: Query, own: Record<string, string>): Record<string, string> {
  const { metric_name, group_by = [] } = query
  const unknown = group_by.find(name => own[name] === undefined)
  if (unknown !== undefined) throw invalid(`group_by: expected ${metricLabels.join(', ')}, not ${unknown}`)
  const shown = systemSeries.includes(metric_name) ? ['role'] : group_by
  return Object.fromEntries(Object.entries(own).filter(([name]) => shown.includes(name)))
}

function findMetric(name: string): Metric {
  const metric = metrics[name]
  if (metric) return metric
  throw invalid(`metric_name: expected one of ${metricNames.join(', ')}, not ${name}`)
}

/** The metric series (docs/internals/api.md, "Logs and metrics"). */
export const metricHandlers = {
  'list-metric-series': (context, params) => {
    findService(context, params)
    return [...metricNames]
  },
  'get-metric-details': (context, params) => {
    findService(context, params)
    const { metric_name } = params
    const metric = metrics[metric_name]
    if (metric === undefined) throw notFound(`metric ${metric_name}`)
    return {
      metric_name,
      description: metric.description,
      type: 'GAUGE',
      default_agg: 'LAST',
      labels: Object.entries(labels).map(([name, description]) => ({ name, description })),
    }
  },
  'get-metric-series': (context, params) => {
    const service = findService(context, params)
    const metric = findMetric(params.metric_name)
    const buckets = readBuckets(params)
    const own = labelsOf(service)
    const shown = readLabels(params, own)
    const { statistics } = context.databases
    if (statistics) keepSample(service, { at: context.now, ...statistics })
    const isWanted = (params.filters ?? []).every(
      ({ key, value, match_type = 'EQUAL' }) => (own[key] === value) === (match_type === 'EQUAL'),
    )
    if (!isWanted) return []
    return [
      { labels: shown, data: buckets.map(readValues(service, metric, params.fn ?? 'LAST', context.now)) },
    ]
  },
} satisfies Partial<Handlers>
