/** Runs many seeds and reports on them. */
import { type SeedOptions, type SeedReport, simulate } from './simulation.ts'

export interface Report {
  seeds: number
  runs: number
  /** Milliseconds of real time. */
  took: number
  faults: Map<string, number>
  stories: Map<string, number>
  /** The additions to the stories. */
  added: Map<string, number>
  /** Noteworthy events that broke no promise. */
  counted: Map<string, number>
  violations: SeedReport[]
  /** As in the world. */
  readings: Set<string>
}

export { simulate } from './simulation.ts'

export interface TallyOptions extends Pick<SeedOptions, 'like'> {
  /** Called at intervals with the number of finished seeds. */
  onProgress?: (done: number) => void
  untilViolation?: boolean
}

function add(counts: Map<string, number>, names: string[]): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
}

export async function tally(from: number, count: number, options: TallyOptions = {}): Promise<Report> {
  const { onProgress = () => {}, untilViolation = false, like } = options
  const start = performance.now()
  const report: Report = {
    seeds: 0,
    runs: 0,
    took: 0,
    faults: new Map(),
    stories: new Map(),
    added: new Map(),
    counted: new Map(),
    violations: [],
    readings: new Set(),
  }
  for (let index = 0; index < count; index++) {
    const seed = await simulate(from + index, { seen: report.faults, like })
    report.seeds += 1
    report.runs += seed.runs
    for (const reading of seed.readings) report.readings.add(reading)
    add(report.stories, [seed.story])
    add(report.added, seed.added)
    if (seed.violations.length === 0) add(report.counted, seed.counted)
    if (seed.violations.length > 0) report.violations.push(seed)
    if (untilViolation && report.violations.length > 0) break
    if (index % 500 === 0) onProgress(index)
  }
  report.took = performance.now() - start
  return report
}

function table(counts: Map<string, number>): string[] {
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `  ${name.padEnd(34)} ${String(count).padStart(8)}`)
}

export function renderReport(report: Report): string {
  const { seeds, runs, took, faults, violations } = report
  const shown = violations
    .slice(0, 10)
    .flatMap(({ seed, story, added, violations: broken }) =>
      broken.map(
        ({ invariant, detail }) =>
          `  seed ${seed} (${[story, ...added].join(', ')}): ${invariant}: ${detail}`,
      ),
    )
  const broken = new Map<string, number>()
  for (const seed of violations) add(broken, [...new Set(seed.violations.map(({ invariant }) => invariant))])
  const injected = [...faults.values()].reduce((sum, times) => sum + times, 0)
  return `${[
    `${seeds} seeds, ${runs} runs, ${injected} faults in ${(took / 1000).toFixed(1)} s`,
    'stories',
    ...table(report.stories),
    'added to them',
    ...table(report.added),
    'faults',
    ...table(faults),
    'counted',
    ...table(report.counted),
    ...(broken.size > 0 ? ['promises broken', ...table(broken)] : []),
    `${violations.length} seeds with violations`,
    ...shown,
  ].join('\n')}\n`
}
