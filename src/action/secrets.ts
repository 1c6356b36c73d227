/** Too short to be told from ordinary text: redacting it would make every line unreadable. */
const shortest = 4

/** The ways a secret may turn up in a text: as it is, and encoded as URLs, JSON and Basic auth do. */
export function encodings(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  return [
    ...new Set([
      secret,
      utf8.toString('base64'),
      utf8.toString('base64url'),
      utf8.toString('hex'),
      encodeURIComponent(secret),
      form,
      JSON.stringify(secret).slice(1, -1),
    ]),
  ]
}

/** The texts that must never be shown, and the one place that takes them out of what is printed. */
export class Secrets {
  private readonly texts = new Set<string>()

  /** Remembers a secret in all its encodings; returns those that are new, for the runner's own mask. */
  add(secret: string): string[] {
    const added = encodings(secret).filter(text => text.length >= shortest && !this.texts.has(text))
    for (const text of added) this.texts.add(text)
    return added
  }

  redact(text: string): string {
    // The longest first: a URL goes as a whole before the password in it does.
    const longestFirst = [...this.texts].sort((one, other) => other.length - one.length)
    return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  }
}
