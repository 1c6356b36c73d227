/**
 * Measures what may take only so long, and prints tables. Exits with 1 if something takes longer. Without a word it
 * measures the start-up of the action and the regular expressions, and writes nothing. `start-up`, `waiting`, `scale` and
 * `emulator` measure that alone, and write it to docs/performance.md, which says what the options are for, or
 * docs/emulator.md. `--prism PATH` compares the emulator with Prism's mock.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBlock } from '../reference/generated-block.ts'
import { measureApi } from './api-figures.ts'
import { measureEmulator } from './emulator-figures.ts'
import { renderFigures, writeFigures } from './figures-table.ts'
import { benchScale } from './scale.ts'
import { drawScale, missed, renderScale } from './scale-table.ts'
import { benchStartUp } from './start-up.ts'
import { isWithin, renderStartUp } from './start-up-table.ts'
import { benchRegularExpressions, type Measured } from './time-regular-expressions.ts'
import { benchWaiting, renderWaiting } from './waiting.ts'

const docs = join(import.meta.dirname, '../../docs')
const words = ['start-up', 'waiting', 'scale', 'expressions', 'emulator']
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '30' },
    peer: { type: 'string' },
    'peer-address': { type: 'string' },
    with: { type: 'string', multiple: true },
    prism: { type: 'string' },
    previews: { type: 'string', default: '10,100,1000,10000' },
  },
})
const [word] = positionals
if (word !== undefined && !words.includes(word)) {
  throw new Error(`unknown word ${word}: expected one of ${words.join(', ')}, or none`)
}
if (word === undefined || word === 'start-up') await benchStart(word === 'start-up')
if (word === undefined || word === 'expressions') benchExpressions()
if (word === 'waiting') writeDown('waiting', renderWaiting(await benchWaiting()))
if (word === 'scale') await benchNumbers()
if (word === 'emulator') await benchEmulator()

function writeDown(name: string, block: string): void {
  process.stdout.write(`${name}\n${block}\n`)
  const file = join(docs, 'performance.md')
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, block))
}

async function benchStart(isWritten: boolean): Promise<void> {
  const peer = values.peer === undefined ? undefined : { file: values.peer, address: values['peer-address'] }
  const options = { runs: Number(values.runs), peer, with: values.with }
  const startUps = await benchStartUp(options)
  const block = renderStartUp(startUps, options)
  if (startUps.some(one => !isWithin(one, startUps))) process.exitCode = 1
  if (isWritten) writeDown('start-up', block)
  else process.stdout.write(`start-up\n${block}\n`)
}

async function benchNumbers(): Promise<void> {
  const scale = await benchScale(values.previews.split(',').map(Number), Math.min(10, Number(values.runs)))
  writeDown('scale', renderScale(scale))
  writeFileSync(join(docs, 'prune.svg'), drawScale(scale))
  for (const problem of missed(scale)) {
    process.stdout.write(`✗ ${problem}\n`)
    process.exitCode = 1
  }
}

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
  const figures = [...(await measureEmulator()), ...(await measureApi(values.prism))]
  process.stdout.write(`${renderFigures(figures)}\n`)
  await writeFigures('docs/emulator.md', figures)
}
