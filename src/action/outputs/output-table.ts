/** The table of all outputs. */
import { grouping } from '#api/fields/input'
import { takeFitting } from '#base/bytes'
import { databaseOf, type FeatureOutputs, type Outcome } from '#operations/base/outcome'
import { renderDatabaseUrl, renderJdbcUrl } from '#postgres/connection'
import { inertJson, inertLine, shellInert } from '../secrets/plain-text.ts'
import { seal } from '../secrets/seal.ts'
import {
  connectionOf,
  endpoint,
  ifConnected,
  type OutputSource,
  pooler,
  publicResult,
  renderAt,
  vpcEndpoint,
} from './output-source.ts'

/** Outputs that the reference shows together; tools/reference/groups.ts describes each group. */
export type OutputGroup = 'Connection' | 'Result' | 'Previews and pruning' | 'Migrations' | 'The record'

/** One output of the action. Its value is undefined if the operation has none. */
interface OutputDefinition {
  group: OutputGroup
  about: string
  /** The value is masked, because it contains the password if that is known. */
  secret?: boolean
  value(source: OutputSource): string | undefined
}

const inGroup = grouping<OutputDefinition>()

const unchanged = (value: unknown) => value

/** A server's text without the secrets of this run, since a server may return any of them. */
const redacted = (value: unknown, { redact = unchanged }: OutputSource) =>
  value === undefined || value === null ? undefined : String(redact(value))

/** Like `redacted`, and safe in a script. */
function text(value: unknown, source: OutputSource): string | undefined {
  const shown = redacted(value, source)
  return shown === undefined ? undefined : shellInert(shown)
}

