/** Writers of URLs differ in which characters they encode: JavaScript, RFC 3986, the userinfo of a URL, a form. */
function urlEncodings(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed())
  const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const { password } = Object.assign(new URL('https://user@host'), { password: secret })
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const small = (text: string) => text.replace(/%../g, code => code.toLowerCase())
  return [component, strict, password, form].flatMap(text => [text, small(text)])
}

/** After 0, 1 and 2 bytes of other text: how many of the first base64 digits hold bits of that text. */
const mixedDigits = [0, 2, 3] as const

/**
 * Base64 writes three bytes as four digits, so a secret within a longer text (`user:secret`) looks different after
 * 3n, 3n+1 and 3n+2 bytes. Gives the digits that depend on the secret alone, for each of the three.
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

/**
 * The ways a secret may turn up in a text: as it is, and encoded as URLs, JSON (also within JSON) and Basic auth do.
 */
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
