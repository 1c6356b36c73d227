import { randomInt } from 'node:crypto'

/** The API key that callers authenticate with. */
export interface Keys {
  publicKey: string
  secretKey: string
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

const randomText = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** A public key that nobody was given. */
export const generatePublicKey = () => `local${randomText(8)}`
/** A secret key that nobody can guess, long enough for the action to derive passwords from it. */
export const generateSecretKey = () => randomText(40)
