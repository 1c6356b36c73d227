import type { Address, Figures, HaReplicas, Sizes } from '../data-plane.ts'
import type { PendingEffect } from './effect.ts'
import type { ReplicaSetChange, ServiceChange, VpcChange } from './progress/change.ts'
import type { Work } from './progress/work.ts'

/** A second address, of a pooler or a VPC: it works once the work `open` is over, until `close` is over. */
export interface Forwarding {
  address: Address | undefined
  work: Work<{ kind: 'open' | 'close' }> | undefined
}

export interface LogLine {
  at: number
  severity: string
  message: string
}

/** What a database said of itself, and when. */
export type Sample = Figures & { at: number }

export interface ReplicaSetState {
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

export interface ServiceState {
  id: string
  name: string
  regionCode: string
  type: 'TIMESERIESDB' | 'POSTGRES'
  created: number
  environment: string
  /** Whether data tiering is enabled. */
  isTiered?: boolean
  sizes: Sizes
  haReplicas: HaReplicas
  /** The parent's id, of a fork. */
  forkedFrom: string | undefined
  /** The status while no work is under way. */
  rest: 'QUEUED' | 'READY' | 'PAUSED' | 'UNSTABLE'
  work: Work<ServiceChange> | undefined
  /** When it was first READY. */
  readyAt: number | undefined
  address: Address | undefined
  pooler: Forwarding | undefined
  attachment: (Forwarding & { vpcId: string }) | undefined
  replicaSets: Map<string, ReplicaSetState>
  log: LogLine[]
  /** What its database said of itself, oldest first. */
  samples: Sample[]
}

/** How a peering ends: the owner of the other VPC accepts it, never answers, or it fails. */
export type PeeringFate = 'accepted' | 'pending' | 'failed'

export interface PeeringState {
  id: string
  peerAccountId: string
  peerRegionCode: string
  peerVpcId: string
  /** Shown once it is accepted. */
  provisionedId: string
  fate: PeeringFate
  /** The peering is pending until then. */
  decidedAt: number
}

export interface VpcState {
  id: string
  name: string
  cidr: string
  regionCode: string
  created: number
  /** Shown once it is CREATED. */
  provisionedId: string
  work: Work<VpcChange> | undefined
  /** Until then the VPC answers "already being updated". */
  busyUntil: number
  peerings: Map<string, PeeringState>
}

/** Everything that the emulator remembers. All else is computed from it and the time. */
export interface State {
  started: number
  services: Map<string, ServiceState>
  vpcs: Map<string, VpcState>
  /** Effects that the data plane has not reported yet, by id. */
  effects: Map<string, PendingEffect>
  /** Every id ever given out: none is given twice. */
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
