/** The data from which outputs are rendered: its record or answer, and its addresses and connections. */
import type { Address } from '#api/records'
import { isService } from '#api/resource'
import { vpcAddress } from '#api/service-states'
import { withoutSecretFields } from '#base/secret-names'
import { isRecord } from '#base/unknown-values'
import { databaseOf, type Outcome } from '#operations/base/outcome'
import type { Connection } from '#postgres/connection'

export interface OutputSource {
  outcome: Outcome
  login: { user: string; database: string; sslmode: string }
  sealSecret?: string | undefined
  /** Removes the secrets of this run from a JSON value. */
  redact?(value: unknown): unknown
  /** Whether a text contains a secret of this run that is too long for a coincidence. */
  isSecret?(text: string): boolean
}

/** The address, if its host is safe in URLs and scripts: a host name or IP address that contains no secret. */
function safeAddress(address: Address | undefined, { isSecret }: OutputSource): Address | undefined {
  const isHost = address !== undefined && /^[A-Za-z0-9._:[\]-]+$/.test(address.host)
  return isHost && !isSecret?.(address.host) ? address : undefined
}

/** The address of the database, if known. */
export const endpoint = (source: OutputSource) => safeAddress(databaseOf(source.outcome)?.endpoint, source)
export const pooler = (source: OutputSource) =>
  safeAddress(databaseOf(source.outcome)?.connection_pooler?.endpoint, source)
export function vpcEndpoint(source: OutputSource): Address | undefined {
  const { resource, record } = source.outcome
  return isService(resource, record) ? safeAddress(vpcAddress(record), source) : undefined
}

function connectionAt(source: OutputSource, address: Address | undefined): Connection | undefined {
  return (
    address && { ...source.login, host: address.host, port: address.port, password: source.outcome.password }
  )
}

/** The connection of the outcome, if host and port are known. */
export function connectionOf(source: OutputSource): Connection | undefined {
  return connectionAt(source, endpoint(source))
}

/** The connection through an address, rendered; undefined without that address. */
export const renderAt =
  (render: (connection: Connection) => string, address: typeof endpoint) => (source: OutputSource) => {
    const target = connectionAt(source, address(source))
    return target && render(target)
  }

/** Omits a value that is useless without the address of the database. */
export const ifConnected = (pick: (source: OutputSource) => string) => (source: OutputSource) =>
  endpoint(source) && pick(source)

/**
 * The record or answer for the output `result`, without the fields whose names mention a secret. After a wait, the
 * record also has the message from the answer to the change.
 */
export function publicResult({ result, record, message }: Outcome): unknown {
  const described = result === record && isRecord(result) && message ? { ...result, message } : result
  return withoutSecretFields(described ?? null)
}
