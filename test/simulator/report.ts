import { type SeedReport, simulate } from './simulation.ts'

/** What came of many seeds. */
export interface Report {
  seeds: number
  runs: number
  /** Milliseconds of real time. */
  took: number
  faults: Map<string, number>
  stories: Map<string, number>
  /** The seeds that broke a promise. */
  violations: SeedReport[]
}

export { simulate } from './simulation.ts'

export interface TallyOptions {
  /** Told now and then how many seeds are done. */
  onProgress?: (done: number) => void
  /** Stops after the first seed that breaks a promise. */
  untilViolation?: boolean
}

/** Simulates seeds one after the other. */
export async function tally(from: number, count: number, options: TallyOptions = {}): Promise<Report> {
  const { onProgress = () => {}, untilViolation = false } = options
  const start = performance.now()
  const report: Report = {
    seeds: 0,
    runs: 0,
    took: 0,
    faults: new Map(),
    stories: new Map(),
    violations: [],
  }
  for (let index = 0; index < count; index++) {
    const seed = await simulate(from + index, { seen: report.faults })
    report.seeds += 1
    report.runs += seed.runs
    report.stories.set(seed.story, (report.stories.get(seed.story) ?? 0) + 1)
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

/** The report as people read it. */
export function renderReport({ seeds, runs, took, faults, stories, violations }: Report): string {
  const shown = violations
    .slice(0, 10)
    .flatMap(({ seed, story, violations: broken }) =>
      broken.map(({ invariant, detail }) => `  seed ${seed} (${story}): ${invariant}: ${detail}`),
    )
  const injected = [...faults.values()].reduce((sum, count) => sum + count, 0)
  return `${[
    `${seeds} seeds, ${runs} runs, ${injected} faults in ${(took / 1000).toFixed(1)} s`,
    'stories',
    ...table(stories),
    'faults',
    ...table(faults),
    `${violations.length} seeds with violations`,
    ...shown,
  ].join('\n')}\n`
}
