// Loaded early, since virtual time cannot wait for a file.
import '#database/rehearse-migration'
import '#database/runs'
import '#database/schema-diff'
import { describe, expect, it, test } from 'vitest'
import { operations } from '#action/inputs/operation-table'
import { isRead } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { OpenDatabase } from '#contents/open-database'
import type { DatabaseContext } from '#database/context'
import type { GivenParameters, OpenContents } from '#operations/base/context'
import { withDryRun } from '#preview/base/dry-run'
import { defaultSettings } from '../simulator/default-settings.ts'
import { fakeContext } from '../support/fake-context.ts'
import { requiredValues } from '../../tools/reference/example-values.ts'
import { changesOf } from './support/changes.ts'
import { completeEvent, minute } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const contents = { ...defaultSettings.contents, sql: 'select 1', allowProduction: true }
const dry = (name: string) => ({
  settings: { dryRun: true, contents },
  preview: name === 'create-masked-parent' ? { maskFile: ['masking.yml'] } : {},
})

/** A stage with one record of each kind, and inputs that fit any operation of the API. */
function furnish(): { stage: Stage; given: GivenParameters } {
  const stage = new Stage()
  const { parent: service_id } = stage
  const sizes = { cpu_millis: 500, memory_gbs: 2 }
  const replica_set_id = stage.otherCaller('create-replica', {
    service_id,
    name: 'reader',
    nodes: 1,
    ...sizes,
  })
  const vpc_id = stage.otherCaller('create-vpc', {
    name: 'net',
    cidr: '10.0.0.0/16',
    region_code: 'us-east-1',
  })
  stage.pass(minute)
  const peer = { peer_account_id: '123', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }
  const peering_id = stage.otherCaller('create-peering', { vpc_id, ...peer })
  stage.pass(minute)
  const ids = { service_id, replica_set_id, vpc_id, peering_id }
  const larger = { cpu_millis: '1000', memory_gbs: '4', nodes: 2, replica_count: 1 }
  const other = { ...larger, name: 'new-*', environment: 'DEV', region_code: 'us-east-1' }
  return { stage, given: { ...requiredValues(), ...ids, ...other } }
}

const isChange = (name: string) => !(name in endpoints) || !isRead(endpoints[name as EndpointName])

describe.each([...operations.keys()])('a dry run of %s', name => {
  it('changes nothing, and reports the planned change', async () => {
    const { stage, given } = furnish()
    stage.preview()
    stage.pass(minute)
    const before = JSON.stringify(stage.world.services())
    const series = name === 'get-metric-series' ? { name: 'timescale_cloud_database_qps' } : {}
    const run = await stage.run(name, { given: { ...given, ...series }, ...dry(name) })
    expect(run.error).toBeUndefined()
    expect(changesOf(run.asked)).toEqual([])
    expect(JSON.stringify(stage.world.services())).toBe(before)
    expect(run.notes).toEqual({ intent: undefined, created: undefined })
    const { created = false, deleted = false, changed = false, skipped } = run.outcome ?? {}
    expect([created, deleted, changed]).toEqual([false, false, false])
    if (isChange(name) && name !== 'get-connection')
      expect(skipped).toMatch(/^dry run(?:: would |: there is |$)/)
    else expect(skipped).toBeUndefined()
  })
})

