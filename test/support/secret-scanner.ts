/** Searches texts for secrets in any encoding. */
import { encodingsOf, type Secret } from './secret-encodings.ts'

/** A secret found in an output. Contains no part of the secret. */
export interface Hit {
  label: string
  encoding: string
  /** `stdout`, `state`, … */
  place: string
  /** The surrounding text, with every known secret hidden. */
  excerpt: string
}

/** A secret was shown. The message names the place and the encoding, not the secret. */
export class SecretShownError extends Error {
  override name = 'SecretShownError'

  constructor(hits: Hit[]) {
    const lines = hits.map(
      ({ label, encoding, place, excerpt }) =>
        `${label} (${encoding}) in ${place}: ${JSON.stringify(excerpt)}`,
    )
    super(`a secret was shown:\n${lines.join('\n')}`)
  }
}

/** Shorter texts occur by chance in any log. */
const shortest = 4
const around = 60

/** Looks for secrets in texts, in all their encodings. */
export class SecretScanner {
  /** The texts that reveal a secret, each with the first secret that it reveals. */
  readonly #texts = new Map<string, { label: string; encoding: string }>()

  add(secret: Secret): void {
    for (const { name, texts } of encodingsOf(secret)) {
      for (const text of texts) {
        if (text.length < shortest || this.#texts.has(text)) continue
        this.#texts.set(text, { label: secret.label, encoding: name })
      }
    }
  }

  /** Finds the secrets in a text, each once for every encoding. */
  find(place: string, text: string): Hit[] {
    const hits: Hit[] = []
    for (const [needle, { label, encoding }] of this.#texts) {
      const at = text.indexOf(needle)
      if (at >= 0) hits.push({ label, encoding, place, excerpt: this.#excerpt(text, at, needle.length) })
    }
    return hits
  }

  /** Secrets are hidden before the cut: a cut through a secret would leave a part of it. */
  #excerpt(text: string, at: number, length: number): string {
    const before = this.#hide(text.slice(0, at)).slice(-around)
    const after = this.#hide(text.slice(at + length)).slice(0, around)
    return `${before}•••${after}`
  }

  #hide(text: string): string {
    const longestFirst = [...this.#texts.keys()].sort((one, other) => other.length - one.length)
    return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  }
}
