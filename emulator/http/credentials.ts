import { createHash, timingSafeEqual } from 'node:crypto'

/** The keys where none are given. The secret one is long enough for the action to derive passwords from it. */
export const localKeys = { publicKey: 'local', secretKey: 'local-secret-key' }

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether an Authorization header is `Basic base64(public:secret)` of these keys, compared in constant time. */
export function isAuthorized(header: string | undefined, publicKey: string, secretKey: string): boolean {
  const [, credentials] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  const given = Buffer.from(credentials ?? '', 'base64').toString()
  const isEqual = timingSafeEqual(digest(given), digest(`${publicKey}:${secretKey}`))
  return isEqual && credentials !== undefined
}
