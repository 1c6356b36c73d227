/** Finds the seed at which a broken variant breaks a promise. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadBroken } from './break-source.ts'
import { breaks } from './breaks.ts'

/** The seed and the broken promise that reveal a variant. */
export interface Found {
  seed: number
  promise: string
}

/** The most seeds to try for a variant. */
export const mostSeeds = 1000

const file = resolve(import.meta.dirname, 'break-seeds.json')

/** The seeds that revealed variants before. They are tried first; stale ones only cost time. */
export const readKnownSeeds = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>

export const writeKnownSeeds = (seeds: Record<string, number>) =>
  writeFileSync(file, `${JSON.stringify(seeds, undefined, 2)}\n`)

/** Finds a seed at which a variant breaks one of its promises; undefined if there is none. */
export async function findBreak(name: string, known: number | undefined): Promise<Found | undefined> {
  const { simulate } = await loadBroken(name)
  const promises = breaks[name]?.promises ?? []
  const all = Array.from({ length: mostSeeds }, (_, index) => index + 1)
  for (const seed of known === undefined ? all : [known, ...all]) {
    const { violations } = await simulate(seed)
    const promise = violations.find(({ invariant }) => promises.includes(invariant))?.invariant
    if (promise !== undefined) return { seed, promise }
  }
  return undefined
}
