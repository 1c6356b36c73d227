/** Finds columns that share values without a foreign key: references, which stay, and copies, which are masked. */
import { holds } from './facts.ts'
import { fitRule, isBound, isMasked, type Proposed } from './groups.ts'

/** Two columns share values if at least this many are equal, and at least this share of the values of one. */
const leastShared = { values: 2, share: 0.5 }

/** True for texts of which few repeat. */
export const isComparable = (one: Proposed): boolean =>
  one.column.family === 'text' && !isBound(one) && !holds('repeated', one.evidence)

const hashesOf = ({ evidence }: Proposed) => evidence.measured?.hashes ?? []

interface Pair {
  kept: Proposed
  /** A column with values of the kept one. */
  other: Proposed
  /** The number of these values. */
  shared: number
}

function findPairs(kept: readonly Proposed[], others: readonly Proposed[]): Pair[] {
  const holders = new Map<number, Proposed[]>()
  for (const other of others)
    for (const hash of hashesOf(other)) holders.set(hash, [...(holders.get(hash) ?? []), other])
  return kept.flatMap(kept => {
    const found = Map.groupBy(
      hashesOf(kept).flatMap(hash => holders.get(hash) ?? []),
      other => other,
    )
    return [...found].map(([other, { length }]) => ({ kept, other, shared: length }))
  })
}

const isMost = (shared: number, one: Proposed) =>
  shared >= leastShared.values && shared >= leastShared.share * hashesOf(one).length

/** The values of the kept column identify rows, and nothing else shows that those of the masked one are personal. */
const isReference = ({ other: masked, kept, shared }: Pair) =>
  (kept.evidence.isKey || kept.evidence.isUnique) &&
  !masked.evidence.isKey &&
  masked.decision.confidence !== 'certain' &&
  !holds('secret', masked.evidence) &&
  isMost(shared, masked)

/** The masked column mixes e-mail addresses with ids, and the kept one shares only the ids. */
const sharesOnlyIds = ({ other: masked, kept }: Pair) =>
  masked.decision.rule === 'email' && !holds('looks:email', kept.evidence)

/** The kept column has values of the masked one: most of its own, or a few under the same name. */
const isCopy = (pair: Pair) =>
  !sharesOnlyIds(pair) &&
  (isMost(pair.shared, pair.kept) ||
    (pair.other.evidence.name === pair.kept.evidence.name && pair.shared >= leastShared.values))

/** Keeps a column with the values of a key, and masks a column with the values of a masked one. */
export function joinValues(proposed: readonly Proposed[]): void {
  const comparable = proposed.filter(isComparable)
  const pairs = findPairs(
    comparable.filter(one => !isMasked(one)),
    comparable.filter(isMasked),
  )
  const decide = (one: Proposed, other: Proposed) => {
    const reason = `shares values with ${other.table.name}.${other.column.name}`
    const rule = fitRule(other.column, other.evidence, other.decision.rule)
    one.decision = { rule, confidence: 'uncertain', reason }
  }
  for (const pair of pairs.filter(isReference)) decide(pair.other, pair.kept)
  for (const pair of pairs.toSorted((first, second) => first.shared - second.shared)) {
    const { other: masked, kept } = pair
    if (isMasked(masked) && isCopy(pair) && !kept.evidence.isKey) decide(kept, masked)
  }
}

/** Kept columns that identify things without a foreign key: unique ones whose values are in others, and these others. */
export function findUndeclaredKeys(proposed: readonly Proposed[]): Set<Proposed> {
  const kept = proposed.filter(one => isComparable(one) && !isMasked(one))
  const unique = kept.filter(({ evidence }) => evidence.isUnique && !evidence.isPersonal)
  const pairs = findPairs(kept, unique).filter(one => one.kept !== one.other && isMost(one.shared, one.kept))
  return new Set(pairs.flatMap(({ kept, other }) => [kept, other]))
}
