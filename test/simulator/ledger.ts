/** Records the events at the server, so that the promises can be checked. */
import type { EndpointName } from '#api/endpoints'
import type { Service } from '#api/records'
import type { Activity } from '#postgres/activity'
import type { PullRequest } from '#preview/base/github'
import type { State } from './pull-requests.ts'

export interface Birth {
  at: number
  /** The record in the answer to its creation. */
  record: Record<string, unknown>
}

/** A record that someone created. Times in milliseconds of virtual time. */
export interface Creation {
  id: string
  operation: EndpointName
  name: string
  /** The run that requested it, or `another caller`. */
  by: string
  /** When the request was sent, and when it was processed. */
  sent: number
  at: number
  /** The run got no answer about it: its request was refused after processing, or was repeated by a proxy. */
  isUntold?: true
}

/** The first request of a run to delete a record. */
export interface DeletionRequest {
  id: string
  by: string
  sent: number
  pullRequest: number | undefined
  queueEntry: string | undefined
  /** GitHub's answer about the pull request at that moment. */
  shown: State | undefined
  /** GitHub's last answer to the run, and its time; undefined without an answer. */
  told: string | undefined
  /** GitHub's last conclusive answer, before it stopped answering. */
  known: string | undefined
  /** All facts in that answer. */
  facts: PullRequest | undefined
  heardAt: number
  /** For the merge queue: whether its entry was in the queue at the run's last request. */
  isQueued: boolean | undefined
  queueHeardAt: number
  /** Whether another database of the same preview existed, at that time or a moment before. */
  isDuplicate: boolean
  /** The names that a list and the record itself last showed to the run. */
  names: ShownNames
}

/** The names of a service in the answers to a run. */
export interface ShownNames {
  listed?: string | undefined
  read?: string | undefined
  /** Milliseconds of virtual time. */
  readAt?: number
}

/** The first request of a run to pause a service, with the last answers to the run. */
export interface PauseRequest {
  id: string
  by: string
  sent: number
  facts: PullRequest | undefined
  heardAt: number
  /** The number of answers so far: one for the decision, one right before the pause. */
  heard: number
  /** The use of the service, by its own database. */
  activity: Activity | undefined
  askedAt: number
}

/** A run published the connection details of a database. */
export interface Publication {
  id: string
  by: string
  /** The time of its last login there. */
  at: number
}

/** A run's request for a new database, with GitHub's last answer about the pull request. */
export interface CreationRequest {
  by: string
  sent: number
  facts: PullRequest | undefined
  /** The changed files in GitHub's answer; undefined without a question. */
  files: string[] | 'unanswered' | undefined
}

/** An accepted deletion, or another change of a service. */
export interface Done {
  id: string
  operation: EndpointName
  by: string
  at: number
}

export interface Rename extends Done {
  name: string
  /** Whether its database was masked and quarantined at that moment. */
  isMasked: boolean
}

/** The real events at the server, even if the answers to the runs were lost. */
export class Ledger {
  readonly creations: Creation[] = []
  readonly births = new Map<string, Birth>()
  readonly requests: DeletionRequest[] = []
  readonly pauses: PauseRequest[] = []
  readonly creationRequests: CreationRequest[] = []
  readonly publications: Publication[] = []
  /** For each new database, the others of its preview that still existed, including those being deleted. */
  readonly duplicatesOf = new Map<string, string[]>()
  readonly deletions: Done[] = []
  readonly changes: Done[] = []
  readonly renames: Rename[] = []
  readonly #shown = new Map<string, ShownNames>()
  /** The runs that renamed a service. */
  readonly renamers = new Set<string>()
  /** When someone else gave a run's service a protecting tag, by service id. */
  readonly promotions = new Map<string, number>()
  /** The current password, by service id. */
  readonly passwords = new Map<string, string>()

  created(creation: Omit<Creation, 'id' | 'name'>, answer: unknown): string {
    const { initial_password, ...record } = answer as Partial<Service> & { id?: string }
    const id = record.service_id ?? record.id ?? ''
    this.creations.push({ ...creation, id, name: nameOf(record) })
    this.births.set(id, { at: creation.at, record })
    if (initial_password) this.passwords.set(id, initial_password)
    return id
  }

  /** The names in the last answers to a run about a service. */
  shownTo(by: string, id: string): ShownNames {
    const key = `${by} ${id}`
    const known = this.#shown.get(key) ?? {}
    this.#shown.set(key, known)
    return known
  }

  parentOf(id: string): string | undefined {
    return (this.births.get(id)?.record as Partial<Service> | undefined)?.forked_from?.service_id
  }

  creation(id: string): Creation | undefined {
    return this.creations.find(creation => creation.id === id)
  }

  createdBy(by: string): string[] {
    return this.creations.filter(creation => creation.by === by).map(({ id }) => id)
  }
}

/** A peering has no name; its peer identifies it. */
function nameOf(record: Record<string, unknown>): string {
  const { name, peer_account_id, peer_region_code, peer_vpc_id } = record
  return String(name ?? `${peer_account_id} ${peer_region_code} ${peer_vpc_id}`)
}
