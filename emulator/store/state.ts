/** The types of the emulator's state. */
import type { Peering, ReadReplicaSet, Service, Vpc } from '#api/records'
import type { Address, HaReplicas, Sizes, Statistics } from '../data-plane.ts'
import type { PendingEffect } from './effect.ts'
import type { ReplicaSetChange, ServiceChange, VpcChange } from './progress/change.ts'
import type { Work } from './progress/work.ts'

/** A second address, of a pooler or a VPC: it works from the end of the work `open` to the end of `close`. */
export interface Forwarding {
  address: Address | undefined
  work: Work<{ kind: 'open' | 'close' }> | undefined
}

export interface LogLine {
  at: number
  severity: string
  message: string
}

/** Statistics of a database, with their time. */
export type Sample = Statistics & { at: number }

/** The fields of a record that no work changes and no handler reads, in the API's form. A handler just sets them. */
interface Shown<Kind> {
  shown?: Partial<Kind>
}

export interface ReplicaSetState extends Shown<ReadReplicaSet> {
  id: string
  name: string
  created: number
  nodes: number
  cpuMillis: number
  memoryGbs: number
  environment: string
  rest: 'creating' | 'active' | 'error'
  work: Work<ReplicaSetChange> | undefined
  address: Address | undefined
  pooler: Forwarding | undefined
}

export interface ServiceState extends Shown<Service> {
  id: string
  name: string
  regionCode: string
  type: 'TIMESERIESDB' | 'POSTGRES'
  created: number
  environment: string
  sizes: Sizes
  haReplicas: HaReplicas
  /** The parent's id, if it is a fork. */
  forkedFrom: string | undefined
  /** The status while no work is in progress. */
  rest: 'QUEUED' | 'READY' | 'PAUSED' | 'UNSTABLE'
  work: Work<ServiceChange> | undefined
  /** When it was READY for the first time. */
  readyAt: number | undefined
  address: Address | undefined
  pooler: Forwarding | undefined
  attachment: (Forwarding & { vpcId: string }) | undefined
  replicaSets: Map<string, ReplicaSetState>
  log: LogLine[]
  /** The statistics of its database, oldest first. */
  samples: Sample[]
}

/** How a peering ends: the owner of the other VPC accepts it, never answers, or it fails. */
export type PeeringFate = 'accepted' | 'pending' | 'failed'

export interface PeeringState extends Shown<Peering> {
  id: string
  peerAccountId: string
  peerRegionCode: string
  peerVpcId: string
  /** Shown after its acceptance. */
  provisionedId: string
  fate: PeeringFate
  /** The peering is pending until then. */
  decidedAt: number
}

export interface VpcState extends Shown<Vpc> {
  id: string
  name: string
  cidr: string
  regionCode: string
  created: number
  /** Shown when it is CREATED. */
  provisionedId: string
  work: Work<VpcChange> | undefined
  /** Until then the VPC answers "already being updated". */
  busyUntil: number
  peerings: Map<string, PeeringState>
}

/** The whole state of the emulator. All answers are computed from it and the time. */
export interface State {
  started: number
  services: Map<string, ServiceState>
  vpcs: Map<string, VpcState>
  /** Effects that the data plane has not reported yet, by id. */
  effects: Map<string, PendingEffect>
  /** Every id ever assigned: none is assigned twice. */
  issued: Set<string>
  effectCount: number
}

export function emptyState(now: number): State {
  return {
    started: now,
    services: new Map(),
    vpcs: new Map(),
    effects: new Map(),
    issued: new Set(),
    effectCount: 0,
  }
}
