/** Rows of the contract: logs and metrics. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fields, optional } from './fields/fields.ts'
import { MetricDetails, MetricNames, MetricSeries, ServiceLogs } from './records.ts'

const service = '/projects/{project_id}/services/{service_id}'

/** The series that take neither `fn` nor `group_by` (docs/internals/api.md, "Logs and metrics"). */
export const systemSeries: readonly string[] = [
  ...['cpu_total_millicores', 'cpu_usage_millicores', 'disk_io_read_bytes', 'disk_io_read_ops'],
  ...['disk_io_total_bytes', 'disk_io_total_ops', 'disk_io_write_bytes', 'disk_io_write_ops'],
  ...['disk_usage_bytes', 'memory_total_bytes', 'memory_usage_bytes'],
].map(name => `timescale_cloud_system_${name}`)

/** Rejects a field that system series do not take. */
const notOfSystem = (field: 'fn' | 'group_by') =>
  z.refine<{ metric_name: string; fn?: unknown; group_by?: unknown }>(
    query => query[field] === undefined || !systemSeries.includes(query.metric_name),
    {
      error: `nothing, because ${systemSeries[0]} and the other ${systemSeries.length - 1} system series take no ${field}`,
      path: [field],
    },
  )

export const logsAndMetrics = {
  'get-service-logs': endpoint({
    summary: 'Read the log of a service, newest line first',
    method: 'GET',
    path: `${service}/logs`,
    query: z.object({
      ...optional('node', 'cursor', 'until', 'since', 'search', 'severities'),
    }),
    response: ServiceLogs,
    lists: {
      noun: 'lines',
      columns: ['timestamp', 'severity', 'message'],
      entriesOf: answer => answer?.entries ?? answer?.logs,
    },
    status: 200,
  }),
  'list-metric-series': endpoint({
    summary: 'List the names of the metric series of a service',
    method: 'GET',
    path: `${service}/metrics/available-series`,
    response: MetricNames,
    lists: { noun: 'series', columns: ['name'] },
    status: 200,
  }),
  'get-metric-details': endpoint({
    summary: 'Read the meaning, type and labels of a metric series',
    method: 'GET',
    path: `${service}/metrics/details/{metric_name}`,
    response: MetricDetails,
    status: 200,
  }),
  'get-metric-series': endpoint({
    summary: 'Read a metric series of a service',
    method: 'POST',
    path: `${service}/metrics/series`,
    body: z
      .strictObject({
        metric_name: fields.metric_name,
        from: fields.from,
        to: fields.to,
        ...optional('bucket_seconds', 'fn', 'group_by', 'filters'),
      })
      .check(notOfSystem('fn'), notOfSystem('group_by')),
    renamed: { name: 'metric_name' },
    response: MetricSeries,
    lists: undefined,
    repeatable: true,
    reads: true,
    status: 200,
  }),
}
