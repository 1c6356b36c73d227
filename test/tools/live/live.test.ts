/** Tests the walk over a live server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#api/endpoints'
import { createRealSeam } from '#client/network/real-seam'
import { openClusters } from '../../../emulator/clusters/open-clusters.ts'
import { type Emulator, startEmulator } from '../../../emulator/http/server.ts'
import { parseProfile } from '../../../emulator/store/progress/profile.ts'
import { type Lived, live } from '../../../tools/live/live.ts'
import { renderReport, toProfile, toReport } from '../../../tools/live/report/report.ts'
import { runAsSuperuser } from '../../support/fork.ts'
import { useWorkspace } from '../../support/workspace.ts'
import { planted, plants, telltale } from './plants.ts'

const { path: root } = useWorkspace()
let emulator: Emulator
let lived: Lived
/** Texts that no report may contain. */
const own = new Set<string>()

type Fields = Record<string, unknown>

/** Plants in the database of the first service, as soon as it has been renamed. */
async function plantInDatabase(outputs: Fields): Promise<void> {
  const login = { host: String(outputs.host), port: String(outputs.port), password: String(outputs.password) }
  const sql = Object.values(plants).flatMap(plant => plant.sql ?? [])
  await runAsSuperuser({ ...login, user: 'tsdbadmin', database: 'tsdb' }, sql.join(';'))
}

/** Milliseconds, of all that takes time: the walk looks often. */
const timing = { readyAfter: 200, changeAfter: 200, deleteAfter: 50, vpcBusyFor: 50 }

beforeAll(async () => {
  emulator = await startEmulator({
    ...timing,
    // A fourth service would be refused.
    maxServices: 3,
    dataPlane: await openClusters({ root }),
  })
  const database: Fields = {}
  const seam = planted(createRealSeam(), async ({ operation, body }) => {
    const record = (Array.isArray(body) ? undefined : body) ?? {}
    for (const field of ['service_id', 'name', 'initial_password', 'public_key'])
      if (typeof record[field] === 'string') own.add(record[field])
    if (operation === 'create-service')
      Object.assign(database, record.endpoint, { password: record.initial_password })
    if (operation === 'rename-service') await plantInDatabase(database)
  })
  lived = await live({
    ...{ seam, baseUrl: emulator.baseUrl, credentials: emulator.keys, signal: new AbortController().signal },
    ...{ besideProduction: false, withDatabases: true, onlyClean: false },
    ...{ every: 100, listLag: '50ms', say() {} },
  })
})
afterAll(() => emulator.stop())

const services = () =>
  emulator.store.call('list-services', { project_id: emulator.store.project.id }).body as Fields[]

describe('a walk on a server that differs from the contract', () => {
  it('reports every planted difference, and no other', () => {
    expect(Object.keys(plants).length).toBeGreaterThanOrEqual(20)
    const told = Object.values(plants).flatMap(plant => plant.told)
    expect([...lived.findings.differences.keys()].sort()).toEqual(told.sort())
  })

  it('calls 27 operations of the API, and names the others, such as those about the user', () => {
    const { notCalled } = toReport(lived.findings, { date: '2026-01-31', version: '1.2.3' })
    expect(notCalled).toEqual(expect.arrayContaining(['log-out', 'identify-user', 'track-event']))
    // The report names new operations of the contract until the walk calls them.
    expect(Object.keys(endpoints).length - notCalled.length).toBeGreaterThanOrEqual(27)
  })

  it('leaves no record', () => {
    expect(lived.left).toEqual([])
    expect(services()).toEqual([])
  })

  it('writes a profile that the emulator accepts', () => {
    const profile = toProfile(lived.findings)
    expect(parseProfile(JSON.stringify(profile))).toEqual(profile)
    expect(profile.changes['start-service']?.statuses).toEqual([['REPAIRING', expect.any(Number)]])
    expect(Object.keys(profile.changes).length).toBeGreaterThan(10)
  })

  it('shows no private data', () => {
    const report = toReport(lived.findings, { date: '2026-01-31', version: '1.2.3' })
    const { publicKey, secretKey } = emulator.keys
    const secrets = [
      'told-again',
      ...own,
      publicKey,
      secretKey,
      emulator.store.project.id,
      '127.0.0.1',
      ...telltale.split(/ (?:in|at|for|by) /),
    ]
    expect(own.size).toBeGreaterThan(10)
    for (const text of [renderReport(report), JSON.stringify(report)])
      for (const secret of secrets) expect(text).not.toContain(secret)
    expect(report.refusals).toContainEqual(
      expect.objectContaining({ operation: 'start-service', status: 422 }),
    )
  })
})
