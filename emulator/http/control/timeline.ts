/** Records recent events. */
import type { LogLine, ServiceState, State } from '../../store/state.ts'
import type { RequestRecord } from '../exchange.ts'

/** An event in the list of the dashboard. */
export type TimelineEvent = { number: number; at: string } & (
  | { kind: 'request'; method: string; path: string; operation: string | null; status: number | null }
  | { kind: 'status'; serviceId: string; name: string; severity: string; message: string }
)

/** `Omit` for each member of a union. */
type OmitEach<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

type EventContent = OmitEach<TimelineEvent, 'number' | 'at'>

/** Upper limit for stored events; older ones are deleted. */
const maxEvents = 500

const statusOf = ({ id, name }: ServiceState) => ({ kind: 'status' as const, serviceId: id, name })

/** Recent events: the requests, and the changes of services. */
export class Timeline {
  readonly #events: { content: EventContent; number: number; at: number }[] = []
  #count = 0
  /** The lines of logs that are in the list already. */
  readonly #collected = new WeakSet<LogLine>()
  #services = new Map<string, ServiceState>()

  /** Records an answered request. */
  addRequest({ method, path, operation, status }: RequestRecord, now: number): void {
    this.#add(now, {
      kind: 'request',
      method,
      path: path.slice(0, 200),
      operation: operation ?? null,
      status: status ?? null,
    })
  }

  /** Adds the new lines of the services' logs. */
  collectLogs({ services }: State): void {
    // The log of a deleted service ends with the time of its deletion.
    for (const service of [...this.#services.values(), ...services.values()]) this.#collect(service)
    this.#services = new Map(services)
  }

  /** The events after the event with this number, oldest first. */
  after(number: number): TimelineEvent[] {
    return this.#events
      .filter(event => event.number > number)
      .map(({ content, ...event }) => ({ ...content, ...event, at: new Date(event.at).toISOString() }))
  }

  #collect(service: ServiceState): void {
    for (const line of service.log) {
      if (this.#collected.has(line)) continue
      this.#collected.add(line)
      const { at, severity, message } = line
      this.#add(at, { ...statusOf(service), severity, message })
    }
  }

  #add(at: number, content: EventContent): void {
    this.#count += 1
    this.#events.push({ content, number: this.#count, at })
    if (this.#events.length > maxEvents) this.#events.shift()
  }
}
