/** Tests the outputs of all operations against the reference. */
import { expect, it } from 'vitest'
import { operations } from '#action/inputs/operation-table'
import { type Endpoint, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { requiredFields, validText } from '../../tools/reference/example-values.ts'
import { outputsOf, outputsOfAll } from '../../tools/reference/operation-outputs.ts'
import { useRepository } from '../support/pull-request.ts'
import type { Inputs } from '../support/workbench.ts'

const repository = useRepository({ databases: 'invented' })

/** The outputs with a value that each operation has set. */
const seen = new Map<string, Set<string>>()

type Outputs = Record<string, string>

function see(operation: string, outputs: Outputs): void {
  const names = seen.get(operation) ?? new Set()
  for (const [name, value] of Object.entries(outputs)) if (value !== '') names.add(name)
  seen.set(operation, names)
}

async function run(operation: string, inputs: Inputs = {}): Promise<Outputs> {
  const { outputs } = await repository.bench.runSuccessfully({ ...inputs, operation })
  see(operation, outputs as Outputs)
  return outputs as Outputs
}

async function runAccount(): Promise<void> {
  for (const name of ['get-auth-info', 'list-projects', 'identify-user', 'log-out']) await run(name)
  await run('track-event', { event: 'deployed' })
}

/** Whether a row works on a service that is there, and leaves it there. */
const isAboutOne = ({ path, method, creates }: Endpoint) =>
  pathParameters(path).join() === 'project_id,service_id' && method !== 'DELETE' && creates === undefined

const pausing = ['stop-service', 'start-service']

const requiredTexts = (row: Endpoint): Inputs =>
  Object.fromEntries(Object.keys(requiredFields(row)).map(name => [name, validText(name)]))

/** Where the examples of the fields would change nothing, or more than this test wants. */
const asked: Record<string, Inputs> = {
  'resize-service': { cpu_millis: '1000', memory_gbs: '4' },
  'set-environment': { environment: 'DEV' },
  'set-ha': { replica_count: '1' },
  'rename-service': { name: 'shop' },
}

async function runServices(): Promise<void> {
  const { service_id = '' } = await run('create-service')
  const { vpc_id = '' } = await run('create-vpc', { cidr: '10.0.0.0/16', region_code: 'us-east-1' })
  for (const name of ['attach-vpc', 'detach-vpc']) await run(name, { service_id, vpc_id })
  for (const name of ['enable-pooler', 'disable-pooler', 'enable-pooler']) await run(name, { service_id })
  for (const name of ['attach-vpc', 'detach-vpc', 'attach-vpc']) await run(name, { service_id, vpc_id })
  for (const name of ['disable-pooler', 'enable-pooler']) await run(name, { service_id })
  for (const [name, row] of Object.entries<Endpoint>(endpoints))
    if (isAboutOne(row) && !seen.has(name) && !pausing.includes(name))
      await run(name, { service_id, ...requiredTexts(row), ...asked[name] })
  await run('get-metric-details', { service_id, ...requiredTexts(endpoints['get-metric-details']) })
  for (const name of pausing) await run(name, { service_id })
  await runReplicas(service_id)
  const { service_id: fork = '' } = await run('fork-service', { service_id, fork_strategy: 'NOW' })
  await run('list-services')
  await run('delete-service', { service_id: fork })
}

async function runReplicas(service_id: string): Promise<void> {
  const sizes = { cpu_millis: '500', memory_gbs: '2' }
  const { replica_set_id = '' } = await run('create-replica', { service_id, nodes: '1', ...sizes })
  const ids = { service_id, replica_set_id }
  for (const name of ['enable-replica-pooler', 'disable-replica-pooler', 'enable-replica-pooler'])
    await run(name, ids)
  await run('resize-replica', { ...ids, cpu_millis: '1000', memory_gbs: '4' })
  await run('set-replica-environment', { ...ids, environment: 'PROD' })
  await run('list-replicas', { service_id })
  await run('delete-replica', ids)
}

async function runNetworks(): Promise<void> {
  const { vpc_id = '' } = await run('create-vpc', { cidr: '10.1.0.0/16', region_code: 'us-east-1' })
  for (const name of ['get-vpc', 'list-vpcs']) await run(name, { vpc_id })
  await run('rename-vpc', { vpc_id, name: 'net' })
  const peer = { peer_account_id: '123456789012', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }
  const { peering_id = '' } = await run('create-peering', { vpc_id, ...peer })
  for (const name of ['get-peering', 'delete-peering']) await run(name, { vpc_id, peering_id })
  await run('list-peerings', { vpc_id })
  await run('delete-vpc', { vpc_id })
}

/** A pull request is opened. Its preview is used, gets a pooler and a VPC, and is reset and deleted. */
async function runPreviews(operation: 'preview' | 'create-preview'): Promise<void> {
  const { bench, github, on, onEvent } = repository
  const number = github.openPullRequest()
  const inputs = { empty: 'true', wait_for_connection: 'false' }
  const give = async (name: string, more: Inputs = {}) => {
    const { exitCode, outputs, stdout } = await on('synchronize', number, {
      operation: name,
      ...inputs,
      ...more,
    })
    expect(exitCode, stdout).toBe(0)
    see(name, outputs as Outputs)
    return outputs as Outputs
  }
  const { service_id = '' } = await give(operation, { pooler: 'true' })
  const vpc = await bench.runSuccessfully({
    operation: 'create-vpc',
    cidr: '10.2.0.0/16',
    region_code: 'us-east-1',
  })
  await bench.runSuccessfully({ operation: 'attach-vpc', service_id, vpc_id: vpc.outputs.vpc_id as string })
  await give(operation)
  if (operation === 'preview') {
    see('preview', (await onEvent('schedule', { operation, ...inputs })).outputs as Outputs)
    see('preview', (await on('closed', number, { operation, ...inputs })).outputs as Outputs)
    return
  }
  const asked = { pull_request: String(number), wait_for_connection: 'false' }
  const environment = github.environment
  see(
    'get-connection',
    (await bench.runSuccessfully({ ...asked, operation: 'get-connection' }, { environment }))
      .outputs as Outputs,
  )
  await give('reset-preview', { pooler: 'true' })
  const other = github.openPullRequest()
  await on('opened', other, { operation, ...inputs })
  github.closePullRequest(other)
  const pruned = await onEvent('schedule', { operation: 'prune-previews', min_age: '1s' })
  see('prune-previews', pruned.outputs as Outputs)
  see('delete-preview', (await on('closed', number, { operation: 'delete-preview' })).outputs as Outputs)
}

it('sets the outputs of the reference, with every operation', async () => {
  await runAccount()
  await runServices()
  await runNetworks()
  await runPreviews('preview')
  await runPreviews('create-preview')
  // These need real databases: run-sql.test.ts, schema-diff.test.ts, rehearse-migration.test.ts, masked-parent.test.ts.
  const onDatabases = ['run-sql', 'schema-diff', 'rehearse-migration', 'create-masked-parent']
  const names = [...operations.keys()].filter(name => !onDatabases.includes(name))
  expect([...seen.keys()].sort()).toEqual(names.toSorted())
  const really = names.map(name => [
    name,
    [...(seen.get(name) ?? [])].filter(output => !outputsOfAll.includes(output)).sort(),
  ])
  const said = names.map(name => [name, outputsOf(name).sort()])
  expect(Object.fromEntries(really)).toEqual(Object.fromEntries(said))
})
