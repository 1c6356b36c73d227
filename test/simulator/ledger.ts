import type { EndpointName } from '../../src/api/endpoints.ts'
import type { Service } from '../../src/api/records.ts'

/** A record that a run brought into being. */
export interface Creation {
  id: string
  operation: EndpointName
  name: string
  /** The run that asked for it. */
  by: string
  at: number
}

/** A delete that the server took. */
export interface Deletion {
  id: string
  by: string
  at: number
  /** Of the name's pull request, at that moment. */
  pullRequestState: 'open' | 'closed' | undefined
}

/** What really happened at the server, whatever the runs were told. */
export class Ledger {
  readonly creations: Creation[] = []
  readonly deletions: Deletion[] = []
  /** The password that is in effect, by service id. */
  readonly passwords = new Map<string, string>()

  created(operation: EndpointName, by: string, at: number, answer: unknown): void {
    const { service_id, id, name = '', initial_password } = answer as Partial<Service> & { id?: string }
    const key = service_id ?? id ?? ''
    this.creations.push({ id: key, operation, name, by, at })
    if (initial_password) this.passwords.set(key, initial_password)
  }

  /** Ids of what a run brought into being. */
  createdBy(by: string): string[] {
    return this.creations.filter(creation => creation.by === by).map(({ id }) => id)
  }
}
