import { parseArgs } from 'node:util'
import { breakSource } from './break-source.ts'

const help = `npm run simulate -- [--seeds N] [--from SEED] | --seed SEED

  --seeds N     how many seeds to simulate (10000)
  --from SEED   the first of them (1)
  --seed SEED   replays one seed, with its timeline
  --break NAME  simulates a deliberately broken variant (test/simulator/breaks.ts), up to the first violation
`

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name}: expected a whole number, got ${JSON.stringify(text)}`)
}

/** Loaded only now: a break must be in place before the production code is. */
const load = () => import('./report.ts')

async function replay(seed: number): Promise<boolean> {
  const { simulate } = await load()
  const { story, added, lines, violations } = await simulate(seed, { tracing: true })
  process.stdout.write(`seed ${seed}: ${[story, ...added].join(', ')}\n${lines.join('\n')}\n`)
  for (const { invariant, detail } of violations) process.stdout.write(`VIOLATED: ${invariant} (${detail})\n`)
  if (violations.length === 0) process.stdout.write('no violation\n')
  return violations.length === 0
}

async function simulateMany(from: number, count: number, untilViolation: boolean): Promise<boolean> {
  const { tally, renderReport } = await load()
  const { stderr } = process
  const onProgress = (done: number) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${count} seeds`)
  }
  const report = await tally(from, count, { onProgress, untilViolation })
  if (stderr.isTTY) stderr.write('\r\u001b[K')
  process.stdout.write(renderReport(report))
  return report.violations.length === 0
}

async function main(): Promise<boolean> {
  const string = { type: 'string' } as const
  const options = {
    seeds: string,
    from: string,
    seed: string,
    break: string,
    help: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(help)
    return true
  }
  if (values.break !== undefined) breakSource(values.break)
  if (values.seed !== undefined) return await replay(whole('seed', values.seed))
  return await simulateMany(
    whole('from', values.from ?? '1'),
    whole('seeds', values.seeds ?? '10000'),
    values.break !== undefined,
  )
}

// `| head` closes the pipe when it has seen enough.
process.stdout.on('error', () => process.exit())

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${help}`)
  process.exitCode = 2
}
