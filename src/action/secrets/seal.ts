/** Seals a text for a later job. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/** The start of a sealed text, which no URL has. */
const prefix = 'sealed:'

const lengths = { iv: 12, tag: 16 }

const derive = (secret: string, purpose: string) =>
  createHmac('sha256', secret).update(`managed-database-action/${purpose}/v1`).digest()

/**
 * Seals a text with a secret, by AES-256-GCM. The runner drops job outputs with a masked value; a sealed
 * value reaches the next job. The nonce is derived from the text, so that equal texts have equal seals and
 * two texts never share a nonce.
 */
export function seal(text: string, secret: string): string {
  const iv = createHmac('sha256', derive(secret, 'seal-nonce')).update(text).digest().subarray(0, lengths.iv)
  const cipher = createCipheriv('aes-256-gcm', derive(secret, 'seal-key'), iv)
  const sealed = [iv, cipher.update(text, 'utf8'), cipher.final()]
  return prefix + Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Opens a sealed text; undefined if it was sealed with another secret, or changed. */
export function unseal(sealed: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
  if (!sealed.startsWith(prefix) || bytes.length < lengths.iv + lengths.tag) return undefined
  const end = bytes.length - lengths.tag
  const key = derive(secret, 'seal-key')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, lengths.iv))
    decipher.setAuthTag(bytes.subarray(end))
    return decipher.update(bytes.subarray(lengths.iv, end), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
