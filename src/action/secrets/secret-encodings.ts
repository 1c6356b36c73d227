// The encodings of a secret.

/** Different encoders encode different characters: JavaScript, RFC 3986, the userinfo of a URL, a form. */
function urlEncodings(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed())
  const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const { password } = Object.assign(new URL('https://user@host'), { password: secret })
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const small = (text: string) => text.replace(/%../g, code => code.toLowerCase())
  return [component, strict, password, form].flatMap(text => [text, small(text)])
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

/**
 * The forms of a secret in a text: unchanged, and encoded for URLs, JSON (also within JSON) and Basic authentication.
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
