import { cpus, loadavg, totalmem } from 'node:os'
import type { StartUp, StartUpOptions } from './start-up.ts'

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2)

/** Whether a program keeps its limits of time. A limit that refers to a row that was not measured is ignored. */
export function isWithin({ median, limits = [] }: StartUp, all: StartUp[]): boolean {
  return limits.every(({ times, of }) => {
    const reference = all.find(({ name }) => name === of)
    return reference === undefined || median.wall <= times * reference.median.wall
  })
}

function renderRow(row: StartUp, all: StartUp[]): string {
  const [empty, bare] = all
  const times = (of: StartUp | undefined) =>
    `${(row.median.wall / (of?.median.wall ?? Number.NaN)).toFixed(2)} ×`
  const { wall, processor, memory } = row.median
  const short = (name: string) => (name === empty?.name ? 'empty' : name === bare?.name ? 'bare' : name)
  const limits = (row.limits ?? []).filter(({ of }) => all.some(({ name }) => name === of))
  const limit = limits.map(({ times, of }) => `${times} × ${short(of)}`).join(', ')
  const cells = [
    ...[row.name, wall.toFixed(0), processor.toFixed(0), times(empty), times(bare)],
    ...[limit, String(mebibytes(memory))],
  ]
  return `| ${cells.join(' | ')} |`
}

/** The block of docs/performance.md: where it was measured, and a table. */
export function renderStartUp(all: StartUp[], { runs }: StartUpOptions): string {
  const [processor] = cpus()
  const machine = [
    `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`,
    `${process.platform} ${process.arch}`,
    `Node.js ${process.version}`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ]
  return [
    '',
    `Measured on ${machine.join(', ')}; medians of ${runs} runs.`,
    '',
    '| program | ms | ms of processor | to empty | to bare | limit | MiB at most |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...all.map(row => renderRow(row, all)),
    '',
  ].join('\n')
}
