// Removes secrets from output.

import { hideNamedSecrets } from './named-secrets.ts'
import { encodings } from './secret-encodings.ts'

/** Anything shorter occurs in ordinary text, and redacting it would make every line unreadable. */
const shortest = 4
/** From this length on, a match is not a coincidence. */
const telling = 8

/** Up to this number of secrets, searching for each one is faster than looking up every position of a text. */
const few = 200

/** The texts that must never be shown, and the only place that removes them from output. */
export class Secrets {
  readonly #textsOf = new Map<string, string[]>()
  readonly #texts = new Set<string>()
  /** Indexed by their first characters: pruning a thousand previews adds as many passwords, in 15 encodings each. */
  readonly #byStart = new Map<string, string[]>()

  /** Adds a secret, and each line of it, in all their encodings; returns these, for the runner's own mask. */
  add(secret: string): string[] {
    const known = this.#textsOf.get(secret)
    if (known !== undefined) return known
    if (secret.trim() === '') return []
    const parts = [secret, ...secret.split(/[\r\n]+/)]
    const texts = [...new Set(parts.flatMap(encodings))].filter(text => text.length >= shortest)
    this.#textsOf.set(secret, texts)
    for (const one of texts) this.#index(one)
    return texts
  }

  #index(secret: string): void {
    if (this.#texts.has(secret)) return
    this.#texts.add(secret)
    const start = secret.slice(0, shortest)
    const others = this.#byStart.get(start)
    if (others) others.push(secret)
    else this.#byStart.set(start, [secret])
  }

  #candidates(text: string): Iterable<string> {
    if (this.#texts.size <= few) return this.#texts
    const starts = new Set<string>()
    for (let at = 0; at + shortest <= text.length; at++) {
      const start = text.slice(at, at + shortest)
      if (this.#byStart.has(start)) starts.add(start)
    }
    return [...starts].flatMap(start => this.#byStart.get(start) ?? [])
  }

  /** The secrets in a text, the longest first, so that a URL is removed before its password. */
  #within(text: string): string[] {
    return [...this.#candidates(text)]
      .filter(secret => text.includes(secret))
      .sort((one, other) => other.length - one.length)
  }

  #takeOut(text: string): string {
    let rest = text
    // Removing one may join two halves of another. The loop ends, since the text becomes shorter each time.
    for (let found = this.#within(rest); found.length > 0; found = this.#within(rest))
      rest = found.reduce((left, secret) => left.replaceAll(secret, '***'), rest)
    return rest
  }

  /** Removes the added secrets, and values that the text itself names a password, token or the like. */
  redact(text: string): string {
    return hideNamedSecrets(this.#takeOut(text))
  }

  /** Like `redact`, for every text and name in a JSON value. */
  redactAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map(item => this.redactAll(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.redact(name), this.redactAll(inner)]),
    )
  }

  isIn(text: string): boolean {
    return this.#within(text).some(secret => secret.length >= telling)
  }
}
