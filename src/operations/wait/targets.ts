/** The addresses of a database to connect to. */
import type { Address, Service } from '#api/records'
import { isService } from '#api/resource'
import { vpcAddress } from '#api/service-states'
import { databaseOf, type Outcome } from '../base/outcome.ts'
import { statusOf } from '../base/read-record.ts'

export interface Target {
  address: Address
  /** The kind of server, for messages. */
  what: string
  status: string
  /** The address may be reachable only in its VPC. */
  isInVpc: boolean
  /** Why a server at the address may refuse connections for a while. */
  refusalReason?: string
  /** No message contains the address: the database is a fork that may not be quarantined yet. */
  isWithheld?: boolean
}

export const withholdAddress = (target: Target, serviceId: string): Target => ({
  ...target,
  what: target.what.replace('the database', `the database of service ${serviceId}`),
  isWithheld: true,
})

/** The address of the target for a message, unless it is withheld. */
export const renderTarget = ({ what, address: { host, port }, isWithheld }: Target) =>
  isWithheld ? what : `${host}:${port}`

/** The target with its address: `the pooler of the database at pooler.example:6432`. */
export const describeTarget = (target: Target) =>
  target.isWithheld ? target.what : `${target.what} at ${renderTarget(target)}`

/** Why a connection failed. Errors of sockets and resolvers contain the address, which may be withheld. */
export function reasonOf(
  failure: unknown,
  { address: { host, port }, isWithheld = false }: Pick<Target, 'address' | 'isWithheld'>,
): string {
  const cause: NodeJS.ErrnoException = failure instanceof Error ? failure : new Error(String(failure))
  const { code, syscall, message } = cause
  if (!isWithheld) return message || String(code)
  if (code !== undefined && syscall !== undefined) return `${syscall} ${code}`
  const names = [`${host}:${port}`, host].filter(name => name !== '')
  return names.reduce((reason, name) => reason.replaceAll(name, '***'), message || String(code))
}

const standbyReason = 'a standby accepts them once it has caught up with its primary'

/** The addresses in the outputs of an outcome: of the database, of its pooler, and in its VPC. */
export function targetsOf(outcome: Outcome): Target[] {
  const record = databaseOf(outcome)
  if (record === undefined) return []
  const isReplica = outcome.resource === 'replica_set'
  const inVpc = isService(outcome.resource, record) ? vpcAddress(record) : undefined
  const what = isReplica ? 'the read replica set' : 'the database'
  const named: [string, Address | undefined][] = [
    [what, record.endpoint],
    [`the pooler of ${what}`, record.connection_pooler?.endpoint],
    [`${what} in its VPC`, inVpc],
  ]
  const targets = new Map<string, Target>()
  for (const [what, address] of named) {
    const key = `${address?.host}:${address?.port}`
    if (address === undefined || targets.has(key)) continue
    const isInVpc = address.host === inVpc?.host
    const target: Target = { address, what, status: statusOf(record), isInVpc }
    if (isReplica) target.refusalReason = standbyReason
    targets.set(key, target)
  }
  return [...targets.values()]
}

export const targetOfService = (record: Service): Target | undefined =>
  targetsOf({ operation: '', ids: {}, resource: 'service', record })[0]
