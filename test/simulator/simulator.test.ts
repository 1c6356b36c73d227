/** Tests of the simulator itself. */
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run-program.ts'
import { thoroughness } from '../support/thoroughness.ts'
import { Chance } from './chance.ts'
import { existingIds } from './left-invariants.ts'
import { type Report, tally } from './report.ts'
import { simulate } from './simulation.ts'
import { listedReadings } from './watch-settings.ts'
import { projectId, World } from './world.ts'

const main = resolve(import.meta.dirname, 'main.ts')

/** The simulator as `npm run simulate` starts it. */
const command = (...options: string[]) => runNode([main, ...options]).exit

const seeds = Number(process.env.SIMULATOR_SEEDS ?? 60)

let report: Report
beforeAll(async () => {
  report = await tally(1, seeds)
})

it(`finds no broken promise in ${seeds} seeds`, () => {
  const { violations, faults, added, seeds: simulated } = report
  expect(violations.map(({ seed, violations: broken }) => ({ seed, broken }))).toEqual([])
  expect(simulated).toBe(seeds)
  // Without faults, the simulator would find no broken promise.
  expect(Math.min(...faults.values())).toBeGreaterThan(seeds / 200)
  expect(faults.size).toBeGreaterThan(25)
  expect(Math.min(...added.values())).toBeGreaterThan(seeds / 200)
  expect(added.size).toBeGreaterThan(15)
})

/** Most are defaults of settings that shared code reads. The row of create-masked-parent has its own input. */
const unlistedReadings = [
  'create-masked-parent reads maskFile',
  'create-masked-parent reads masked',
  'get-connection reads resetOn',
  'reset-preview reads maxPreviews',
  'reset-preview reads paths',
  'reset-preview reads resetOn',
]

it('finds that each operation reads the inputs of previews that list it, and no others', () => {
  const missing = listedReadings.filter(reading => !report.readings.has(reading))
  expect(
    missing,
    'read the setting, remove the operation from the row of the input, or simulate more seeds',
  ).toEqual([])
  const others = [...report.readings].filter(reading => !listedReadings.includes(reading))
  expect(others.sort(), 'add the operation to the row of the input, or the reading to the list').toEqual(
    unlistedReadings,
  )
})

it('breaks no promise on a server as slow as an observed one, with unknown and unexpected statuses', async () => {
  const slow = (lasts: number, status = 'REPAIRING') => ({ lasts, statuses: [[status, lasts] as const] })
  const changes = {
    'create-service': slow(150_000),
    'fork-service': slow(240_000),
    'start-service': slow(70_000),
    // Only its absence shows the deletion to other runs.
    'delete-service': slow(45_000, 'UNSTABLE'),
  }
  const { violations } = await tally(1, 10 * thoroughness, { like: { changes } })
  expect(violations.map(({ seed, violations: broken }) => ({ seed, broken }))).toEqual([])
  const { lines } = await simulate(10, { tracing: true, like: { changes } })
  expect(lines.join('\n')).toContain('REPAIRING')
})

it('breaks no promise on a server that shows the statuses of other work', async () => {
  const shows = (...statuses: string[]) => ({
    lasts: 60_000,
    statuses: statuses.map(status => [status, 60_000 / statuses.length] as const),
  })
  const changes = {
    'create-service': shows('UNSTABLE', 'RESUMING'),
    'fork-service': shows('PAUSING', 'OPTIMIZING'),
    'start-service': shows('QUEUED'),
    'stop-service': shows('UPGRADING'),
    'delete-service': shows('PAUSING', 'QUEUED'),
  }
  const { violations } = await tally(1, 5 * thoroughness, { like: { changes } })
  expect(violations.map(({ seed, violations: broken }) => ({ seed, broken }))).toEqual([])
})

it('counts no VPC as left once its deletion has begun', async () => {
  const world = new World([new Chance(1), new Chance(2), new Chance(3)], false)
  const given = { project_id: projectId, name: 'network', cidr: '10.0.0.0/16', region_code: 'us-east-1' }
  const vpc_id = world.call('a test', 'create-vpc', given) as string
  expect([...existingIds(world)]).toEqual([vpc_id])
  world.time.schedule(3_600_000, () => {})
  await world.time.run()
  world.call('a test', 'delete-vpc', { project_id: projectId, vpc_id })
  expect(world.read('list-vpcs', { project_id: projectId })).toMatchObject([
    { id: vpc_id, status: 'DELETING' },
  ])
  expect([...existingIds(world)]).toEqual([])
})

it('plays the same seed the same way', async () => {
  const one = await simulate(4711, { tracing: true })
  const other = await simulate(4711, { tracing: true })
  expect(one.lines.length).toBeGreaterThan(10)
  expect(other).toEqual(one)
})

describe('the command', () => {
  it('replays a seed with its timeline', async () => {
    const { code, stdout } = await command('--seed', '12')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^seed 12: /)
    expect(stdout).toMatch(/^ +\d+\.\d{3} s +\S.* starts /m)
    expect(stdout).toMatch(/no violation\n$/)
  })

  it('reports a wrong argument', async () => {
    const { code, stderr } = await command('--seeds', 'many')
    expect(code).toBe(2)
    expect(stderr).toContain('--seeds: expected a whole number, got "many"')
  })
})
