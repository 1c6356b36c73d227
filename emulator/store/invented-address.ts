import type { Address } from '../data-plane.ts'
import type { Effect } from './effect.ts'

/** An address that nobody listens on: `.invalid` never resolves (RFC 2606). */
export function inventedAddress(effect: Effect): Address | undefined {
  switch (effect.kind) {
    case 'create-service':
    case 'fork-service':
    case 'start-service':
      return { host: `${effect.serviceId}.databases.invalid`, port: 5432 }
    case 'create-replica':
      return { host: `${effect.replicaSetId}.databases.invalid`, port: 5432 }
    case 'open-forwarder':
      return { host: `${effect.targetId}.${effect.purpose}.invalid`, port: 6432 }
    default:
      return undefined
  }
}
