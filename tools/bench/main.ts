/**
 * Measures what may take only so long, and prints tables. Exits with 1 where something takes longer. The start-up of
 * the action is written to docs/performance.md as well, which says what the options are for.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBlock } from '../reference/generated-block.ts'
import { benchStartUp } from './start-up.ts'
import { isWithin, renderStartUp } from './start-up-table.ts'
import { benchRegularExpressions, type Measured } from './time-regular-expressions.ts'
import { benchWaiting, renderWaiting } from './waiting.ts'

function renderLine({ name, milliseconds, limit }: Measured): string {
  const verdict = milliseconds < limit ? ' ' : '✗'
  return `${verdict} ${milliseconds.toFixed(1).padStart(7)} ms of ${limit} ms  ${name}`
}

const file = join(import.meta.dirname, '../../docs/performance.md')
const writeDown = (name: string, block: string) =>
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, block))

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '30' },
    peer: { type: 'string' },
    with: { type: 'string', multiple: true },
  },
})

const options = { runs: Number(values.runs), peer: values.peer, with: values.with }
const startUps = await benchStartUp(options)
const block = renderStartUp(startUps, options)
process.stdout.write(`start-up\n${block}\n`)
if (startUps.some(one => !isWithin(one, startUps))) process.exitCode = 1
writeDown('start-up', block)

const waiting = renderWaiting(await benchWaiting())
process.stdout.write(`waiting\n${waiting}\n`)
writeDown('waiting', waiting)

process.stdout.write('regular expressions, each with the worst of its hostile texts of 1 MiB\n')
const measured = benchRegularExpressions().sort((one, other) => other.milliseconds - one.milliseconds)
for (const one of measured) process.stdout.write(`${renderLine(one)}\n`)
if (measured.some(({ milliseconds, limit }) => milliseconds >= limit)) process.exitCode = 1
