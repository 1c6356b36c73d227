/**
 * Measures what may take only so long, and prints a table. `expressions` exits with 1 where one takes longer;
 * `emulator` also writes its figures into docs/emulator.md. Without a word it does both.
 */
import { measureApi } from './api-figures.ts'
import { measureEmulator } from './emulator-figures.ts'
import { renderFigures, writeFigures } from './figures-table.ts'
import { benchRegularExpressions, type Measured } from './time-regular-expressions.ts'

const [wanted] = process.argv.slice(2)
if (wanted === undefined || wanted === 'expressions') benchExpressions()
if (wanted === undefined || wanted === 'emulator') await benchEmulator()

function benchExpressions(): void {
  process.stdout.write('regular expressions, each with the worst of its hostile texts of 1 MiB\n')
  const measured = benchRegularExpressions().sort((one, other) => other.milliseconds - one.milliseconds)
  for (const one of measured) process.stdout.write(`${renderLine(one)}\n`)
  if (measured.some(({ milliseconds, limit }) => milliseconds >= limit)) process.exitCode = 1
}

function renderLine({ name, milliseconds, limit }: Measured): string {
  const verdict = milliseconds < limit ? ' ' : '✗'
  return `${verdict} ${milliseconds.toFixed(1).padStart(7)} ms of ${limit} ms  ${name}`
}

async function benchEmulator(): Promise<void> {
  const figures = [...(await measureEmulator()), ...(await measureApi())]
  process.stdout.write(`${renderFigures(figures)}\n`)
  await writeFigures('docs/emulator.md', figures)
}
