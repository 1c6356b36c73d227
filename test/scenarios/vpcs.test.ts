/** Runs the operations on VPCs and peerings. */
import { afterEach, describe, expect, it } from 'vitest'
import { answer, changeBody, onOperations } from '../support/api-faults.ts'
import { openWorkbench, query, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()

async function createVpc(name: string): Promise<string> {
  const { outputs } = await bench.runSuccessfully({
    operation: 'create-vpc',
    name,
    cidr: '10.0.0.0/16',
    region_code: 'us-east-1',
  })
  expect(outputs).toMatchObject({ name, region_code: 'us-east-1', created: 'true', status: 'CREATED' })
  return outputs.vpc_id as string
}

it.concurrent('attaches a service to a VPC and detaches it again', async () => {
  const vpc_id = await createVpc('private')
  const created = await bench.runSuccessfully({
    operation: 'create-service',
    name: 'inside',
    wait_for_connection: 'true',
  })
  const service_id = created.outputs.service_id as string
  const attached = await bench.runSuccessfully({ operation: 'attach-vpc', service_id, vpc_id })
  const { vpc_host, vpc_port } = attached.outputs
  expect(vpc_host).toBeDefined()
  const inside = created.outputs.database_url?.replace(`:${created.outputs.port}/`, `:${vpc_port}/`)
  expect(await query(inside, 'select 1 as one')).toEqual([{ one: 1 }])
  const detached = await bench.runSuccessfully({ operation: 'detach-vpc', service_id, vpc_id })
  expect(detached.outputs.vpc_host).toBeUndefined()
  // The VPC is busy for a while after that (docs/internals/api.md, "VPCs and peerings"): the step waits.
  expect((await bench.runSuccessfully({ operation: 'delete-vpc', vpc_id })).outputs.deleted).toBe('true')
  await expect(query(inside, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

it.concurrent('with wait: false leaves a VPC that is CREATING; an operation that uses the VPC waits for it', async ({
  onTestFinished,
}) => {
  // On a busy machine, the second step starts seconds after the first one.
  const slow = await openWorkbench({ databases: 'invented', changeAfter: 5000 })
  onTestFinished(() => slow.stop())
  const given = { operation: 'create-vpc', cidr: '10.0.0.0/16', region_code: 'us-east-1', wait: 'false' }
  const { vpc_id = '', status } = (await slow.runSuccessfully({ ...given, name: 'slow' })).outputs
  expect(status).toBe('CREATING')
  const { outputs, stdout } = await slow.runSuccessfully({ operation: 'create-peering', vpc_id, ...peer })
  expect(stdout).toMatch(new RegExp(`waiting .*for VPC ${vpc_id} to be `))
  expect(outputs.peering_id).toBeDefined()
})

const peer = { peer_account_id: '123456789012', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-0a1b2c3d' }

/** A server may omit or reword fields that the specification does not show. */
describe('on a server with other fields than the public service', () => {
  const other = useWorkbench({ databases: 'invented' })
  afterEach(() => other.injectFaults(() => undefined))

  it('uses the answer as the result if VPCs have no status', async () => {
    const net = { name: 'other', cidr: '10.0.0.0/16' }
    other.injectFaults(onOperations({ 'create-vpc': answer(201, { id: '77', ...net }, { when: 'after' }) }))
    const { outputs, stdout } = await other.runSuccessfully({
      operation: 'create-vpc',
      ...net,
      region_code: 'us-east-1',
    })
    expect(outputs).toMatchObject({ vpc_id: '77', name: 'other', created: 'true' })
    expect(outputs.status).toBeUndefined()
    expect(stdout).not.toMatch(/^waiting/m)
  })

  /** Lets the server answer all requests of an operation with other records. */
  const rewrite = (operation: string, change: (record: Record<string, unknown>) => object) =>
    other.injectFaults(onOperations({ [operation]: changeBody(change) }))

  it('a service is in a VPC while it has an endpoint there, even of unknown fields', async () => {
    const shown = { gateway: 'gw-1', host: ['a'], port: 'none', password: 'hush-hush' }
    const vpc = { name: 'closed', cidr: '10.0.0.0/16', region_code: 'us-east-1' }
    const { vpc_id = '' } = (await other.runSuccessfully({ operation: 'create-vpc', ...vpc })).outputs
    const created = await other.runSuccessfully({ operation: 'create-service', name: 'inside' })
    const { service_id = '' } = created.outputs
    // In its VPC it has no public address, as `endpoint` would be.
    rewrite('get-service', ({ vpcEndpoint, vpc_endpoint: _, endpoint, ...service }) =>
      vpcEndpoint ? { ...service, vpcEndpoint: shown } : { ...service, endpoint },
    )
    const attached = await other.runSuccessfully({ operation: 'attach-vpc', service_id, vpc_id })
    expect(attached.outputs.host).toBeUndefined()
    expect(JSON.parse(attached.outputs.result as string).vpcEndpoint).toEqual({ gateway: shown.gateway })
    await other.runSuccessfully({ operation: 'start-service', service_id })
    await other.runSuccessfully({ operation: 'detach-vpc', service_id, vpc_id })
    const { store } = other.emulator
    const given = { project_id: store.project.id, service_id }
    expect(JSON.stringify(store.call('get-service', given))).not.toContain('vpcEndpoint')
  })
})
