/** Renders the results of benchmarks. */
import { cpus, loadavg, totalmem } from 'node:os'

/** The result of a benchmark: the block of its document, and the exceeded limits, a sentence each. */
export interface Report {
  text: string
  missed: string[]
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? Number.NaN) + (sorted[sorted.length - 1 - middle] ?? Number.NaN)) / 2
}

/** One quantity as a multiple of another. */
export const times = (one: number, other: number) => `${(one / other).toFixed(2)} ×`

/** The machine, with its other load. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const machine = `${cpus().length} × ${model}, ${Math.round(totalmem() / 1024 ** 3)} GiB of memory`
  const system = `${process.platform} ${process.arch}, Node.js ${process.version}`
  return `${machine}, ${system}, load ${loadavg()[0]?.toFixed(1)}`
}
