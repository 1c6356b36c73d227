import type { Address } from '../../api/records.ts'
import { isService } from '../../api/resource.ts'
import { vpcAddress } from '../../api/service-states.ts'
import { connectable } from '../../operations/base/outcome.ts'
import type { Connection } from '../../postgres/connection.ts'
import type { OutputSource } from './output-source.ts'

/** Hosts go into URLs and scripts: what is not a host name or address is left out. */
function safeAddress(address: Address | undefined): Address | undefined {
  return address && /^[A-Za-z0-9._:[\]-]+$/.test(address.host) ? address : undefined
}

/** The address of the database, where it is known. */
export const endpoint = ({ outcome }: OutputSource) => safeAddress(connectable(outcome)?.endpoint)
/** The address of its pooler. */
export const pooler = ({ outcome }: OutputSource) =>
  safeAddress(connectable(outcome)?.connection_pooler?.endpoint)
/** Its address within its VPC. */
export const vpcEndpoint = ({ outcome: { resource, record } }: OutputSource) =>
  isService(resource, record) ? safeAddress(vpcAddress(record)) : undefined

function connection(source: OutputSource, address: Address | undefined): Connection | undefined {
  return (
    address && { ...source.login, host: address.host, port: address.port, password: source.outcome.password }
  )
}

/** The connection in the outcome, if host and port are known. */
export function connectionOf(source: OutputSource): Connection | undefined {
  return connection(source, endpoint(source))
}

/** The connection by an address as text, such as a URL. */
export const rendered =
  (render: (of: Connection) => string, address: typeof endpoint) => (source: OutputSource) => {
    const target = connection(source, address(source))
    return target && render(target)
  }

/** A value that means nothing without the address of the database. */
export const ifConnected = (pick: (source: OutputSource) => string) => (source: OutputSource) =>
  endpoint(source) && pick(source)
