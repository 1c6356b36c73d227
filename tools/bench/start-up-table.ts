import { cpus, loadavg, totalmem } from 'node:os'
import type { StartUp, StartUpOptions } from './start-up.ts'

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2)

/** Whether it keeps its limit, by the clock. */
export function isWithin({ median, limit }: StartUp, all: StartUp[]): boolean {
  const reference = all.find(({ name }) => name === limit?.of)
  return limit === undefined || reference === undefined || median.wall <= limit.times * reference.median.wall
}

function renderRow(row: StartUp, all: StartUp[]): string {
  const [empty, bare] = all
  const times = (of: StartUp | undefined) =>
    `${(row.median.wall / (of?.median.wall ?? Number.NaN)).toFixed(2)} ×`
  const { wall, processor, memory } = row.median
  const limit =
    row.limit === undefined ? '' : `${row.limit.times} × ${row.limit.of === empty?.name ? 'empty' : 'bare'}`
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
