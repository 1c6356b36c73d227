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
        from: fields.date_time,
        to: fields.date_time,
        bucket_seconds: z.optional(fields.whole(60, '3600')),
        fn: z.optional(fields.aggregation),
        filters: z.optional(fields.filters),
      }),
    response: MetricSeries,
    repeatable: true,
    reads: true,
    status: 200,
  }),
}
