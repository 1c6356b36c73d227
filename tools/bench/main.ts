/** Measures what may take only so long, and prints a table. Exits with 1 where something takes longer. */
import { benchRegularExpressions, type Measured } from './time-regular-expressions.ts'

const benches: Record<string, () => Measured[]> = {
  'regular expressions, each with the worst of its hostile texts of 1 MiB': benchRegularExpressions,
}

function renderLine({ name, milliseconds, limit }: Measured): string {
  const verdict = milliseconds < limit ? ' ' : '✗'
  return `${verdict} ${milliseconds.toFixed(1).padStart(7)} ms of ${limit} ms  ${name}`
}

for (const [title, bench] of Object.entries(benches)) {
  process.stdout.write(`${title}\n`)
  const measured = bench().sort((one, other) => other.milliseconds - one.milliseconds)
  for (const one of measured) process.stdout.write(`${renderLine(one)}\n`)
  if (measured.some(({ milliseconds, limit }) => milliseconds >= limit)) process.exitCode = 1
}
