import type { HandlersOf } from '../handler.ts'
import { invalid } from '../refusal.ts'
import type { Sample, ServiceState } from '../state.ts'
import { findService } from './find.ts'

interface Bucket {
  start: number
  end: number
}

/** The value of a series at the end of a bucket; undefined if nothing is known of that time. */
type Measure = (service: ServiceState, bucket: Bucket) => number | undefined

const latest = ({ samples }: ServiceState, { start, end }: Bucket) =>
  samples.findLast(({ at }) => at >= start && at < end)

/** A value that a service has had all its life, as far as this emulator remembers. */
const constant =
  (size: (service: ServiceState) => number | undefined): Measure =>
  (service, { end }) =>
    end > service.created ? size(service) : undefined

/** Transactions since the sample before, or since the service was first there. */
function transactionsPerSecond(service: ServiceState, bucket: Bucket): number | undefined {
  const sample = latest(service, bucket)
  if (sample === undefined) return undefined
  const before = service.samples.findLast(({ at }) => at < sample.at)
  const seconds = (sample.at - (before?.at ?? service.readyAt ?? service.created)) / 1000
  const done = sample.transactions - (before?.transactions ?? 0)
  // After a crash PostgreSQL counts from zero again.
  return seconds > 0 && done >= 0 ? done / seconds : undefined
}

const measures: Record<string, Measure> = {
  timescale_cloud_database_num_connections: (service, bucket) => latest(service, bucket)?.connections,
  timescale_cloud_database_qps: transactionsPerSecond,
  timescale_cloud_system_cpu_total_millicores: constant(({ sizes }) => sizes.cpuMillis),
  timescale_cloud_system_disk_usage_bytes: (service, bucket) => latest(service, bucket)?.diskBytes,
  timescale_cloud_system_memory_total_bytes: constant(
    ({ sizes }) => sizes.memoryGbs && sizes.memoryGbs * 2 ** 30,
  ),
}

export const metricNames: readonly string[] = Object.keys(measures)

/** Samples kept of each service: one is taken whenever somebody asks for a series. */
const kept = 1000

/** Remembers a sample; the oldest are forgotten. */
function keepSample(service: ServiceState, sample: Sample): void {
  service.samples.push(sample)
  if (service.samples.length > kept) service.samples.shift()
}

/** Values in one answer at most. */
const mostBuckets = 11_000

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The length of a bucket that the query leaves open; it depends on the time asked for. */
function usualLength(window: number): number {
  if (window <= hour) return minute
  return window <= 30 * day ? hour : day
}

/** The first and the last moment of the years that have four digits, as RFC 3339 wants them. */
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latestWritten = Date.parse('9999-12-31T23:59:59.999Z')

/** The buckets of a query, oldest first. Throws `Refusal`. */
function readBuckets(query: {
  name: string
  from: string
  to: string
  bucket_seconds?: number | undefined
  fn?: string | undefined
}): Bucket[] {
  if (!metricNames.includes(query.name)) {
    throw invalid(`name: expected one of ${metricNames.join(', ')}, not ${query.name}`)
  }
  if (query.fn !== undefined) throw invalid(`fn: expected nothing, because ${query.name} takes none`)
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
  if (!(from < to)) throw invalid('from, to: expected two dates with times, the earlier one first')
  const length = query.bucket_seconds === undefined ? usualLength(to - from) : query.bucket_seconds * 1000
  const first = Math.max(Math.floor(from / length) * length, earliest)
  const count = Math.max(0, Math.ceil((Math.min(to, latestWritten) - first) / length))
  if (count > mostBuckets) {
    throw invalid(
      `bucket_seconds: expected at most ${mostBuckets} buckets in the time asked for, not ${count}`,
    )
  }
  return Array.from({ length: count }, (_, index) => ({
    start: first + index * length,
    end: first + (index + 1) * length,
  }))
}

/** A value for each bucket; `null` where nothing was measured in it. */
function readValues(service: ServiceState, name: string, buckets: Bucket[], now: number) {
  const measure = measures[name] ?? (() => undefined)
  return buckets.map(bucket => ({
    time: new Date(bucket.start).toISOString(),
    value: bucket.start > now ? null : (measure(service, bucket) ?? null),
  }))
}

/** The metric series, experimental in the API (docs/api.md, "Services"). */
export const metrics: HandlersOf<'list-metric-series' | 'get-metric-series'> = {
  'list-metric-series': (context, params) => {
    findService(context, params)
    return [...metricNames]
  },
  'get-metric-series': (context, params) => {
    const service = findService(context, params)
    const buckets = readBuckets(params)
    const { figures } = context.databases
    if (figures) keepSample(service, { at: context.now, ...figures })
    // A service has one server here, the primary, whatever its high availability says.
    const isWanted = (params.filters ?? []).every(({ key, value }) => key === 'role' && value === 'primary')
    if (!isWanted) return []
    return [{ labels: { role: 'primary' }, data: readValues(service, params.name, buckets, context.now) }]
  },
}
