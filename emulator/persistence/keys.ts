/** Generates API keys. */
import { randomInt } from 'node:crypto'

/** The API key that callers authenticate with. */
export interface Keys {
  publicKey: string
  secretKey: string
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

const randomText = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** A new public key. */
export const generatePublicKey = () => `local${randomText(8)}`
/** An unguessable secret key, long enough for the action to derive passwords from it. */
export const generateSecretKey = () => randomText(40)
