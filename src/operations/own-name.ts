import type { Seam } from '../client/seam.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Characters that take the place of a `*`: of 36 kinds each, so 41 bits. */
export const ownPartLength = 8

/** Lower case letters and digits that nobody else comes upon. */
export function randomPart(seam: Pick<Seam, 'random'>, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(seam.random() * alphabet.length)]).join('')
}

/** Whether a name leaves a part of it to chance. */
export const hasOwnPart = (name: string) => name.includes('*')

/** A name whose `*` are filled in, all with the same random part: only this run can have used it. */
export function fillOwnPart(name: string, seam: Pick<Seam, 'random'>): string {
  return name.replaceAll('*', randomPart(seam, ownPartLength))
}

/** How long a name is once its `*` are filled in. */
export const filledLength = (name: string) => name.length + (name.split('*').length - 1) * (ownPartLength - 1)
