/** Tests interrupted runs against a live server. */
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Seam } from '#base/seam'
import { createRealSeam } from '#client/network/real-seam'
import type { FaultHook } from '../../../emulator/http/faults/faults.ts'
import { type Emulator, startEmulator } from '../../../emulator/http/server.ts'
import { live } from '../../../tools/live/live.ts'
import { toProfile } from '../../../tools/live/report/report.ts'
import type { LiveOptions } from '../../../tools/live/walk/tour.ts'
import { answer } from '../../support/api-faults.ts'
import { runNode } from '../../support/run-program.ts'
import { endSeamWithProcess } from '../../support/simulated-process.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { useWorkspace } from '../../support/workspace.ts'

let emulator: Emulator
const folder = useWorkspace()
/** Called for each answered request. */
let onRequest: (operation: string | undefined) => void = () => {}
let faults: FaultHook = () => undefined

const timing = { readyAfter: 20, changeAfter: 20, deleteAfter: 10, vpcBusyFor: 20, snapshotAfter: 0 }
/** Others' services, and names that are nearly those of this tool. */
const strangers = ['live-check-main', 'live-check-abcdefgh-mains', 'a-live-check-abcdefgh-main', 'production']

beforeEach(async () => {
  emulator = await startEmulator({
    ...timing,
    // With one more than three at a time, a request would be refused.
    maxServices: strangers.length + 4,
    faults: request => faults(request),
    onRequest: ({ operation }) => onRequest(operation),
  })
  const project_id = emulator.store.project.id
  for (const name of strangers) emulator.store.call('create-service', { project_id, name })
})
afterEach(async () => {
  onRequest = () => {}
  faults = () => undefined
  await emulator.stop()
})

const options = (given: Partial<LiveOptions> = {}): LiveOptions => ({
  ...{ seam: createRealSeam(), baseUrl: emulator.baseUrl, credentials: emulator.keys },
  ...{ signal: new AbortController().signal, besideProduction: false, withDatabases: false },
  ...{ onlyClean: false, every: 3, say() {}, ...given },
})

/** The names of all that there is. */
function names(): (string | undefined)[] {
  const { store } = emulator
  const project_id = store.project.id
  return (store.call('list-services', { project_id }).body as { name?: string }[]).map(one => one.name)
}

/** After how many answers to which request; most of them are tried each night. */
const allMoments: [operation: string, count: number][] = [
  ['create-service', 1],
  ['set-environment', 1],
  ['create-replica', 1],
  ['fork-service', 1],
  ['fork-service', 2],
  ['delete-service', 1],
  ['stop-service', 1],
  ['fork-service', 4],
  ['set-ha', 1],
  ['enable-replica-pooler', 1],
  ['delete-service', 5],
]

const moments = allMoments.filter((_, index) => thoroughness > 1 || index % 3 === 0)

/** Runs `act` when a request was answered so many times, before the answer is back. */
function at([operation, count]: (typeof moments)[number], act: () => void): void {
  let seen = 0
  onRequest = one => {
    if (one === operation && ++seen === count) act()
  }
}

describe('a killed run', () => {
  it.each(moments)('at %s, number %i: the next one deletes its records, and no others', async (...moment) => {
    const over = new AbortController()
    const killed = new Promise<void>(done => over.signal.addEventListener('abort', () => done()))
    at(moment, () => over.abort())
    // As when the process is killed: nothing more is sent, and nothing goes on.
    void live(options({ seam: endSeamWithProcess(createRealSeam(), over.signal) }))
    await killed
    onRequest = () => {}
    expect(await live(options({ onlyClean: true }))).toMatchObject({ left: [] })
    expect(names()).toEqual(strangers)
  })
})

describe('an interrupted run', () => {
  it.each(moments.slice(0, thoroughness > 1 ? 6 : 2))(
    'at %s, number %i: it deletes its own records',
    async (...moment) => {
      const end = new AbortController()
      at(moment, () => end.abort(new Error('enough')))
      const { left, findings } = await live(options({ signal: end.signal }))
      expect({ left, skipped: findings.skipped }).toMatchObject({
        left: [],
        skipped: expect.arrayContaining(['the rest: the walk was ended']),
      })
      expect(names()).toEqual(strangers)
    },
  )
})

