/** Derives the passwords of previews. */
import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** 32 characters of 62 kinds: 190 bits. */
const length = 32

/** Characters. A person who knows one password and the service's id can try secrets offline without limit. */
export const shortestSecret = 16

/** An endless stream of bytes from a key and a text: HMAC-SHA256 in counter mode (NIST SP 800-108, section 4.1). */
function* stream(key: string, text: string): Generator<number> {
  for (let counter = 0; ; counter++) yield* createHmac('sha256', key).update(`${counter}:${text}`).digest()
}

/** Derives the password of a preview, so it is never stored. It is alphanumeric, so it never needs escaping. */
export function derivePassword(secret: string, serviceId: string): string {
  const characters: string[] = []
  for (const byte of stream(secret, `managed-database-action/preview-password/v1/${serviceId}`)) {
    // Bytes from 248 on would make the first letters likelier than the rest.
    if (byte < 4 * alphabet.length) characters.push(alphabet.charAt(byte % alphabet.length))
    if (characters.length === length) break
  }
  return characters.join('')
}
