/** Compares policies for waiting, in virtual time. */
import { endpoints } from '#api/endpoints'
import { clientOf } from '#client/client'
import { TimelineRecorder } from '#operations/base/timeline'
import { waitUntilSettled } from '#operations/wait/settled'
import { renderTable } from '../reference/documents.ts'
import type { Report } from './report.ts'

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

/** Numbers between 0 and 1, spread evenly by the golden ratio, the same in every run. */
function createRandom(): () => number {
  let count = 0
  return () => (++count * 0.618_033_988_75) % 1
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
    const call = async () => {
      checks.push(now / 1000)
      const during = now < queued * 1000 ? 'QUEUED' : 'CONFIGURING'
      const status = now >= ready * 1000 ? 'READY' : during
      return { service_id: 's1', status, endpoint: { host: 'h', port: 5432 } }
    }
    const context = {
      seam,
      client: clientOf(call, seam.date),
      log: { info() {}, warning() {}, notice() {}, debug() {} },
      signal: new AbortController().signal,
      deadline: 1_800_000,
      timeline: new TimelineRecorder(seam),
      settings: { listLag: 10_000 },
    }
    const { goal } = endpoints['fork-service']
    await waitUntilSettled(context, { goal, ids: { project_id: 'p1', service_id: 's1' }, isNew: true })
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

const policies: Record<string, Policy> = {
  'this action': actionPolicy(2),
  'this action, the first half minute QUEUED': (ready, random) =>
    actionPolicy(Math.min(30, ready / 2))(ready, random),
  'every second': pausing(() => 1),
  'after 30 s, then every 15 s': pausing(count => (count === 0 ? 30 : 15)),
  'doubling from 1 s to 120 s': pausing(count => Math.min(120, 2 ** count)),
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

async function measure(name: string, policy: Policy, samples: number): Promise<Waiting> {
  const random = createRandom()
  const all: { late: number; relative: number; calls: number }[] = []
  for (let sample = 0; sample < samples; sample++) {
    // Log-uniform, and spread evenly.
    const ready = range.from * (range.to / range.from) ** ((sample + random()) / samples)
    const checks = await policy(ready, random)
    const late = (checks.at(-1) ?? Number.NaN) - ready
    all.push({ late, relative: late / ready, calls: checks.length })
  }
  const longest = await Promise.all(Array.from({ length: 50 }, () => policy(range.to, random)))
  const late = all.map(one => one.late).sort((one, other) => one - other)
  const p95 = late[Math.floor(samples * 0.95)] ?? Number.NaN
  return {
    name,
    late: { mean: mean(late), relative: mean(all.map(one => one.relative)), p95 },
    calls: {
      mean: mean(all.map(one => one.calls)),
      at600: Math.max(...longest.map(checks => checks.length)),
    },
  }
}

/** The cost and the delay of each policy over samples of the ready time; virtual time makes them the same everywhere. */
export const measurePolicies = (samples = 2000): Promise<Waiting[]> =>
  Promise.all(Object.entries(policies).map(([name, policy]) => measure(name, policy, samples)))

export async function benchWaiting(): Promise<Report> {
  const delays = ['s late, mean', 'of the ready time', 's late, 95 of 100']
  const head = ['policy', ...delays, 'calls, mean', 'calls at 600 s']
  const rows = (await measurePolicies()).map(({ name, late, calls }) => [
    ...[name, late.mean.toFixed(1), `${(late.relative * 100).toFixed(1)} %`, late.p95.toFixed(1)],
    ...[calls.mean.toFixed(0), String(calls.at600)],
  ])
  return { text: renderTable(head, rows, true), missed: [] }
}
