/** Removes secrets, in all their encodings, from output. */
import { hideNamedSecrets } from './named-secrets.ts'

/** The URL encodings of a secret, which differ between encoders: JavaScript, RFC 3986, userinfo, forms. */
function urlEncodings(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed())
  const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const { password } = Object.assign(new URL('https://user@host'), { password: secret })
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const lowerCase = (text: string) => text.replace(/%../g, code => code.toLowerCase())
  return [component, strict, password, form].flatMap(text => [text, lowerCase(text)])
}

/** The number of first base64 digits with bits of other text, after 0, 1 and 2 bytes of it. */
const mixedDigits = [0, 2, 3] as const

/**
 * Base64 encodes three bytes as four digits, so a secret inside a longer text (`user:secret`) looks different
 * after 3n, 3n+1 and 3n+2 bytes. Returns the digits that depend only on the secret, for each of the three.
 */
function base64Within(utf8: Buffer): string[] {
  return mixedDigits.map((mixed, shift) => {
    const bits = 8 * (shift + utf8.length)
    return Buffer.concat([Buffer.alloc(shift), utf8])
      .toString('base64')
      .slice(mixed, Math.floor(bits / 6))
  })
}

function base64Encodings(utf8: Buffer): string[] {
  const whole = utf8.toString('base64')
  const standard = [whole, whole.replace(/={1,2}$/, ''), ...base64Within(utf8)]
  return standard.flatMap(text => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The forms of a secret: unchanged, and encoded for URLs, JSON (also within JSON) and Basic authentication. */
export function encodings(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  const hex = utf8.toString('hex')
  return [
    ...new Set([
      secret,
      ...base64Encodings(utf8),
      hex,
      hex.toUpperCase(),
      ...urlEncodings(secret),
      inJson(secret),
      inJson(inJson(secret)),
    ]),
  ]
}

/** A shorter text occurs in ordinary words. Redacting it would make every line unreadable. */
const shortest = 4
/** From this length on, a match is not a coincidence. */
const unmistakable = 8

/** Up to this number of secrets, a search for each one is faster than a lookup at every position of a text. */
const mostSearched = 200

/** The texts that must never be shown, and the only place that removes them from output. */
export class Secrets {
  readonly #textsOf = new Map<string, string[]>()
  readonly #texts = new Set<string>()
  /** The texts by their first characters: pruning a thousand previews adds as many passwords, in 15 encodings. */
  readonly #byStart = new Map<string, string[]>()

  /** Adds a secret, and each line of it, in all their encodings; returns these, for the runner's own mask. */
  add(secret: string): string[] {
    const cached = this.#textsOf.get(secret)
    if (cached !== undefined) return cached
    if (secret.trim() === '') return []
    const parts = [secret, ...secret.split(/[\r\n]+/)]
    const texts = [...new Set(parts.flatMap(encodings))].filter(text => text.length >= shortest)
    this.#textsOf.set(secret, texts)
    for (const text of texts) this.#index(text)
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
    if (this.#texts.size <= mostSearched) return this.#texts
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

  #removeAdded(text: string): string {
    let rest = text
    // Removing a secret may join two halves of another, so this repeats until no secret is left.
    for (let found = this.#within(rest); found.length > 0; found = this.#within(rest))
      rest = found.reduce((left, secret) => left.replaceAll(secret, '***'), rest)
    return rest
  }

  /** Removes the added secrets, and values that the text itself names a password, token or the like. */
  redact(text: string): string {
    return hideNamedSecrets(this.#removeAdded(text))
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

  /** Whether a text contains a secret that is too long for a coincidence. */
  hasAnyIn(text: string): boolean {
    return this.#within(text).some(secret => secret.length >= unmistakable)
  }
}
