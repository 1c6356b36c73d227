/** The command that runs the simulator. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Profile, parseProfile } from '../../emulator/store/progress/profile.ts'
import { loadBroken } from './break-source.ts'
import { breaks } from './breaks.ts'
import type { TallyOptions } from './report.ts'

/** The seed and the broken promise that reveal a variant. */
interface Found {
  seed: number
  promise: string
}

/** The most seeds to try for a variant. */
const mostSeeds = 1000

const file = resolve(import.meta.dirname, 'break-seeds.json')

/** The seeds that revealed variants before. They are tried first; stale ones only cost time. */
const readKnownSeeds = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>

const writeKnownSeeds = (seeds: Record<string, number>) =>
  writeFileSync(file, `${JSON.stringify(seeds, undefined, 2)}\n`)

/** Finds a seed at which a variant breaks one of its promises; undefined if there is none. */
async function findBreak(name: string, known: number | undefined): Promise<Found | undefined> {
  const { simulate } = await loadBroken(name)
  const promises = breaks[name]?.promises ?? []
  const all = Array.from({ length: mostSeeds }, (_, index) => index + 1)
  for (const seed of known === undefined ? all : [known, ...all]) {
    const { violations } = await simulate(seed)
    const promise = violations.find(({ invariant }) => promises.includes(invariant))?.invariant
    if (promise !== undefined) return { seed, promise }
  }
  return undefined
}

const help = `npm run simulate -- [--seeds N] [--from SEED] | --seed SEED | --breaks

  --seeds N     number of seeds (10000)
  --from SEED   first seed (1)
  --seed SEED   replays one seed, with its timeline
  --break NAME  simulates a deliberately broken variant (test/simulator/breaks.ts), up to the first violation
  --breaks      prints the seed and promise that reveal each broken variant
  --like FILE   the server has the times and statuses in the profile.json of npm run live
  --remember    stores those seeds, which --breaks tries first (test/simulator/break-seeds.json)
`

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name}: expected a whole number, got ${JSON.stringify(text)}`)
}

type Simulator = Awaited<ReturnType<typeof loadBroken>>

async function replay({ simulate }: Simulator, seed: number, like: Profile | undefined): Promise<boolean> {
  const { story, added, lines, violations } = await simulate(seed, { tracing: true, like })
  process.stdout.write(`seed ${seed}: ${[story, ...added].join(', ')}\n${lines.join('\n')}\n`)
  for (const { invariant, detail } of violations) process.stdout.write(`VIOLATED: ${invariant} (${detail})\n`)
  if (violations.length === 0) process.stdout.write('no violation\n')
  return violations.length === 0
}

async function simulateMany(
  { tally, renderReport }: Simulator,
  from: number,
  count: number,
  options: TallyOptions,
): Promise<boolean> {
  const { stderr } = process
  const onProgress = (done: number) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${count} seeds`)
  }
  const report = await tally(from, count, { ...options, onProgress })
  if (stderr.isTTY) stderr.write('\r\u001b[K')
  process.stdout.write(renderReport(report))
  return report.violations.length === 0
}

/** Prints each broken variant with the seed and promise that reveal it. */
async function findBreaks(remember: boolean): Promise<boolean> {
  const known = readKnownSeeds()
  const seeds: Record<string, number> = {}
  const names = Object.keys(breaks)
  for (const name of names) {
    const found = await findBreak(name, known[name]).catch((error: Error) => error.message)
    if (typeof found === 'object') seeds[name] = found.seed
    const how = typeof found === 'object' ? `seed ${found.seed}: ${found.promise}` : (found ?? 'not found')
    process.stdout.write(`${name} | ${how}\n`)
  }
  if (remember) writeKnownSeeds(seeds)
  return Object.keys(seeds).length === names.length
}

async function main(): Promise<boolean> {
  const string = { type: 'string' } as const
  const boolean = { type: 'boolean' } as const
  const options = {
    seeds: string,
    from: string,
    seed: string,
    break: string,
    breaks: boolean,
    like: string,
    remember: boolean,
    help: boolean,
  } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(help)
    return true
  }
  if (values.breaks) return await findBreaks(values.remember ?? false)
  const simulator = values.break === undefined ? await import('./report.ts') : await loadBroken(values.break)
  const like = values.like === undefined ? undefined : parseProfile(readFileSync(values.like, 'utf8'))
  if (values.seed !== undefined) return await replay(simulator, whole('seed', values.seed), like)
  const from = whole('from', values.from ?? '1')
  const count = whole('seeds', values.seeds ?? '10000')
  return await simulateMany(simulator, from, count, { untilViolation: values.break !== undefined, like })
}

// `| head` closes the pipe early.
process.stdout.on('error', () => process.exit())

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${help}`)
  process.exitCode = 2
}
