import { renderRepetitions, runExpression } from './hostile-repetitions.ts'
import { type FoundExpression, findBundledExpressions } from './regular-expressions.ts'

/** The result of a benchmark, as a line of a table. */
export interface Measured {
  name: string
  milliseconds: number
  limit: number
}

/** Milliseconds that 1 MiB of hostile text may take. */
const limit = 50
const largest = 1024 * 1024

/** Short texts come first: an expression that is slow on them would take hours on the longest. */
const lengths = [largest / 256, largest / 16, largest]

function measureOnce(expression: RegExp, text: string): number {
  // The processor time of this thread: what other processes do meanwhile does not count.
  const start = process.threadCpuUsage()
  runExpression(expression, text)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/**
 * Measures up to nine more times if the first result is too slow, because a garbage collection may have fallen into it.
 */
function measureText(expression: RegExp, text: string): number {
  // The engine builds a repeated text only when it is first read: that must not be measured.
  text.charCodeAt(text.length / 2)
  let best = measureOnce(expression, text)
  for (let tries = 1; best >= limit && tries < 10; tries++)
    best = Math.min(best, measureOnce(expression, text))
  return best
}

function measure({ file, line, expression }: FoundExpression): Measured {
  let milliseconds = 0
  for (const length of lengths) {
    for (const text of renderRepetitions(expression, length)) {
      milliseconds = Math.max(milliseconds, measureText(expression, text))
      if (milliseconds >= limit) break
    }
    if (milliseconds >= limit) break
  }
  return { name: `${file}:${line} ${expression}`, milliseconds, limit }
}

/** How long each expression that goes into dist takes for the worst of its hostile texts. */
export function benchRegularExpressions(): Measured[] {
  return findBundledExpressions().map(measure)
}
