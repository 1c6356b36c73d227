import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { replaceBlock } from '../reference/generated-block.ts'
import type { Figure } from './emulator-figures.ts'

/** The figures as a table of Markdown, with the machine's other load. */
export function renderFigures(figures: readonly Figure[], load = loadavg()[0] ?? 0): string {
  const rows = figures.map(({ name, unit, values, limit, least: atLeast }) => {
    const [least, most] = [Math.min(...values), Math.max(...values)].map(round)
    const spread = values.length > 1 ? `${least} to ${most}` : ''
    const wanted = atLeast === undefined ? limit : `at least ${atLeast}`
    return `| ${name} | ${round(median(values))} ${unit} | ${spread} | ${wanted === undefined ? '' : `${wanted} ${unit}`} |`
  })
  return [
    '| what | median | from, to | to be reached |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Measured with ${availableParallelism()} processors, and a load of ${load.toFixed(1)} (that of the measuring included).`,
  ].join('\n')
}

/** Writes the table into the document. */
export async function writeFigures(file: string, figures: readonly Figure[]): Promise<void> {
  await writeFile(file, replaceBlock(await readFile(file, 'utf8'), 'figures', renderFigures(figures)))
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

function round(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2)
}
