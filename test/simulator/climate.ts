/** The conditions of a whole story: lags, dates, clocks. */
import type { Chance } from './chance.ts'

/** Which answers lag: lists, single records, or both. */
export type Stale = 'lists' | 'records' | 'both'

/** How far the API's answers lag behind writes. Times in milliseconds. */
export type Lag =
  | { kind: 'none' }
  | { kind: 'steady'; stale: Stale; by: number }
  /** Each answer comes from one of several replicas with different lags. */
  | { kind: 'replicas'; stale: Stale; by: number[] }
  /** Each record has its own lag, up to a limit, in one or more respects. */
  | { kind: 'records'; upTo: Partial<Record<Lateness, number>> }

/** The respects in which a record may lag: in lists, by its id, in its changes, in its deletion, in its parent. */
export type Lateness = 'listed' | 'found' | 'changed' | 'gone' | 'forked_from'

/** The clock that dates records, relative to the Date header. `instead`: an invalid text in place of a missing date. */
export type Dating =
  | { kind: 'agrees' }
  | { kind: 'apart'; by: number }
  | { kind: 'missing'; instead?: string | undefined }

/** The conditions for everyone in a story. */
export interface Climate {
  lag: Lag
  dating: Dating
  /** Milliseconds by which GitHub's answers about pull requests lag. */
  gitHubLag: number
  /** Whether services are READY within a second, before a lagging list shows them. */
  isQuick: boolean
  /** A factor on the wait that a Retry-After header requests. */
  retryAfter: number
  /** Whether the server shows deleted services for ever, in status DELETED. */
  keepsDeleted: boolean
}

/** A run withholds a young preview for 10 s: a shorter lag breaks no promise. */
export const tolerableLag = 10_000

/** The longest lag that breaks no promise. */
const short = 9_000

/** Draws each condition only for some stories, so the others fail for other reasons. */
export function drawClimate(chance: Chance, thirdChance: Chance): Climate {
  const lag: Lag = chance.hits(0.5) ? drawLag(chance) : { kind: 'none' }
  return {
    lag,
    isQuick: lag.kind !== 'none' && chance.hits(0.6),
    dating: drawDating(chance),
    gitHubLag: chance.hits(0.2) ? chance.between(1000, 30_000) : 0,
    retryAfter: chance.hits(0.1) ? 100 : 1,
    keepsDeleted: thirdChance.hits(0.15),
  }
}

function drawLag(chance: Chance): Lag {
  const longest = chance.pick([chance.between(500, short), short, short, chance.between(12_000, 30_000)])
  const stale = chance.pick(['lists', 'lists', 'both', 'records'] as const)
  if (chance.hits(0.35)) return { kind: 'steady', stale, by: longest }
  if (chance.hits(0.5)) return { kind: 'replicas', stale, by: [0, longest / 3, longest] }
  const every: Lateness[] = ['listed', 'found', 'changed', 'gone', 'forked_from']
  const ways = chance.hits(0.3) ? every : [chance.pick(every)]
  return { kind: 'records', upTo: Object.fromEntries(ways.map(way => [way, longest])) }
}

function drawDating(chance: Chance): Dating {
  if (chance.hits(0.75)) return { kind: 'agrees' }
  if (chance.hits(0.2)) return { kind: 'missing' }
  // Date.parse reads it as the beginning of that year.
  if (chance.hits(0.2)) return { kind: 'missing', instead: 'x 2001' }
  return { kind: 'apart', by: Math.round(chance.between(-120_000, 120_000)) }
}

export function longestLag({ lag }: Climate): number {
  if (lag.kind === 'none') return 0
  if (lag.kind === 'steady') return lag.by
  return Math.max(...(lag.kind === 'replicas' ? lag.by : Object.values(lag.upTo)))
}

/** Whether a read by id may show a service as it was before its deletion. */
export function isDeletionReadLate({ lag }: Climate): boolean {
  if (lag.kind === 'none') return false
  if (lag.kind === 'records') return lag.upTo.changed !== undefined || lag.upTo.gone !== undefined
  return lag.stale !== 'lists'
}

export function describeClimate(climate: Climate): string[] {
  const { lag, dating, gitHubLag, retryAfter, keepsDeleted } = climate
  const range = longestLag(climate) > tolerableLag ? 'more than 10 s' : 'less than 10 s'
  return [
    ...(lag.kind === 'none' ? [] : [`${lagTitles[lag.kind]} by ${range}`]),
    ...(dating.kind === 'agrees' ? [] : [datingTitles[dating.kind]]),
    ...(gitHubLag > 0 ? ['GitHub behind'] : []),
    ...(retryAfter > 1 ? ['long Retry-After'] : []),
    ...(keepsDeleted ? ['DELETED for ever'] : []),
  ]
}

const lagTitles = {
  steady: 'answers behind',
  replicas: 'replicas behind',
  records: 'records late',
}
const datingTitles = { apart: 'created by another clock', missing: 'created missing' }
