import { parseArgs } from 'node:util'
import { renderReport, tally } from './report.ts'
import { simulate } from './simulation.ts'

const help = `npm run simulate -- [--seeds N] [--from SEED] | --seed SEED

  --seeds N     how many seeds to simulate (10000)
  --from SEED   the first of them (1)
  --seed SEED   replays one seed, with its timeline
`

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name}: expected a whole number, got ${JSON.stringify(text)}`)
}

async function replay(seed: number): Promise<boolean> {
  const { story, lines, violations } = await simulate(seed, { tracing: true })
  process.stdout.write(`seed ${seed}: ${story}\n${lines.join('\n')}\n`)
  for (const { invariant, detail } of violations) process.stdout.write(`VIOLATED: ${invariant} (${detail})\n`)
  if (violations.length === 0) process.stdout.write('no violation\n')
  return violations.length === 0
}

async function simulateMany(from: number, count: number): Promise<boolean> {
  const { stderr } = process
  const report = await tally(from, count, done => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${count} seeds`)
  })
  if (stderr.isTTY) stderr.write('\r\u001b[K')
  process.stdout.write(renderReport(report))
  return report.violations.length === 0
}

async function main(): Promise<boolean> {
  const string = { type: 'string' } as const
  const options = { seeds: string, from: string, seed: string, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(help)
    return true
  }
  if (values.seed !== undefined) return await replay(whole('seed', values.seed))
  return await simulateMany(whole('from', values.from ?? '1'), whole('seeds', values.seeds ?? '10000'))
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${help}`)
  process.exitCode = 2
}
