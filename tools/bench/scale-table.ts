import { type Line, renderChart } from './chart.ts'
import type { Scale } from './scale.ts'

const mebibytes = (bytes: number) => String(Math.round(bytes / 1024 ** 2))
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)

/** How many times as fast as pruning one after the other a sweep was. */
const gain = ({ oneByOne }: Scale, { previews, wall }: Scale['sweeps'][number]) =>
  (previews * oneByOne) / wall

/** The limits that the measurements miss. */
export function missed(scale: Scale): string[] {
  const { finding, sweeps, waiting } = scale
  const thousand = sweeps.find(({ previews }) => previews === 1000)
  return [
    ...(finding.look > 1.2 * finding.bare ? ['finding a preview takes more than 1.2 × the bare script'] : []),
    ...(finding.memory > 200e6 ? ['finding a preview takes more than 200 MB'] : []),
    ...(thousand && gain(scale, thousand) < 8 ? ['prune is less than 8 × as fast as one at a time'] : []),
    ...(waiting.step > 1.3 * waiting.bare ? ['a waiting step takes more than 1.3 × the bare script'] : []),
  ]
}

/** The block of docs/performance.md. */
export function renderScale(scale: Scale): string {
  const { latency, oneByOne, sweeps, finding, waiting } = scale
  const rows = sweeps.map(one => {
    const api = (one.requests['GET service'] ?? 0) + (one.requests['DELETE service'] ?? 0)
    const cells = [
      one.previews.toLocaleString('en'),
      seconds(one.wall),
      seconds(one.previews * oneByOne),
      `${gain(scale, one).toFixed(1)} ×`,
      String(api),
      String(one.requests.list ?? 0),
      String(one.requests.GitHub ?? 0),
      mebibytes(one.memory),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const ratio = (finding.look / finding.bare).toFixed(2)
  return [
    '',
    `Prune, each request answered after ${latency} ms; *one by one* is what a sweep of one preview takes, times their number:`,
    '',
    '| stale previews | s | s one by one | gain | requests for services | lists | requests to GitHub | MiB at most |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `A preview among ${finding.services.toLocaleString('en')} services: \`create-preview\` takes ${finding.look.toFixed(0)} ms more for each list than in a project of one service, a bare script that receives and parses it ${finding.bare.toFixed(0)} ms (${ratio} ×, limit 1.2 ×). The step has ${mebibytes(finding.memory)} MiB at most (limit 190).`,
    '',
    `A step that waits has ${mebibytes(waiting.step)} MiB at most, a bare script that does ${mebibytes(waiting.bare)} (${(waiting.step / waiting.bare).toFixed(2)} ×, limit 1.3 ×).`,
    '',
  ].join('\n')
}

/** The chart of the sweeps. */
export function drawScale({ sweeps, oneByOne }: Scale): string {
  const lines: Line[] = [
    {
      name: 'one by one',
      colour: '#b35900',
      points: sweeps.map(({ previews }) => ({ count: previews, seconds: (previews * oneByOne) / 1000 })),
    },
    {
      name: 'prune-previews',
      colour: '#1f6feb',
      points: sweeps.map(({ previews, wall }) => ({ count: previews, seconds: wall / 1000 })),
    },
  ]
  return renderChart(lines, { x: 'stale previews', y: 'seconds' })
}
