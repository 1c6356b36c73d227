import type { EndpointName } from '../../src/api/endpoints.ts'
import type { Service } from '../../src/api/records.ts'
import type { Activity } from '../../src/postgres/activity.ts'
import type { PullRequest } from '../../src/preview/github.ts'
import type { State } from './pull-requests.ts'

/** Where what is created is seen for the first time. */
export interface Birth {
  at: number
  /** As the answer to its creation shows it. */
  record: Record<string, unknown>
}

/** A record that somebody brought into being. Times in milliseconds of virtual time. */
export interface Creation {
  id: string
  operation: EndpointName
  name: string
  /** The run that asked for it, or somebody else. */
  by: string
  /** When it was asked for, and when that was processed. */
  sent: number
  at: number
}

/** A run that asks to delete something, for the first time. */
export interface DeletionRequest {
  id: string
  by: string
  sent: number
  pullRequest: number | undefined
  /** Of a preview of the merge queue. */
  queueEntry: string | undefined
  /** What GitHub says of it at that moment. */
  shown: State | undefined
  /** What the run was told when it last asked GitHub for it, and when; undefined for nothing. */
  told: string | undefined
  /** All that it was told then. */
  facts: PullRequest | undefined
  heardAt: number
  /** Of a preview of the merge queue: whether its entry was in the queue, when the run last asked. */
  isQueued: boolean | undefined
  queueHeardAt: number
  /** Whether another database of the same preview was there, or had been a moment before. */
  isTwin: boolean
}

/** A run that asks to pause a service, for the first time; with what it was told when it last asked. */
export interface PauseRequest {
  id: string
  by: string
  sent: number
  facts: PullRequest | undefined
  heardAt: number
  /** What the service's own database said of its use. */
  activity: Activity | undefined
  askedAt: number
}

/** A run that asks for a new database, with what GitHub told it last of the pull request. */
export interface Making {
  by: string
  sent: number
  facts: PullRequest | undefined
}

/** A delete that the server took, or another change of a service. */
export interface Done {
  id: string
  operation: EndpointName
  by: string
  at: number
}

/** What really happened at the server, whatever the runs were told. */
export class Ledger {
  readonly creations: Creation[] = []
  readonly births = new Map<string, Birth>()
  readonly requests: DeletionRequest[] = []
  readonly pauses: PauseRequest[] = []
  readonly makings: Making[] = []
  /** Of a new database, the others of the same preview that were still there, on their way out or not. */
  readonly beside = new Map<string, string[]>()
  readonly deletions: Done[] = []
  readonly changes: Done[] = []
  /** When somebody else tagged PROD what a run had made, by service id. */
  readonly promotions = new Map<string, number>()
  /** The password that is in effect, by service id. */
  readonly passwords = new Map<string, string>()

  created(creation: Omit<Creation, 'id' | 'name'>, answer: unknown): string {
    const { initial_password, ...record } = answer as Partial<Service> & { id?: string }
    const id = record.service_id ?? record.id ?? ''
    this.creations.push({ ...creation, id, name: nameOf(record) })
    this.births.set(id, { at: creation.at, record })
    if (initial_password) this.passwords.set(id, initial_password)
    return id
  }

  creation(id: string): Creation | undefined {
    return this.creations.find(creation => creation.id === id)
  }

  /** Ids of what a run brought into being. */
  createdBy(by: string): string[] {
    return this.creations.filter(creation => creation.by === by).map(({ id }) => id)
  }
}

/** A peering has no name: it is known by its peer. */
function nameOf(record: Record<string, unknown>): string {
  const { name, peer_account_id, peer_region_code, peer_vpc_id } = record
  return String(name ?? `${peer_account_id} ${peer_region_code} ${peer_vpc_id}`)
}