/** An address in plain characters; any other is omitted. Within a word, `#` has no meaning in a shell. */
function webAddress(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\/[\w./:-]+(?:#[\w-]+)?$/.test(url) ? url : undefined
}

const field = (name: string) => (source: OutputSource) => text(source.outcome.record?.[name], source)
const id = (name: keyof Outcome['ids']) => (source: OutputSource) => text(source.outcome.ids[name], source)
const host = (address: typeof endpoint) => (source: OutputSource) => address(source)?.host
const port = (address: typeof endpoint) => (source: OutputSource) => text(address(source)?.port, source)

const flag = (name: 'created' | 'deleted' | 'changed') => (source: OutputSource) =>
  String(source.outcome[name] ?? false)

/** Job outputs are limited to 1 MB, a variable of the environment to 128 KB (GitHub; Linux, MAX_ARG_STRLEN). */
const mostOfLines = 20_000

/** The first lines of a text that fit, and the number of the others. */
function cutLines(lines: string[]): string {
  const shown = takeFitting(lines, mostOfLines, line => line.length + 1)
  const omitted = lines.length - shown.length
  return [...shown, ...(omitted > 0 ? [`… and ${omitted} more lines`] : [])].join('\n')
}

const feature = (name: keyof FeatureOutputs) => (source: OutputSource) =>
  text(source.outcome.outputs?.[name], source)

const rows = {
  ...inGroup('Connection', {
    database_url: {
      about: 'Connection URL. Masked if it contains the password.',
      secret: true,
      value: renderAt(renderDatabaseUrl, endpoint),
    },
    sealed_url: {
      about:
        'The URL sealed with `seal_secret`, for the `database_url` of a step in a later job. The runner drops job outputs with a masked value, but not this one.',
      value: ({ sealSecret, ...source }) => {
        const target = connectionOf(source)
        return sealSecret && target?.password && seal(renderDatabaseUrl(target), sealSecret)
      },
    },
    jdbc_url: {
      about: 'Connection URL for JDBC. Masked like `database_url`.',
      secret: true,
      value: renderAt(renderJdbcUrl, endpoint),
    },
    pooler_url: {
      about: 'Connection URL through the pooler. Masked like `database_url`.',
      secret: true,
      value: renderAt(renderDatabaseUrl, pooler),
    },
    host: { about: 'Host of the database.', value: host(endpoint) },
    port: { about: 'Port of the database.', value: port(endpoint) },
    database: { about: 'Name of the database.', value: ifConnected(source => source.login.database) },
    user: { about: 'Name of the user.', value: ifConnected(source => source.login.user) },
    password: {
      about: 'Password of the user, if this step knows it. Masked.',
      secret: true,
      value: ({ outcome }) => outcome.password,
    },
    initial_password: {
      about: 'Password in the answer to the creation. Masked.',
      secret: true,
      value: ({ outcome }) => outcome.initialPassword,
    },
    pooler_host: { about: 'Host of the connection pooler.', value: host(pooler) },
    pooler_port: { about: 'Port of the connection pooler.', value: port(pooler) },
    vpc_host: { about: 'Host of the database in its VPC.', value: host(vpcEndpoint) },
    vpc_port: { about: 'Port of the database in its VPC.', value: port(vpcEndpoint) },
  }),
  ...inGroup('Result', {
    created: { about: '`true` if the operation created a record.', value: flag('created') },
    deleted: { about: '`true` if the operation deleted a record.', value: flag('deleted') },
    changed: { about: '`true` if the operation changed anything.', value: flag('changed') },
    connection_changed: {
      about:
        '`true` if the step created the preview or set its password, so that an app with the earlier connection details needs the new ones.',
      value: ({ outcome: { connectionChanged } }) => connectionChanged?.toString(),
    },
    skipped: {
      about:
        '`true` if there was nothing to do, or no preview to use: no secrets, another event, a dry run, or a pull request that gets no preview.',
      value: ({ outcome }) => String(outcome.skipped !== undefined),
    },
    wait_seconds: {
      about: 'Total wait of the step. Parallel waits count once.',
      value: ({ outcome }) =>
        outcome.timeline?.waited ? (outcome.timeline.waited / 1000).toFixed(1) : undefined,
    },
  }),
  ...inGroup('Previews and pruning', {
    pull_request: {
      about: 'Number of the pull request that the preview belongs to.',
      value: source => text(source.outcome.pullRequest, source),
    },
    comment_url: {
      about: 'Address of the comment on the pull request.',
      value: source => webAddress(redacted(source.outcome.commentUrl, source)),
    },
    deleted_ids: {
      about: 'Ids of the deleted previews, comma separated.',
      value: source => text(source.outcome.deletedIds, source),
    },
    kept_ids: {
      about: 'Ids of the previews that prune kept, or in a dry run would keep, comma separated.',
      value: source => text(source.outcome.keptIds, source),
    },
  }),
  ...inGroup('Migrations', {
    verdict: {
      about:
        '`passed`, `failed` (a limit was exceeded, or the migration failed) or `not measured`. Like `violations` and `destructive`, it covers this run with `rehearse-migration`, and all runs on the preview with `schema-diff`.',
      value: feature('verdict'),
    },
    violations: {
      about:
        'Exceeded limits, as JSON, with statement, table, measurement (milliseconds or bytes) and advice. One with a reason in `ignored` does not count.',
      value: ({ outcome, redact = unchanged }) => {
        const { violations } = outcome.outputs ?? {}
        // Rounded up: the measurement stays above its limit.
        const rounded = violations?.map(one => ({ ...one, measured: Math.ceil(one.measured) }))
        return rounded && inertJson(redact(rounded))
      },
    },
    destructive: { about: '`true` if data was lost, or if that is unknown.', value: feature('destructive') },
    duration: {
      about: 'Duration of the migration of this run, in seconds.',
      value: ({ outcome: { outputs } }) => outputs?.duration?.toFixed(3),
    },
    diff: {
      about:
        'Difference of the schema, a line for each object: by this run with `rehearse-migration`, since the creation of the preview with `schema-diff`. Full-width characters replace those that a shell could interpret; the summary has the original text.',
      value: ({ outcome: { outputs }, redact = unchanged }) =>
        outputs?.diff && cutLines(outputs.diff.map(line => inertLine(String(redact(line))))),
    },
    has_diff: {
      about: '`true` if the schema differs.',
      value: ({ outcome: { outputs } }) => outputs?.diff && String(outputs.diff.length > 0),
    },
  }),
  ...inGroup('The record', {
    service_id: {
      about: 'Id of the service, after a create or fork of the new one.',
      value: id('service_id'),
    },
    replica_set_id: { about: 'Id of the read replica set.', value: id('replica_set_id') },
    vpc_id: { about: 'Id of the VPC.', value: id('vpc_id') },
    peering_id: { about: 'Id of the peering.', value: id('peering_id') },
    project_id: {
      about: 'Id of the project. With `get-auth-info` and `list-projects`, if there is exactly one.',
      value: id('project_id'),
    },
    name: { about: 'Name of the record.', value: field('name') },
    status: { about: 'Last status of the record, also after a failed wait.', value: field('status') },
    region_code: { about: 'Region of the service or VPC.', value: field('region_code') },
    service_type: { about: 'Type of the service.', value: field('service_type') },
    environment: {
      about: '`DEV` or `PROD`.',
      value: source => text(databaseOf(source.outcome)?.metadata?.environment, source),
    },
    created_at: { about: 'Date and time of the creation of the service.', value: field('created') },
    count: {
      about: 'Number of records in a list. With `run-sql`, of all rows.',
      value: ({ outcome: { count, result } }) =>
        (count ?? (Array.isArray(result) ? result.length : undefined))?.toString(),
    },
    result: {
      about:
        "The last record or answer, as JSON, with the fields of the API's specification and without passwords. With `run-sql`, the rows of the last statement with rows: at most 1,000, without columns whose names suggest secrets.",
      value: ({ outcome, redact = unchanged }) =>
        outcome.result === undefined ? undefined : inertJson(redact(publicResult(outcome))),
    },
  }),
}

export const outputs: Record<string, OutputDefinition> = rows

/** The outputs that have a value for the outcome. */
export function renderOutputs(source: OutputSource): { name: string; value: string; secret: boolean }[] {
  const { password, initialPassword } = source.outcome
  return Object.entries(outputs).flatMap(([name, definition]) => {
    const value = definition.value(source)
    // Without a password there is no secret to mask, and masking the address would hide it in the comment and logs.
    const containedPassword = name === 'initial_password' ? initialPassword : password
    const secret = definition.secret === true && containedPassword !== undefined
    return value === undefined ? [] : [{ name, value, secret }]
  })
}
