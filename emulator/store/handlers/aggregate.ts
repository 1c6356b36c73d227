/** The functions that reduce a bucket of samples. */
import type { aggregations } from '#api/records'

export type Aggregation = (typeof aggregations)[number]

/** The samples of a bucket, oldest first, at least one; and the length of the bucket in seconds. */
type Aggregate = (samples: readonly number[], seconds: number) => number

const sum: Aggregate = samples => samples.reduce((total, sample) => total + sample, 0)
const least: Aggregate = samples => Math.min(...samples)
const greatest: Aggregate = samples => Math.max(...samples)

/** The growth of a counter; one that became smaller was reset to zero in between. */
const increase: Aggregate = samples =>
  samples.slice(1).reduce((total, sample, index) => {
    const before = samples[index] ?? 0
    return total + (sample >= before ? sample - before : sample)
  }, 0)

const percentile =
  (share: number): Aggregate =>
  samples =>
    samples.toSorted((one, other) => one - other)[Math.ceil(share * samples.length) - 1] ?? 0

/** The functions in `fn`. There is one series, so its own extremum is that of the total. */
export const aggregates: Record<Aggregation, Aggregate> = {
  RATE: (samples, seconds) => increase(samples, seconds) / seconds,
  INCREASE: increase,
  SUM: sum,
  AVG: (samples, seconds) => sum(samples, seconds) / samples.length,
  MIN: least,
  MAX: greatest,
  MIN_TOTAL: least,
  MAX_TOTAL: greatest,
  COUNT: samples => samples.length,
  P50: percentile(0.5),
  P90: percentile(0.9),
  P99: percentile(0.99),
  LAST: samples => samples.at(-1) ?? 0,
}
