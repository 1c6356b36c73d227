import type { Address } from '../../api/records.ts'
import { isService } from '../../api/resource.ts'
import { vpcAddress } from '../../api/service-states.ts'
import { connectable, type Outcome } from '../../operations/base/outcome.ts'
import { type Connection, renderDatabaseUrl, renderJdbcUrl } from '../../postgres/connection.ts'
import { inertJson, shellInert } from '../secrets/plain-text.ts'
import { publicResult } from './result.ts'

/** What outputs are made from. */
export interface OutputSource {
  outcome: Outcome
  /** User, database and sslmode of the inputs. */
  login: { user: string; database: string; sslmode: string }
  /** Removes the secrets of this run from a JSON value. */
  redact?(value: unknown): unknown
}

/** One output of the action. Its value is undefined if the operation has none. */
export interface OutputDefinition {
  /** The value holds the password if that is known, so it is masked. */
  secret?: boolean
  value(source: OutputSource): string | undefined
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : shellInert(String(value))
}

/** An address in plain characters; any other is left out. Within a word, `#` means nothing to a shell. */
function webAddress(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\/[\w./:-]+(?:#[\w-]+)?$/.test(url) ? url : undefined
}

const field = (name: string) => (source: OutputSource) => text(source.outcome.record?.[name])
const id = (name: keyof Outcome['ids']) => (source: OutputSource) => text(source.outcome.ids[name])

/** Hosts go into URLs and scripts: what is not a host name or address is left out. */
function safeAddress(address: Address | undefined): Address | undefined {
  return address && /^[A-Za-z0-9._:[\]-]+$/.test(address.host) ? address : undefined
}

const endpoint = ({ outcome }: OutputSource) => safeAddress(connectable(outcome)?.endpoint)
const pooler = ({ outcome }: OutputSource) => safeAddress(connectable(outcome)?.connection_pooler?.endpoint)
const vpcEndpoint = ({ outcome: { resource, record } }: OutputSource) =>
  isService(resource, record) ? safeAddress(vpcAddress(record)) : undefined

function connection(source: OutputSource, address: Address | undefined): Connection | undefined {
  return (
    address && { ...source.login, host: address.host, port: address.port, password: source.outcome.password }
  )
}

const flag = (name: 'created' | 'deleted' | 'changed') => (source: OutputSource) =>
  String(source.outcome[name] ?? false)

/** The connection in the outcome, if host and port are known. */
export function connectionOf(source: OutputSource): Connection | undefined {
  return connection(source, endpoint(source))
}

const rendered = (render: (of: Connection) => string, address: typeof endpoint) => (source: OutputSource) => {
  const target = connection(source, address(source))
  return target && render(target)
}

const ifConnected = (pick: (source: OutputSource) => string) => (source: OutputSource) =>
  endpoint(source) && pick(source)

/** Every output, in the order of the reference. */
export const outputs: Record<string, OutputDefinition> = {
  result: {
    value: ({ outcome, redact = value => value }) =>
      outcome.result === undefined ? undefined : inertJson(redact(publicResult(outcome))),
  },
  project_id: {
    value: id('project_id'),
  },
  service_id: {
    value: id('service_id'),
  },
  replica_set_id: { value: id('replica_set_id') },
  vpc_id: { value: id('vpc_id') },
  peering_id: { value: id('peering_id') },
  name: { value: field('name') },
  status: {
    value: field('status'),
  },
  region_code: { value: field('region_code') },
  service_type: { value: field('service_type') },
  environment: {
    value: ({ outcome }) => text(connectable(outcome)?.metadata?.environment),
  },
  created_at: { value: field('created') },
  host: { value: source => endpoint(source)?.host },
  port: { value: source => text(endpoint(source)?.port) },
  pooler_host: { value: source => pooler(source)?.host },
  pooler_port: { value: source => text(pooler(source)?.port) },
  vpc_host: {
    value: source => vpcEndpoint(source)?.host,
  },
  vpc_port: {
    value: source => text(vpcEndpoint(source)?.port),
  },
  database: { value: ifConnected(source => source.login.database) },
  user: { value: ifConnected(source => source.login.user) },
  initial_password: {
    secret: true,
    value: ({ outcome }) => outcome.initialPassword,
  },
  password: {
    secret: true,
    value: ({ outcome }) => outcome.password,
  },
  database_url: {
    secret: true,
    value: rendered(renderDatabaseUrl, endpoint),
  },
  pooler_url: {
    secret: true,
    value: rendered(renderDatabaseUrl, pooler),
  },
  jdbc_url: {
    secret: true,
    value: rendered(renderJdbcUrl, endpoint),
  },
  count: {
    value: ({ outcome }) => (Array.isArray(outcome.result) ? String(outcome.result.length) : undefined),
  },
  created: { value: flag('created') },
  deleted: { value: flag('deleted') },
  changed: { value: flag('changed') },
  skipped: {
    value: ({ outcome }) => String(outcome.skipped !== undefined),
  },
  pull_request: {
    value: ({ outcome }) => text(outcome.pullRequest),
  },
  comment_url: {
    value: ({ outcome }) => webAddress(outcome.commentUrl),
  },
  deleted_ids: {
    value: ({ outcome }) => text(outcome.deletedIds),
  },
  kept_ids: {
    value: ({ outcome }) => text(outcome.keptIds),
  },
  wait_seconds: {
    value: ({ outcome }) => (outcome.course?.waited ? (outcome.course.waited / 1000).toFixed(1) : undefined),
  },
}

/** The values of all outputs that the outcome has. */
export function renderOutputs(source: OutputSource): { name: string; value: string; secret: boolean }[] {
  const { password, initialPassword } = source.outcome
  return Object.entries(outputs).flatMap(([name, definition]) => {
    const value = definition.value(source)
    // Without a password there is no secret to mask, and masking the address would hide it in the comment and logs.
    const held = name === 'initial_password' ? initialPassword : password
    const secret = definition.secret === true && held !== undefined
    return value === undefined ? [] : [{ name, value, secret }]
  })
}