/** For some polls, neither lists nor reads show the new record. */
function lagging(seam: Seam, looks: number): Seam {
  let left = 0
  return {
    ...seam,
    async send(request) {
      const response = await seam.send(request)
      if (request.method === 'POST' && /services$|forkService$/.test(request.url)) left = looks
      if (request.method !== 'GET' || !/services(?:\/\w+)?$/.test(request.url) || left-- <= 0) return response
      if (/services$/.test(request.url)) return { ...response, body: '[]' }
      return { ...response, status: 404, body: JSON.stringify({ code: 'NOT_FOUND', message: 'not yet' }) }
    },
  }
}

describe('an interrupted run, on a server', () => {
  it('with lagging lists: it waits for the new record, and deletes it', async () => {
    const end = new AbortController()
    at(['create-service', 1], () => end.abort(new Error('enough')))
    const seam = lagging(createRealSeam(), 6)
    expect(await live(options({ signal: end.signal, seam, every: 50 }))).toMatchObject({ left: [] })
    expect(names()).toEqual(strangers)
  })

  it('with unreachable databases: it continues without them', async () => {
    const { left, findings } = await live(options({ withDatabases: true, every: 2 }))
    expect(left).toEqual([])
    expect([...findings.differences.keys()]).toEqual([expect.stringMatching(/^a new service: no session: /)])
    expect(findings.skipped).toHaveLength(2)
    expect(findings.walked).toContain('fork-service')
  })

  it.each(['create-service', 'fork-service'])('that loses the answer to %s', async lost => {
    let losses = 0
    faults = ({ operation }) =>
      operation === lost && losses++ < 1 ? { kind: 'reset', when: 'after' } : undefined
    const { left, findings } = await live(options())
    expect(left).toEqual([])
    expect(names()).toEqual(strangers)
    expect([...findings.differences.keys()]).toContainEqual(
      expect.stringMatching(new RegExp(`^${lost}: no answer: `)),
    )
  })

  it('without a snapshot at first: it repeats the request, and reports the time of the snapshot', async () => {
    const message = "Service doesn't yet have any backups or snapshots available"
    let refusals = 0
    faults = ({ operation, body }) =>
      operation === 'fork-service' && JSON.stringify(body).includes('LAST_SNAPSHOT') && refusals++ < 2
        ? answer(400, { code: 'NO_BACKUP', message })
        : undefined
    const { findings } = await live(options())
    expect([...findings.differences.keys()]).toEqual([])
    const told = {
      operation: 'fork-service',
      step: 'forks, of now and of the last snapshot',
      status: 400,
      code: 'NO_BACKUP',
      message,
    }
    expect([...findings.refusals.values()]).toContainEqual(told)
    expect(toProfile(findings).snapshotAfter).toBeGreaterThan(0)
  })

  it('that refuses a deletion at first: it repeats the request', async () => {
    let refusals = 0
    faults = ({ operation }) =>
      operation === 'delete-service' && refusals++ < 8
        ? answer(400, { code: 'BUSY', message: 'cannot delete now' })
        : undefined
    const { left, findings } = await live(options())
    expect(left).toEqual([])
    expect(names()).toEqual(strangers)
    // At most three services are in the way.
    const told = [...findings.differences.keys()].join('\n')
    expect(told).toContain('delete-service: 400 cannot delete now')
    expect(told).toContain('there are 3 services already')
    expect(told).not.toMatch(/limit|quota/)
  })
})

/** The tool as people start it. */
function start(...args: string[]) {
  const main = resolve(import.meta.dirname, '../../../tools/live/main.ts')
  const { publicKey, secretKey } = emulator.keys
  const env = {
    ...process.env,
    ...{
      DATABASE_BASE_URL: emulator.baseUrl,
      DATABASE_PUBLIC_KEY: publicKey,
      DATABASE_SECRET_KEY: secretKey,
    },
  }
  return runNode([main, ...args], { cwd: folder.path, env })
}

describe('npm run live', () => {
  it('prints the planned steps, and does nothing', async () => {
    const { code, stdout } = await start().exit
    expect(stdout).toContain('npm run live -- --yes')
    expect(code).toBe(0)
    expect(emulator.requests).toEqual([])
  })

  it('runs beside production only on request', async () => {
    const project_id = emulator.store.project.id
    emulator.store.call('create-service', { project_id, name: 'shop', environment_tag: 'PROD' })
    await expect(live(options())).rejects.toMatchObject({
      next: expect.stringContaining('add --beside-production'),
    })
    expect(names()).toEqual([...strangers, 'shop'])
  })

  it('deletes its records after a signal', async () => {
    const { child, exit } = start('--yes', '--no-databases')
    at(['create-service', 1], () => child.kill('SIGTERM'))
    expect(await exit).toMatchObject({ code: 143 })
    expect(names()).toEqual(strangers)
  })
})
