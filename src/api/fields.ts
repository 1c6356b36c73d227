import * as z from 'zod/mini'
import { lazily } from './lazily.ts'

/** Text of at least one character; `what` completes the sentence "expected …". */
const text = (what: string) => z.string(what).check(z.minLength(1, what))

/** The API takes the sizes of a service as strings, those of a replica set as integers (docs/api.md, "Sizes"). */
const sizeDigits = (example: string) => {
  const expected = `a whole number in digits, like ${example}`
  return z.string(expected).check(z.regex(/^[1-9]\d{0,8}$/, expected))
}
const sizeOrShared = (example: string) => {
  const expected = `a whole number in digits, like ${example}, or "shared"`
  return z.string(expected).check(z.regex(/^([1-9]\d{0,8}|shared)$/, expected))
}
const whole = (least: number, example: string) => {
  const expected = `a whole number of at least ${least}, like ${example}`
  return z.int(expected).check(z.gte(least, expected))
}
const label = () => z.string().check(z.minLength(1))

/** The fields of paths, queries and bodies, each made when it is first read. */
export const fields = lazily(
  { sizeDigits, sizeOrShared, whole },
  {
    name: () =>
      z
        .string('a name of 1 to 128 characters')
        .check(
          z.minLength(1, 'a name of 1 to 128 characters'),
          z.maxLength(128, 'a name of 1 to 128 characters'),
        ),
    region_code: () => text('a region code like us-east-1'),
    environment: () => z.enum(['DEV', 'PROD'], 'DEV or PROD'),
    addons: () =>
      z.array(z.enum(['time-series', 'ai'], 'a list of time-series and ai'), 'a list of time-series and ai'),
    fork_strategy: () => z.enum(['NOW', 'LAST_SNAPSHOT', 'PITR'], 'NOW, LAST_SNAPSHOT or PITR'),
    date_time: () =>
      z.iso.datetime({ offset: true, error: 'a date and time with a zone, like 2026-01-31T12:00:00Z' }),
    cidr: () => z.cidrv4('an IPv4 range like 10.0.0.0/16'),
    password: () => text('a password'),
    resourceId: () =>
      z
        .string('an id')
        .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'an id of up to 64 letters, digits, "-" and "_"')),
    accountId: () => text('the account id of the peer, like 123456789012'),
    peerVpcId: () => text('the VPC id of the peer, like vpc-0a1b2c3d'),
    event: () => text('the name of an event'),
    properties: () => z.record(z.string(), z.unknown(), 'a JSON object'),
    cursor: () => text('the last_cursor of an earlier answer'),
    words: () => z.array(text('a list of words'), 'a list of words'),
    aggregation: () =>
      z.enum(
        ['RATE', 'INCREASE', 'SUM', 'AVG', 'MIN', 'MAX', 'COUNT', 'P50', 'P90', 'P99', 'LAST'],
        'RATE, INCREASE, SUM, AVG, MIN, MAX, COUNT, P50, P90, P99 or LAST',
      ),
    filters: () =>
      z.array(
        z.object({ key: label(), value: label() }),
        'a JSON array like [{"key": "role", "value": "primary"}]',
      ),
  },
)

/**
 * What each path, query and body field means, for the reference. A field of the same name means the same in
 * every row; what differs (digits here, "shared" there) is in the row's schema.
 */
export const fieldDescriptions: Record<string, string> = {
  project_id: 'Id of the project; by default the one that the API key belongs to.',
  service_id:
    'Id of the service. For previews: the parent to fork from; only forks of it are ever deleted. For get-connection: the service to connect to, in place of a preview.',
  replica_set_id: 'Id of the read replica set.',
  vpc_id: 'Id of the VPC.',
  peering_id: 'Id of the VPC peering.',
  name: 'Name of what is created, or the new name (1 to 128 characters). For a new record, a `*` in it becomes 8 random characters, and without `name` one with a random part is made up: no other job can have the same. For get-metric-series: the name of the series.',
  addons: 'Add-ons of the new service: `time-series`, `ai` (comma or newline separated, or a JSON array).',
  region_code: 'Region, like `us-east-1`.',
  replica_count: 'Number of high-availability replicas.',
  sync_replica_count: 'Number of synchronous high-availability replicas.',
  cpu_millis: 'CPU in thousandths of a core, like `500`; `shared` to create or fork a service.',
  memory_gbs: 'Memory in gigabytes, like `2`; `shared` to create or fork a service.',
  environment_tag: "Environment of the new service: `DEV` (the API's default) or `PROD`.",
  environment: 'Environment to set: `DEV` or `PROD`.',
  password: "The new password of the service's user. Masked in the log.",
  fork_strategy:
    'What the fork starts from: `NOW`, `LAST_SNAPSHOT` or `PITR` (with `target_time`). For previews: `LAST_SNAPSHOT` (the default, without what was written since) or `NOW`.',
  target_time: 'Point in time to fork from, with `fork_strategy: PITR`, like `2026-01-31T12:00:00Z`.',
  nodes: 'Number of nodes of the read replica set (at least 1).',
  cidr: 'IPv4 range of the VPC, like `10.0.0.0/16`.',
  peer_account_id: 'Cloud account id of the peer.',
  peer_region_code: "Region of the peer's VPC.",
  peer_vpc_id: "Id of the peer's VPC at its cloud provider.",
  event: 'Name of the event to track.',
  properties:
    'Properties to send along, as a JSON object. A number that JSON readers do not keep exactly (from 2⁵³ on, `1e400`) is an error: send it as a text.',
  node: 'Which server of a service with high-availability replicas to read the log of, from 0.',
  cursor: 'Where to continue reading logs: the `last_cursor` of the previous answer.',
  since: 'Read logs from this date and time on.',
  until: 'Read logs up to this date and time.',
  search: 'Only log lines with these words (comma or newline separated, or a JSON array).',
  severities: 'Only log lines of these severities (comma or newline separated, or a JSON array).',
  from: 'Read the metric series from this date and time on.',
  to: 'Read the metric series up to this date and time.',
  bucket_seconds: 'How many seconds one value of the metric series stands for (at least 60).',
  fn: 'How the values of a bucket become one, like `AVG`, `MAX` or `LAST`.',
  filters: 'Only series with these labels, as a JSON array of objects with `key` and `value`.',
}
