import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fields } from './fields/fields.ts'
import { MetricNames, MetricSeries, ServiceLogs } from './records.ts'

const service = '/projects/{project_id}/services/{service_id}'

export const logsAndMetrics = {
  'get-service-logs': endpoint({
    summary: 'Read the log of a service, newest line first',
    method: 'GET',
    path: `${service}/logs`,
    query: () =>
      z.object({
        node: z.optional(fields.node),
        cursor: z.optional(fields.cursor),
        until: z.optional(fields.until),
        since: z.optional(fields.since),
        search: z.optional(fields.search),
        severities: z.optional(fields.severities),
      }),
    response: ServiceLogs,
    status: 200,
  }),
  'list-metric-series': endpoint({
    summary: 'List the names of the metric series of a service (experimental)',
    method: 'GET',
    path: `${service}/metrics/available-series`,
    response: MetricNames,
    status: 200,
  }),
  'get-metric-series': endpoint({
    summary: 'Read a metric series of a service (experimental)',
    method: 'POST',
    path: `${service}/metrics/series`,
    body: () =>
      z.strictObject({
        name: fields.name,
        from: fields.from,
        to: fields.to,
        bucket_seconds: z.optional(fields.bucket_seconds),
        fn: z.optional(fields.fn),
        filters: z.optional(fields.filters),
      }),
    response: MetricSeries,
    repeatable: true,
    reads: true,
    status: 200,
  }),
}