test('of each change of the API reports the planned change', async () => {
  const { stage, given } = furnish()
  const names = Object.entries(endpoints).filter(([, row]) => !isRead(row))
  const words: string[] = []
  const labels = ['service_id', 'replica_set_id', 'vpc_id', 'peering_id'] as const
  for (const [name] of names) {
    const { outcome } = await stage.run(name, { given, ...dry(name) })
    const text = outcome?.skipped ?? ''
    words.push(labels.reduce((line, label) => line.replaceAll(String(given[label]), `<${label}>`), text))
  }
  expect(words).toMatchInlineSnapshot(`
    [
      "dry run: would create a service: name new-*, region_code us-east-1, replica_count 1, cpu_millis 1000, memory_gbs 4 (each * becomes 8 random characters)",
      "dry run: would fork service <service_id> (production, READY): a new service with the data of its parent: fork_strategy NOW, name new-*, cpu_millis 1000, memory_gbs 4 (each * becomes 8 random characters)",
      "dry run: would delete service <service_id> (production, READY) and all its data",
      "dry run: would change nothing: service <service_id> (production, READY) is already READY",
      "dry run: would pause service <service_id> (production, READY)",
      "dry run: would change the CPU and memory of service <service_id> (production, READY): cpu_millis 1000, memory_gbs 4",
      "dry run: would rename service <service_id> (production, READY): name new-*",
      "dry run: would tag service <service_id> (production, READY) as DEV or PROD: environment DEV",
      "dry run: would set the number of high-availability replicas of service <service_id> (production, READY): replica_count 1",
      "dry run: would enable data tiering for service <service_id> (production, READY), which cannot be undone through the API",
      "dry run: would set the password of service <service_id> (production, READY)'s user",
      "dry run: would enable the connection pooler of service <service_id> (production, READY)",
      "dry run: would change nothing: service <service_id> (production, READY) already has no connection pooler",
      "dry run: would create a read replica set of service <service_id> (production, READY): name new-*, nodes 2, cpu_millis 1000, memory_gbs 4 (each * becomes 8 random characters)",
      "dry run: would delete replica set <replica_set_id> (reader, active)",
      "dry run: would change the CPU and memory of replica set <replica_set_id> (reader, active): cpu_millis 1000, memory_gbs 4",
      "dry run: would tag replica set <replica_set_id> (reader, active) as DEV or PROD: environment DEV",
      "dry run: would enable the connection pooler of replica set <replica_set_id> (reader, active)",
      "dry run: would change nothing: replica set <replica_set_id> (reader, active) already has no connection pooler",
      "dry run: would create a VPC: name new-*, cidr 10.42.0.0/16, region_code us-east-1 (each * becomes 8 random characters)",
      "dry run: would rename VPC <vpc_id> (net, CREATED): name new-*",
      "dry run: would delete VPC <vpc_id> (net, CREATED)",
      "dry run: would attach service <service_id> (production, READY) to a VPC: vpc_id <vpc_id>",
      "dry run: would change nothing: service <service_id> (production, READY) is already detached from VPC <vpc_id>",
      "dry run: would request a peering of VPC <vpc_id> (net, CREATED) with another one: peer_account_id 123456789012, peer_region_code us-east-1, peer_vpc_id vpc-0a1b2c3d",
      "dry run: would delete peering <peering_id> (active)",
      "dry run: would end the session of the API key",
      "dry run: would send properties of the user to the analytics of the service",
      "dry run: would send an event to the analytics of the service: event deployed",
    ]
  `)
  expect(words.join()).not.toContain('hush')
})

describe('an operation that forgets the dry run', () => {
  const careless = (act: (context: DatabaseContext) => Promise<unknown>) => {
    const github = completeGitHub()
    const openContents: OpenContents = (_connection, _timeout, use) => use({} as OpenDatabase)
    const parts = { event: completeEvent({}), github, openContents, settings: { dryRun: true } }
    const fake = fakeContext([], parts)
    const run = withDryRun(async (_, context: DatabaseContext) => {
      await act(context)
      return { operation: 'careless', ids: {} }
    })
    return { ...fake, github, running: run({}, fake.context) }
  }
  const ids = { project_id: 'p1', service_id: 's1' }
  const inContents = (act: (database: OpenDatabase) => Promise<unknown>) => (context: DatabaseContext) =>
    context.openContents({} as never, 1000, act)

  test.each<[string, (context: DatabaseContext) => Promise<unknown>]>([
    ['update-password', ({ client }) => client.call('update-password', { ...ids, password: 'hush-hush' })],
    ['delete-service', ({ client }) => client.call('delete-service', ids)],
    ['writeComment', ({ github }) => github.writeComment(7, {} as never, { onlyUpdate: false })],
    ['writeMigrations', ({ github }) => github.writeMigrations(7, '', { blocks: [] })],
    ['a note of what it creates', async ({ journal }) => journal.intend({} as never)],
    ['a session', context => context.withSession({} as never, {} as never, async () => {})],
    ['a note', inContents(database => database.write('a text'))],
    ['quarantine', inContents(database => database.quarantine({} as never, undefined))],
    ['seed_file', inContents(database => database.seed({} as never, '', []))],
    ['its schema', inContents(database => database.keepSchema('s1'))],
    ['masking', inContents(database => database.mask({} as never))],
  ])('is refused: %s', async (change, act) => {
    const { running, seam, github } = careless(act)
    await expect(running).rejects.toThrow(`a dry run tried ${change}; nothing was changed`)
    expect(seam.requests).toEqual([])
    expect(github.written).toBe(0)
  })

  it('can read', async () => {
    const seen: unknown[] = []
    const { running } = careless(async ({ github }) => seen.push(await github.readPullRequest(7)))
    await running
    expect(seen).toMatchObject([{ state: 'open' }])
  })

  it('can only read, even with future methods of the GitHub client', async () => {
    const act = ({ github }: DatabaseContext) =>
      (github as unknown as { addLabel(): Promise<void> }).addLabel()
    await expect(careless(act).running).rejects.toThrow('a dry run tried addLabel')
  })
})

/** Counts the writes. */
function completeGitHub() {
  return {
    written: 0,
    readPullRequest: async () => ({ state: 'open' as const, labels: [], draft: false }),
    readPullRequests: async () => new Map(),
    readFiles: async () => new Map<string, string>(),
    readChangedFiles: async () => [],
    listQueueHeads: async () => new Set<string>(),
    async writeComment() {
      this.written += 1
      return undefined
    },
    async writeMigrations() {
      this.written += 1
      return undefined
    },
    readShownLoss: async () => undefined,
    readApproval: async () => ({ isApproved: false, message: '' }),
    async addLabel() {
      this.written += 1
    },
  }
}
