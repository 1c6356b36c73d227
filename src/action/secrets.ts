import { hideNamedSecrets } from './named-secrets.ts'
import { encodings } from './secret-encodings.ts'

/** Anything shorter occurs in ordinary text: redacting it would make every line unreadable. */
const shortest = 4
/** From this length on, a match is not a coincidence. */
const telling = 8

/** The texts that must never be shown, and the one place that takes them out of what is printed. */
export class Secrets {
  /** By the secret that was added. */
  readonly #textsOf = new Map<string, string[]>()
  /** The longest first: a URL goes as a whole before the password in it does. */
  #sorted: string[] | undefined

  /** Remembers a secret, and each line of it, in all their encodings; returns these, for the runner's own mask. */
  add(secret: string): string[] {
    const known = this.#textsOf.get(secret)
    if (known !== undefined) return known
    if (secret.trim() === '') return []
    const parts = [secret, ...secret.split(/[\r\n]+/)]
    const texts = [...new Set(parts.flatMap(encodings))].filter(text => text.length >= shortest)
    this.#textsOf.set(secret, texts)
    this.#sorted = undefined
    return texts
  }

  get #longestFirst(): string[] {
    this.#sorted ??= [...new Set([...this.#textsOf.values()].flat())].sort(
      (one, other) => other.length - one.length,
    )
    return this.#sorted
  }

  /** The text without the secrets that were added, and without what it calls a password, a token or the like itself. */
  redact(text: string): string {
    return hideNamedSecrets(this.#longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), text))
  }

  /** As `redact`, for every text and name in a JSON value. */
  redactAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map(item => this.redactAll(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.redact(name), this.redactAll(inner)]),
    )
  }

  /** Whether the text contains a secret, and not by coincidence. */
  isIn(text: string): boolean {
    return this.#longestFirst.some(secret => secret.length >= telling && text.includes(secret))
  }
}
