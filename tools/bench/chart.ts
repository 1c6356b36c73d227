/** A measured point: a number of something, and the seconds that they took. */
export interface Point {
  count: number
  seconds: number
}

/** A line of a chart, with its name at its last point. */
export interface Line {
  name: string
  colour: string
  points: Point[]
}

const size = { width: 640, height: 400 }
const margin = { left: 64, right: 130, top: 24, bottom: 48 }

/** The powers of ten from the one below the least to the one above the greatest. */
function decades(values: number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)))
  const last = Math.ceil(Math.log10(Math.max(...values)))
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}

/** Places a value between two edges by its logarithm. */
const place = (all: number[], from: number, to: number) => (value: number) => {
  const [least = 1] = all
  const span = Math.log10((all.at(-1) ?? 1) / least)
  return from + ((to - from) * Math.log10(value / least)) / span
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end') =>
  `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" text-anchor="${anchor}">${words}</text>`

/** An SVG of lines over two logarithmic axes: where the cost is linear, a line rises by one decade in each. */
export function renderChart(lines: Line[], titles: { x: string; y: string }): string {
  const points = lines.flatMap(line => line.points)
  const counts = decades(points.map(({ count }) => count))
  const seconds = decades(points.map(point => point.seconds))
  const bottom = size.height - margin.bottom
  const x = place(counts, margin.left, size.width - margin.right)
  const y = place(seconds, bottom, margin.top)
  const grid = [
    ...counts.map(count => `<path class="grid" d="M${x(count).toFixed(0)} ${margin.top}V${bottom}"/>`),
    ...seconds.map(
      value => `<path class="grid" d="M${margin.left} ${y(value).toFixed(0)}H${size.width - margin.right}"/>`,
    ),
  ]
  const labels = [
    ...counts.map(count => text(x(count), bottom + 18, count.toLocaleString('en'), 'middle')),
    ...seconds.map(value => text(margin.left - 8, y(value) + 4, value.toLocaleString('en'), 'end')),
    text((margin.left + size.width - margin.right) / 2, size.height - 8, titles.x, 'middle'),
    text(8, 14, titles.y, 'start'),
  ]
  const drawn = lines.flatMap(({ name, colour, points: all }) => {
    const places = all.map(point => `${x(point.count).toFixed(1)},${y(point.seconds).toFixed(1)}`)
    const last = all.at(-1)
    return [
      `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...places.map(
        at => `<circle cx="${at.split(',')[0]}" cy="${at.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      ...(last ? [text(x(last.count) + 8, y(last.seconds) + 4, name, 'start')] : []),
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12" fill="#767676">`,
    '<title>Seconds that pruning takes, by the number of stale previews</title>',
    '<style>.grid { stroke: #8884; fill: none }</style>',
    ...grid,
    ...drawn,
    ...labels,
    '</svg>',
    '',
  ].join('\n')
}
