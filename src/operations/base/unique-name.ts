/** Names with a random part. */
import type { Seam } from '#base/seam'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Length of the random part that replaces a `*`: eight characters of an alphabet of 36 have 41 bits. */
export const randomPartLength = 8

export function randomPart(seam: Pick<Seam, 'random'>, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(seam.random() * alphabet.length)]).join('')
}

export const hasRandomPart = (name: string) => name.includes('*')

/** Replaces each `*` in a name with the same random part, so that only this run can have used the name. */
export function fillRandomPart(name: string, seam: Pick<Seam, 'random'>): string {
  return name.replaceAll('*', randomPart(seam, randomPartLength))
}

export const filledLength = (name: string) =>
  name.length + (name.split('*').length - 1) * (randomPartLength - 1)
