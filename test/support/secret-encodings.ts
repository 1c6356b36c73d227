/** A text that must not be shown. */
export interface Secret {
  /** The name of the secret, for a report; never its value. */
  label: string
  text: string
  /** Who logs in with it, for Basic authentication and URLs. */
  user?: string
}

/** One encoding of a secret: all texts that reveal the secret. */
export interface Encoding {
  name: string
  texts: string[]
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bits of bytes, six at a time, from bit `from` up to the last whole six. */
function sixes(bytes: Uint8Array, from: number): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.slice(from).match(/.{6}/g) ?? []
  return groups.map(group => base64Alphabet[Number.parseInt(group, 2)]).join('')
}

/**
 * The part of Base64 that is certain to occur when a longer text holds the secret after 3n + `shift` bytes: the digits
 * that depend on nothing but the secret (RFC 4648 section 4: six bits a digit).
 */
function base64Within(secret: string, shift: 0 | 1 | 2): string {
  // After one byte, four bits of the secret share a digit with it. After two bytes, two bits do.
  return sixes(new TextEncoder().encode(secret), [0, 4, 2][shift] as number)
}

const forUrls = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

function hexadecimal(secret: string): string {
  return [...new TextEncoder().encode(secret)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** RFC 3986 section 2.3: all but letters, digits and four marks. */
function percentEncode(secret: string): string {
  const bytes = [...new TextEncoder().encode(secret)]
  return bytes
    .map(byte => {
      const char = String.fromCharCode(byte)
      return /[\w.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

const lower = (percentEncoded: string) => percentEncoded.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())

/** application/x-www-form-urlencoded (URL Standard section 5.2): a blank is a plus, `*` stays. */
function formEncode(secret: string): string {
  return percentEncode(secret).replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E')
}

const inJson = (text: string) => JSON.stringify(text).replace(/^"|"$/g, '')

const utf8Base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64').replace(/=*$/, '')

/** The userinfo of a URL as the URL Standard writes it. */
function userInfo(user: string, secret: string): string {
  const url = new URL('https://host/')
  url.username = user
  url.password = secret
  return url.href.slice('https://'.length, -'host/'.length)
}

/** A secret in the 14 searched encodings. Written independently of the redaction in the action. */
export function encodingsOf({ text, user = 'user' }: Secret): Encoding[] {
  const shifted = ([0, 1, 2] as const).map(shift => base64Within(text, shift))
  const percent = percentEncode(text)
  const component = encodeURIComponent(text.toWellFormed())
  return [
    { name: 'raw', texts: [text] },
    ...shifted.map((digits, shift) => ({ name: `base64 after 3n+${shift} bytes`, texts: [digits] })),
    { name: 'base64url', texts: shifted.map(forUrls) },
    { name: 'hex', texts: [hexadecimal(text), hexadecimal(text).toUpperCase()] },
    { name: 'percent-encoded', texts: [percent] },
    { name: 'percent-encoded in lower case', texts: [lower(percent)] },
    { name: 'encodeURIComponent', texts: [component, lower(component)] },
    { name: 'form', texts: [formEncode(text), lower(formEncode(text))] },
    { name: 'JSON', texts: [inJson(text)] },
    { name: 'double JSON', texts: [inJson(inJson(text))] },
    { name: 'Basic', texts: [utf8Base64(`${user}:${text}`)] },
    { name: 'URL', texts: [userInfo(user, text), `${user}:${percent}@`] },
  ]
}
