import { type EndpointName, endpoints } from '#api/endpoints'
import { messageOf } from '#base/errors'
import { differencesOf, type Exchange } from './described.ts'

/** The statuses that a change passed through, in order; times in milliseconds from the answer to the request. */
export interface Course {
  operation: EndpointName
  /** The status before the change, which may be shown for a while. */
  before: string | undefined
  /** Whether it ends with the record's absence. */
  isGone: boolean
  statuses: { status: string; at: number }[]
  /** When it was done; undefined where it never was. */
  done: number | undefined
}

/** A request that was refused, as the walk meant it to be or not. */
export interface Refusal {
  operation: EndpointName
  when: string
  status: number
  code: string
  message: string
}

/** A right of the owner in the database, which some part of the action needs. */
export interface TriedRight {
  needed: string
  what: string
  /** What the server said; undefined where it did it. */
  refusal?: string
  /** Why there was nothing to try it on. */
  notTried?: string
}

/** Names of fields whose texts are somebody's own. */
const ownFields = /^(?:id|.*_id|.*name|host|email|.*password|public_key|.*cursor|cidr|.*arn)$/i

/** What looks like an id, an address or a secret, though no answer named it so. */
const suspicious: [RegExp, string][] = [
  [/\bpostgres(?:ql)?:\/\/\S+/gi, '<url>'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '<email>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}\b/gi, '<id>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<address>'],
  [/\b[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+\.[a-z]{2,}(?::\d+)?\b/gi, '<host>'],
  [/\blive-check-[a-z0-9-]+/g, '<name>'],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{10}\b/g, '<id>'],
  [/\b(?=\w*\d)\w{20,}\b/g, '<id>'],
]

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** Collects what was found out, without ids, hosts and secrets: it is to be shown to everybody. */
export class Findings {
  /** Each with how often it was met. */
  readonly differences = new Map<string, number>()
  readonly courses: Course[] = []
  readonly refusals: Refusal[] = []
  readonly rights: TriedRight[] = []
  /** Measured times, by what they are of. Milliseconds. */
  readonly times: Record<string, number> = {}
  /** From a service's being READY to its first snapshot, where there was none at first. */
  snapshotAfter: number | undefined
  /** What the servers are, in their own words. */
  readonly facts: Record<string, string> = {}
  readonly walked = new Set<EndpointName>()
  readonly skipped: string[] = []
  readonly #own = new Map<string, string>()

  /** Takes a text for one that must not be shown. */
  hide(text: string, as: string): void {
    if (text.length >= 3) this.#own.set(text, `<${as}>`)
  }

  see(exchange: Exchange): void {
    this.walked.add(exchange.operation)
    this.#learn(exchange.body, '')
    for (const text of differencesOf(exchange)) this.differ(text)
    const { operation, status, body, headers } = exchange
    const { created, initial_password: password } = (body ?? {}) as Record<string, unknown>
    const apart = Math.abs(Date.parse(String(created)) - Date.parse(headers.date ?? ''))
    if (operation === 'create-service' && status < 300 && apart > 60_000)
      this.differ('create-service: `created` and the header Date are more than a minute apart')
    if (password !== undefined && endpoints[operation].status !== 202)
      this.differ(`${operation}: tells initial_password, as only the answer to a creation does`)
  }

  /** Notes that a request got no answer. */
  miss(operation: EndpointName, failure: unknown): void {
    this.differ(`${operation}: no answer: ${this.clean(messageOf(failure))}`)
  }

  /** Notes a difference. What a server said in its own words is cleaned first. */
  differ(text: string): void {
    this.differences.set(text, (this.differences.get(text) ?? 0) + 1)
  }

  /** A text of a server, without what belongs to somebody, in one line. */
  clean(text: string): string {
    const line = text.replace(/[^\P{C} ]+|\s+/gu, ' ').slice(0, 2000)
    const longestFirst = [...this.#own].sort(([one], [other]) => other.length - one.length)
    const known = longestFirst.reduce(
      (rest, [own, as]) => rest.replace(new RegExp(`(?<![\\w-])${escaped(own)}(?![\\w-])`, 'g'), as),
      line,
    )
    return suspicious.reduce((rest, [pattern, as]) => rest.replace(pattern, as), known).slice(0, 300)
  }

  #learn(value: unknown, field: string): void {
    if (typeof value === 'string' && ownFields.test(field)) this.hide(value, field)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) this.#learn(inner, Array.isArray(value) ? field : name)
  }
}
