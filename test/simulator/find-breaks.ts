import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadBroken } from './break-source.ts'
import { breaks } from './breaks.ts'

/** Where a broken variant is found out: the seed, and the promise of its own that breaks there. */
export interface Found {
  seed: number
  promise: string
}

/** How many seeds may be needed to find a broken variant. */
export const mostSeeds = 1000

const file = resolve(import.meta.dirname, 'break-seeds.json')

/** The seeds at which variants were found before. They are tried first; where they are stale, it only takes longer. */
export const readKnownSeeds = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>

export const writeKnownSeeds = (seeds: Record<string, number>) =>
  writeFileSync(file, `${JSON.stringify(seeds, undefined, 2)}\n`)

/** Looks for a seed by which a broken variant breaks one of its promises; undefined where there is none. */
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
