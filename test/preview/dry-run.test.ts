/** Loaded early, since virtual time cannot wait for a file. */
import '#database/rehearse-migration'
import '#database/operations-on-demand'
import '#database/schema-diff'
import { describe, expect, it, test } from 'vitest'
import { inputTable } from '#action/inputs/input-table'
import { operations, runOperation } from '#action/inputs/operation-table'
import { type Endpoint, isRead, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { OpenDatabase } from '#contents/open-database'
import type { DatabaseContext } from '#database/context'
import type { GivenParameters, OpenContents } from '#operations/base/context'
import type { Operation } from '#operations/base/operation'
import { requiredValues } from '../../tools/reference/example-values.ts'
import { defaultSettings } from '../simulator/default-settings.ts'
import { fakeContext } from '../support/fake-context.ts'
import { filterChangingCalls } from './support/changes.ts'
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
  const replica_set_id = stage.callAsOther('create-replica', {
    service_id,
    name: 'reader',
    nodes: 1,
    ...sizes,
  })
  const vpc_id = stage.callAsOther('create-vpc', {
    name: 'net',
    cidr: '10.0.0.0/16',
    region_code: 'us-east-1',
  })
  stage.advanceTime(minute)
  const peer = { peer_account_id: '123', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }
  const peering_id = stage.callAsOther('create-peering', { vpc_id, ...peer })
  stage.advanceTime(minute)
  const ids = { service_id, replica_set_id, vpc_id, peering_id }
  const larger = { cpu_millis: '1000', memory_gbs: '4', nodes: 2, replica_count: 1 }
  const other = { ...larger, name: 'new-*', environment: 'DEV', region_code: 'us-east-1' }
  return { stage, given: { ...requiredValues(), ...ids, ...other } }
}

const isChange = (name: string) => !(name in endpoints) || !isRead(endpoints[name as EndpointName])

describe.each([...operations.keys()])('a dry run of %s', name => {
  it('changes nothing, and reports the planned change', async () => {
    const { stage, given } = furnish()
    stage.createPreview()
    stage.advanceTime(minute)
    const before = JSON.stringify(stage.world.services())
    const series = name === 'get-metric-series' ? { name: 'timescale_cloud_database_qps' } : {}
    const run = await stage.run(name, { given: { ...given, ...series }, ...dry(name) })
    expect(run.error).toBeUndefined()
    expect(filterChangingCalls(run.calls)).toEqual([])
    expect(JSON.stringify(stage.world.services())).toBe(before)
    expect(run.notes).toEqual({ intent: undefined, created: undefined })
    const { created = false, deleted = false, changed = false, skipped } = run.outcome ?? {}
    expect([created, deleted, changed]).toEqual([false, false, false])
    if (isChange(name) && name !== 'get-connection')
      expect(skipped).toMatch(/^dry run(?:: would |: there is |$)/)
    else expect(skipped).toBeUndefined()
  })
})

describe('a dry run of a change of the API', () => {
  const labels = ['service_id', 'replica_set_id', 'vpc_id', 'peering_id'] as const
  const changes = Object.entries<Endpoint>(endpoints).filter(([, row]) => !isRead(row))

  /** The planned change, with `<service_id>` and so on for the ids. */
  async function planOf(name: string): Promise<{ plan: string; given: GivenParameters }> {
    const { stage, given } = furnish()
    const { outcome } = await stage.run(name, { given, ...dry(name) })
    const text = outcome?.skipped ?? ''
    return { plan: labels.reduce((line, id) => line.replaceAll(String(given[id]), `<${id}>`), text), given }
  }

  test.each([
    [
      'create-service',
      'would create a service: name new-*, region_code us-east-1, replica_count 1, cpu_millis 1000, memory_gbs 4 (each * becomes 8 random characters)',
    ],
    [
      'fork-service',
      'would fork service <service_id> (production, READY): a new service with the data of its parent: fork_strategy NOW, name new-*, cpu_millis 1000, memory_gbs 4 (each * becomes 8 random characters)',
    ],
    ['start-service', 'would change nothing: service <service_id> (production, READY) is already READY'],
    ['update-password', "would set the password of service <service_id> (production, READY)'s user"],
    ['delete-peering', 'would delete peering <peering_id> (active)'],
    ['log-out', 'would end the session of the API key'],
  ])('%s %s', async (name, text) => {
    expect((await planOf(name)).plan).toBe(`dry run: ${text}`)
  })

  test.each(changes)('%s reports its record and each field, and no secret', async (name, row) => {
    const { plan, given } = await planOf(name)
    expect(plan).toMatch(/^dry run: would /)
    expect(plan).not.toContain('hush')
    const id = pathParameters(row.path).at(-1) ?? 'project_id'
    if (id !== 'project_id') expect(plan).toContain(`<${id}>`)
    const fields = Object.keys(row.body?.shape ?? {}).filter(
      field => given[field] !== undefined && !inputTable[field]?.secret && !plan.includes('change nothing'),
    )
    expect(fields.filter(field => !plan.includes(`${field} `))).toEqual([])
  })
})

describe('an operation that forgets the dry run', () => {
  const careless = (act: (context: DatabaseContext) => Promise<unknown>) => {
    const github = completeGitHub()
    const openContents: OpenContents = (_connection, _timeout, use) => use({} as OpenDatabase)
    const parts = { event: completeEvent({}), github, openContents, settings: { dryRun: true } }
    const fake = fakeContext([], parts)
    const run = async (_: object, context: DatabaseContext) => {
      await act(context)
      return { operation: 'careless', ids: {} }
    }
    const operation: Operation<DatabaseContext> = {
      name: 'careless',
      summary: '',
      effect: 'reads',
      fields: {},
      inputs: [],
      run,
    }
    return { ...fake, github, running: runOperation(operation, {}, fake.context) }
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
    ['a note', inContents(database => database.writeNote('a text'))],
    ['quarantine', inContents(database => database.quarantine({} as never, undefined))],
    ['seed_file', inContents(database => database.seed({} as never, '', []))],
    ['its schema', inContents(database => database.storeSchema('s1'))],
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
    listPullRequests: async () => new Map(),
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
