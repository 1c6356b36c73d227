/** Compares policies for waiting, in virtual time. */
import { endpoints } from '#api/endpoints'
import { clientOf } from '#client/client'
import { TimelineRecorder } from '#operations/base/timeline'
import { waitUntilSettled } from '#operations/wait/settled'
import { type Report, renderTable } from './report.ts'

/**
 * The result of a policy, in seconds. The delay is the time from READY to the check that finds it: mean, share of the
 * ready time, and 95th percentile. The checks are counted: mean, and for a database that is ready after 600 s.
 */
export interface Waiting {
  name: string
  late: { mean: number; relative: number; p95: number }
  calls: { mean: number; at600: number }
}

/** The times of all checks of a service that is ready after this time; the last one finds it. */
type Policy = (ready: number, random: () => number) => Promise<number[]>

const range = { from: 20, to: 600 }

/** A generator of pseudorandom numbers that are the same in every run (mulberry32). */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The wait of a step itself, in virtual time, for a fork that is QUEUED for this time. */
const actionPolicy =
  (queued: number): Policy =>
  async (ready, random) => {
    const checks: number[] = []
    let now = 0
    const sleep = async (milliseconds: number) => {
      now += milliseconds
    }
    const unused = () => {
      throw new Error('a wait does not use this')
    }
    const seam = { now: () => now, date: () => now, random, sleep, after: unused, send: unused }
    const statusNow = () => {
      if (now >= ready * 1000) return 'READY'
      return now < queued * 1000 ? 'QUEUED' : 'CONFIGURING'
    }
    const call = async () => {
      checks.push(now / 1000)
      return { service_id: 's1', status: statusNow(), endpoint: { host: 'h', port: 5432 } }
    }
    const silent = { info() {}, warning() {}, notice() {}, debug() {} }
    const context = {
      seam,
      client: clientOf(call, seam.date),
      log: silent,
      signal: new AbortController().signal,
      deadline: 1_800_000,
      timeline: new TimelineRecorder(seam),
      settings: { listLag: 10_000 },
    }
    await waitUntilSettled(context, {
      goal: endpoints['fork-service'].goal,
      ids: { project_id: 'p1', service_id: 's1' },
      isNew: true,
    })
    return checks
  }

/** A policy defined only by its pauses. */
const pausing =
  (pause: (count: number) => number): Policy =>
  async ready => {
    const checks: number[] = []
    for (let now = pause(0); ; now += pause(checks.length)) {
      checks.push(now)
      if (now >= ready) return checks
    }
  }

const doubling = (most: number) => pausing(count => Math.min(most, 2 ** count))

const policies: Record<string, Policy> = {
  'this action': actionPolicy(2),
  'this action, the first half minute QUEUED': (ready, random) =>
    actionPolicy(Math.min(30, ready / 2))(ready, random),
  'every second': pausing(() => 1),
  'after 30 s, then every 15 s': pausing(count => (count === 0 ? 30 : 15)),
  'doubling from 1 s to 120 s': doubling(120),
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

async function measure(name: string, policy: Policy, samples: number): Promise<Waiting> {
  const random = createRandom()
  const lates: number[] = []
  const relative: number[] = []
  const calls: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    // Log-uniform, and spread evenly.
    const ready = range.from * (range.to / range.from) ** ((sample + random()) / samples)
    const checks = await policy(ready, random)
    const late = (checks.at(-1) ?? Number.NaN) - ready
    lates.push(late)
    relative.push(late / ready)
    calls.push(checks.length)
  }
  const longest = await Promise.all(Array.from({ length: 50 }, () => policy(range.to, random)))
  const p95 = lates.toSorted((one, other) => one - other)[Math.floor(samples * 0.95)] ?? Number.NaN
  return {
    name,
    late: { mean: mean(lates), relative: mean(relative), p95 },
    calls: { mean: mean(calls), at600: Math.max(...longest.map(checks => checks.length)) },
  }
}

/** The cost and the delay of each policy over samples of the ready time; virtual time makes them the same everywhere. */
export async function measurePolicies(samples = 2000): Promise<Waiting[]> {
  const all: Waiting[] = []
  for (const [name, policy] of Object.entries(policies)) all.push(await measure(name, policy, samples))
  return all
}

export async function benchWaiting(): Promise<Report> {
  const head = [
    'policy',
    's late, mean',
    'of the ready time',
    's late, 95 of 100',
    'calls, mean',
    'calls at 600 s',
  ]
  const rows = (await measurePolicies()).map(({ name, late, calls }) => [
    ...[name, late.mean.toFixed(1), `${(late.relative * 100).toFixed(1)} %`, late.p95.toFixed(1)],
    ...[calls.mean.toFixed(0), String(calls.at600)],
  ])
  return { lines: renderTable(head, rows), missed: [] }
}
