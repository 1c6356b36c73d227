/**
 * Measures what may take only so long, and prints tables. Exits with 1 where something takes longer. What is about the
 * action is written to docs/performance.md as well, which says what the options are for.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBlock } from '../reference/generated-block.ts'
import { benchScale } from './scale.ts'
import { drawScale, missed, renderScale } from './scale-table.ts'
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
    only: { type: 'string' },
    previews: { type: 'string', default: '10,100,1000,10000' },
  },
})

const options = { runs: Number(values.runs), peer: values.peer, with: values.with }

async function startUp(): Promise<void> {
  const startUps = await benchStartUp(options)
  const block = renderStartUp(startUps, options)
  process.stdout.write(`start-up\n${block}\n`)
  if (startUps.some(one => !isWithin(one, startUps))) process.exitCode = 1
  writeDown('start-up', block)
}

async function waiting(): Promise<void> {
  const block = renderWaiting(await benchWaiting())
  process.stdout.write(`waiting\n${block}\n`)
  writeDown('waiting', block)
}

async function scale(): Promise<void> {
  const measured = await benchScale(values.previews.split(',').map(Number), Math.min(10, options.runs))
  const block = renderScale(measured)
  process.stdout.write(`scale\n${block}\n`)
  for (const problem of missed(measured)) {
    process.stdout.write(`✗ ${problem}\n`)
    process.exitCode = 1
  }
  writeDown('scale', block)
  writeFileSync(join(import.meta.dirname, '../../docs/prune.svg'), drawScale(measured))
}

function regularExpressions(): void {
  process.stdout.write('regular expressions, each with the worst of its hostile texts of 1 MiB\n')
  const measured = benchRegularExpressions().sort((one, other) => other.milliseconds - one.milliseconds)
  for (const one of measured) process.stdout.write(`${renderLine(one)}\n`)
  if (measured.some(({ milliseconds, limit }) => milliseconds >= limit)) process.exitCode = 1
}

const parts: Record<string, () => void | Promise<void>> = {
  'start-up': startUp,
  waiting,
  scale,
  'regular-expressions': regularExpressions,
}
for (const [name, run] of Object.entries(parts)) if ((values.only ?? name) === name) await run()
