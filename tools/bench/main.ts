/**
 * Measures what may take only so long, and prints tables. Exits with 1 where something takes longer. Without a word it
 * measures all that is about the action; with one, that part alone: start-up, waiting, scale, expressions, or emulator.
 * What it finds is written to docs/performance.md, which says what the options are for, or to docs/emulator.md.
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

function renderLine({ name, milliseconds, limit }: Measured): string {
  const verdict = milliseconds < limit ? ' ' : '✗'
  return `${verdict} ${milliseconds.toFixed(1).padStart(7)} ms of ${limit} ms  ${name}`
}

const file = join(import.meta.dirname, '../../docs/performance.md')
const writeDown = (name: string, block: string) =>
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, block))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '30' },
    peer: { type: 'string' },
    with: { type: 'string', multiple: true },
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

async function emulator(): Promise<void> {
  const figures = [...(await measureEmulator()), ...(await measureApi())]
  process.stdout.write(`${renderFigures(figures)}\n`)
  await writeFigures('docs/emulator.md', figures)
}

const ofTheAction = { 'start-up': startUp, waiting, scale, expressions: regularExpressions }
const parts: Record<string, () => void | Promise<void>> = { ...ofTheAction, emulator }
const [word] = positionals
if (word !== undefined && !(word in parts)) {
  throw new Error(`unknown word ${word}: expected one of ${Object.keys(parts).join(', ')}, or none`)
}
for (const [name, run] of Object.entries(word === undefined ? ofTheAction : parts)) {
  if ((word ?? name) === name) await run()
}
