/** Runs the operations on VPCs and peerings. */
import { expect, it } from 'vitest'
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
