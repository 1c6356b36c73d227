/** Too short to be told from ordinary text: redacting it would make every line unreadable. */
const shortest = 4

/** Writers of URLs differ in which characters they encode: JavaScript, RFC 3986, the userinfo of a URL, a form. */
function urlEncodings(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed())
  const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const { password } = Object.assign(new URL('https://user@host'), { password: secret })
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const small = (text: string) => text.replace(/%../g, code => code.toLowerCase())
  return [component, strict, password, form].flatMap(text => [text, small(text)])
}

/** The ways a secret may turn up in a text: as it is, and encoded as URLs, JSON and Basic auth do. */
export function encodings(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  const base64 = utf8.toString('base64')
  const hex = utf8.toString('hex')
  return [
    ...new Set([
      secret,
      base64,
      base64.replace(/={1,2}$/, ''),
      utf8.toString('base64url'),
      hex,
      hex.toUpperCase(),
      ...urlEncodings(secret),
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
