import { encodings } from './secret-encodings.ts'

/** Too short to be told from ordinary text: redacting it would make every line unreadable. */
const shortest = 4
/** Of what has at least so many characters, it is no chance where it turns up. */
const telling = 8

/** The texts that must never be shown, and the one place that takes them out of what is printed. */
export class Secrets {
  private readonly texts = new Set<string>()
  /** The longest first: a URL goes as a whole before the password in it does. */
  private longestFirst: string[] = []

  /** Remembers a secret, and each line of it, in all their encodings; returns those that are new, for the runner's own mask. */
  add(secret: string): string[] {
    const parts = [secret, ...secret.split(/[\r\n]+/)]
    const added = [...new Set(parts.flatMap(encodings))].filter(
      text => text.length >= shortest && !this.texts.has(text),
    )
    if (added.length === 0) return added
    for (const text of added) this.texts.add(text)
    this.longestFirst = [...this.texts].sort((one, other) => other.length - one.length)
    return added
  }

  redact(text: string): string {
    return this.longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
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

  /** Whether a secret stands in the text, other than by chance. */
  isIn(text: string): boolean {
    return this.longestFirst.some(secret => secret.length >= telling && text.includes(secret))
  }
}
