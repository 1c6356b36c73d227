/** Fields of logs, metrics and analytics. */
import * as z from 'zod/mini'
import { dateTime, inGroup, label, text, whole, words } from './field-schemas.ts'

/** The functions that reduce the values of a bucket to one (docs/internals/api.md, "Logs and metrics"). */
export const aggregations = [
  ...['RATE', 'INCREASE', 'SUM', 'AVG', 'MIN', 'MAX', 'MIN_TOTAL', 'MAX_TOTAL', 'COUNT'],
  ...['P50', 'P90', 'P99', 'LAST'],
] as const

const matchTypes = ['EQUAL', 'NOT_EQUAL'] as const

const filterExample = '[{"key": "role", "value": "primary", "match_type": "EQUAL"}]'

const metricNameExpected = 'the name of a metric series, up to 128 letters, digits, "_", ":", "." and "-"'

export const telemetryFields = inGroup('Logs, metrics and analytics', {
  node: {
    about: 'Number of the server whose log to read, from 0, for a service with high-availability replicas.',
    example: '0',
    ignored: 'harmless',
    schema: whole(0, '0'),
  },
  since: {
    about: 'Read logs since this date and time.',
    example: '2026-01-31T00:00:00Z',
    ignored: 'harmless',
    schema: dateTime,
  },
  until: {
    about: 'Read logs up to this date and time.',
    example: '2026-01-31T12:00:00Z',
    ignored: 'harmless',
    schema: dateTime,
  },
  search: {
    about: 'Read only log lines with these words (comma or newline separated, or a JSON array).',
    example: 'deadlock, timeout',
    ignored: 'harmless',
    schema: words,
  },
  severities: {
    about: 'Read only log lines of these severities (comma or newline separated, or a JSON array).',
    example: 'ERROR, FATAL',
    ignored: 'harmless',
    schema: words,
  },
  cursor: {
    about: 'Position to continue reading logs from: the `last_cursor` of the previous answer.',
    example: undefined,
    ignored: 'harmless',
    schema: text('the last_cursor of an earlier answer', 'unlimited'),
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
    schema: dateTime,
  },
  to: {
    about: 'End of the metric series, as a date and time.',
    example: '2026-01-31T12:00:00Z',
    ignored: 'harmless',
    schema: dateTime,
  },
  bucket_seconds: {
    about: 'Seconds for each value of the metric series (at least 60).',
    example: '300',
    ignored: 'harmless',
    schema: whole(60, '3600'),
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
    schema: z.array(text('a list of labels', 'unlimited'), 'a list of labels'),
  },
  filters: {
    about:
      'Read only series with these labels: a JSON array of objects with `key`, `value` and, if wanted, `match_type` (`EQUAL`, the default, or `NOT_EQUAL`).',
    example: filterExample,
    ignored: 'harmless',
    schema: z.array(
      z.object({ key: label, value: label, match_type: z.optional(z.enum(matchTypes)) }),
      `a JSON array like ${filterExample}`,
    ),
  },
  event: {
    about: 'Name of the event to track.',
    example: 'deployed',
    ignored: 'harmless',
    schema: text('the name of an event', 'unlimited'),
  },
  properties: {
    about:
      'Properties to send along, as a JSON object. A number that JSON cannot represent exactly (from 2⁵³ on, `1e400`) is an error: send it as text.',
    example: '{"version": "1.2.0"}',
    ignored: 'harmless',
    schema: z.record(z.string(), z.unknown(), 'a JSON object'),
  },
})
