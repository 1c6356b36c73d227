/** Rows of the contract: logs and metrics. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as schemas from './fields/field-schemas.ts'
import { sharedFields } from './fields/shared-fields.ts'
import { aggregations, MetricDetails, MetricNames, MetricSeries, ServiceLogs } from './records.ts'

const servicePath = '/projects/{project_id}/services/{service_id}'

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

const matchTypes = ['EQUAL', 'NOT_EQUAL'] as const

const filterExample = '[{"key": "role", "value": "primary", "match_type": "EQUAL"}]'

const metricNameExpected = 'the name of a metric series, up to 128 letters, digits, "_", ":", "." and "-"'

/** Used by logs and metrics only. */
export const logFields = schemas.inGroup('Logs, metrics and analytics', {
  node: {
    about: 'Number of the server whose log to read, from 0, for a service with high-availability replicas.',
    example: '0',
    ignored: 'harmless',
    schema: schemas.whole(0, '0'),
  },
  since: {
    about: 'Read logs since this date and time.',
    example: '2026-01-31T00:00:00Z',
    ignored: 'harmless',
    schema: schemas.dateTime,
  },
  until: {
    about: 'Read logs up to this date and time.',
    example: '2026-01-31T12:00:00Z',
    ignored: 'harmless',
    schema: schemas.dateTime,
  },
  search: {
    about: 'Read only log lines with these words (comma or newline separated, or a JSON array).',
    example: 'deadlock, timeout',
    ignored: 'harmless',
    schema: schemas.words,
  },
  severities: {
    about: 'Read only log lines of these severities (comma or newline separated, or a JSON array).',
    example: 'ERROR, FATAL',
    ignored: 'harmless',
    schema: schemas.words,
  },
  cursor: {
    about: 'Position to continue reading logs from: the `last_cursor` of the previous answer.',
    example: '1-1',
    ignored: 'harmless',
    schema: schemas.text('the last_cursor of an earlier answer', 'unlimited'),
  },
  metric_name: {
    about: 'Name of the metric series, from `list-metric-series`.',
    example: 'timescale_cloud_database_num_connections',
    ignored: 'harmless',
    schema: z
      .string(metricNameExpected)
      .check(z.regex(/^[A-Za-z0-9_][A-Za-z0-9_:.-]{0,127}$/, metricNameExpected)),
  },
  from: {
    about: 'Start of the metric series, as a date and time.',
    example: '2026-01-31T00:00:00Z',
    ignored: 'harmless',
    schema: schemas.dateTime,
  },
  to: {
    about: 'End of the metric series, as a date and time.',
    example: '2026-01-31T12:00:00Z',
    ignored: 'harmless',
    schema: schemas.dateTime,
  },
  bucket_seconds: {
    about: 'Seconds for each value of the metric series (at least 60).',
    example: '300',
    ignored: 'harmless',
    schema: schemas.whole(60, '3600'),
  },
  fn: {
    about:
      'Function that reduces the values of a bucket to one: `RATE`, `INCREASE`, `SUM`, `AVG`, `MIN`, `MAX`, `MIN_TOTAL`, `MAX_TOTAL`, `COUNT`, `P50`, `P90`, `P99` or `LAST`. Most `timescale_cloud_system_*` series take none.',
    example: 'AVG',
    ignored: 'harmless',
    schema: z.enum(aggregations, `one of ${aggregations.join(', ')}`),
  },
  group_by: {
    about:
      'Labels that split the result into one series for each combination of their values (comma or newline separated, or a JSON array). Most `timescale_cloud_system_*` series take none.',
    example: 'role',
    ignored: 'harmless',
    schema: z.array(schemas.text('a list of labels', 'unlimited'), 'a list of labels'),
  },
  filters: {
    about:
      'Read only series with these labels: a JSON array of objects with `key`, `value` and, if wanted, `match_type` (`EQUAL`, the default, or `NOT_EQUAL`).',
    example: filterExample,
    ignored: 'harmless',
    schema: z.array(
      z.object({ key: schemas.label, value: schemas.label, match_type: z.optional(z.enum(matchTypes)) }),
      `a JSON array like ${filterExample}`,
    ),
  },
})

const { fields, optional } = schemas.schemasOf({ ...sharedFields, ...logFields })

export const logsAndMetrics = {
  'get-service-logs': endpoint({
    summary: 'Read the log of a service, newest line first',
    method: 'GET',
    path: `${servicePath}/logs`,
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
    path: `${servicePath}/metrics/available-series`,
    response: MetricNames,
    lists: { noun: 'series', columns: ['name'] },
    status: 200,
  }),
  'get-metric-details': endpoint({
    summary: 'Read the meaning, type and labels of a metric series',
    method: 'GET',
    path: `${servicePath}/metrics/details/{metric_name}`,
    response: MetricDetails,
    status: 200,
  }),
  'get-metric-series': endpoint({
    summary: 'Read a metric series of a service',
    method: 'POST',
    path: `${servicePath}/metrics/series`,
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
