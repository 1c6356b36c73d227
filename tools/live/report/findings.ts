/** Collects the findings of a walk. */
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { isPassing } from '../../../emulator/store/progress/profile.ts'
import { differencesOf, type Exchange } from './described.ts'

/** The statuses that a change passed through, in order; times in milliseconds from the answer to the request. */
export interface Course {
  operation: EndpointName
  statuses: { status: string; at: number }[]
  /** When it ended; undefined if it did not. */
  done: number | undefined
}

/** The statuses during a change, without the ones before and after. */
export function passedOf({ operation, statuses, done }: Course): [string, number][] {
  const { goal }: Endpoint = endpoints[operation]
  const during = goal?.until === 'gone' ? statuses : statuses.slice(0, -1)
  const passing = during.filter(({ status }) => isPassing(status))
  return passing.map(({ status, at }, index) => {
    const next = statuses[statuses.findIndex(one => one.at === at) + 1]?.at ?? done ?? at
    // Time before the first status counts to that status.
    return [status, next - (index === 0 ? 0 : at)]
  })
}

/** A right of the owner in the database, which a part of the action needs. */
export interface TriedRight {
  needed: string
  what: string
  isTried: boolean
  /** The server's message, or why it was not tried; undefined if it succeeded. */
  problem: string | undefined
}

/** Names of fields with private texts. */
const ownFields = /^(?:id|.*_id|.*name|host|email|.*password|public_key|.*cursor|cidr|.*arn)$/i

/** Texts that look like an id, an address or a secret, although no answer named them so. */
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

/** Collects findings without ids, hosts and secrets, because the report is public. */
export class Findings {
  /** Each with the number of its occurrences. */
  readonly differences = new Map<string, number>()
  readonly courses: Course[] = []
  /** Refused requests, expected or not, by their own texts. */
  readonly refusals = new Map<
    string,
    { operation: EndpointName; step: string; status: number; code: string; message: string }
  >()
  readonly rights: TriedRight[] = []
  /** Measured times by subject. Milliseconds. */
  readonly times: Record<string, number> = {}
  /** From READY of a service to its first snapshot, if there was none at first. */
  snapshotAfter: number | undefined
  /** The servers' own descriptions of themselves. */
  readonly facts: Record<string, string> = {}
  readonly walked = new Set<EndpointName>()
  readonly skipped: string[] = []
  /** The name of the current step. */
  step = 'the records of earlier runs'
  readonly #own = new Map<string, string>()

  /** Marks a text as private. */
  hide(text: string, as: string): void {
    if (text.length >= 3) this.#own.set(text, `<${as}>`)
  }

  see(exchange: Exchange): void {
    this.walked.add(exchange.operation)
    this.#learn(exchange.body, '')
    for (const text of differencesOf(exchange)) this.differ(text)
    const { operation, status, body, headers } = exchange
    const { created, initial_password: password, code, message } = (body ?? {}) as Record<string, unknown>
    const apart = Math.abs(Date.parse(String(created)) - Date.parse(headers.date ?? ''))
    if (operation === 'create-service' && status < 300 && apart > 60_000)
      this.differ('create-service: `created` and the header Date are more than a minute apart')
    if (password !== undefined && endpoints[operation].status !== 202)
      this.differ(`${operation}: contains initial_password, unlike in the specification`)
    if (status < 400) return
    const [cleanCode = '', cleanMessage = ''] = [code, message].map(text => this.clean(String(text ?? '')))
    const refusal = { operation, step: this.step, status, code: cleanCode, message: cleanMessage }
    this.refusals.set(JSON.stringify(refusal), refusal)
  }

  /** Records a difference, after removing private texts of a server. */
  differ(text: string): void {
    this.differences.set(text, (this.differences.get(text) ?? 0) + 1)
  }

  /** A text of a server without private data, in one line. */
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
