import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fields } from './fields.ts'
import { MetricNames, MetricSeries } from './records.ts'

const service = '/projects/{project_id}/services/{service_id}'

export const metrics = {
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
