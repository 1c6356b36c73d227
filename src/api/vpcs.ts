/** Rows of the contract: VPCs and peerings. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as schemas from './fields/field-schemas.ts'
import { expression } from './fields/input.ts'
import { sharedFields, target } from './fields/shared-fields.ts'
import { alreadyIf, gone, ofService, peeringAccepted, vpcCreated } from './goal.ts'
import { ActionResult, Peering, Peerings, type Service, Vpc, Vpcs } from './records.ts'
import { describeName, isAttached, isNamed } from './service-states.ts'

const servicePath = '/projects/{project_id}/services/{service_id}'
const vpcsPath = '/projects/{project_id}/vpcs'
const vpcPath = `${vpcsPath}/{vpc_id}` as const
const peeringPath = `${vpcPath}/peerings/{peering_id}` as const

export interface Attachment {
  vpc_id: string
}

const describeAttachment = ({ vpc_id }: Attachment) => `be attached to VPC ${vpc_id}`
const describeDetachment = ({ vpc_id }: Attachment) => `be detached from VPC ${vpc_id}`

/** Stricter than `isAttached`: false for a record that does not name its VPC. */
const isSurelyAttached = ({ vpcEndpoint }: Service, { vpc_id }: Attachment) => vpcEndpoint?.vpc_id === vpc_id

/** Not the opposite of `isAttached`: a service in another VPC than the named one is a mistake, so the step fails. */
const isDetached = ({ vpcEndpoint }: Service) => vpcEndpoint === undefined

/** Used by VPCs and peerings only. */
export const vpcFields = schemas.inGroup('Read replica sets, VPCs and peerings', {
  vpc_id: {
    about: 'Id of the VPC.',
    example: expression('steps.vpc.outputs.vpc_id'),
    ignored: target,
    schema: schemas.resourceId,
  },
  cidr: {
    about: 'IPv4 range of the VPC, like `10.0.0.0/16`.',
    example: '10.42.0.0/16',
    ignored: { by: 'nothing', what: 'no VPC would be created' },
    schema: z.cidrv4('an IPv4 range like 10.0.0.0/16'),
  },
  peering_id: {
    about: 'Id of the VPC peering.',
    example: expression('steps.peering.outputs.peering_id'),
    ignored: target,
    schema: schemas.resourceId,
  },
  peer_account_id: {
    about: 'Cloud account id of the peer.',
    example: '123456789012',
    ignored: target,
    schema: schemas.text('the account id of the peer, like 123456789012', 'unlimited'),
  },
  peer_region_code: {
    about: "Region of the peer's VPC.",
    example: 'us-east-1',
    ignored: target,
    schema: schemas.regionCode,
  },
  peer_vpc_id: {
    about: "Id of the peer's VPC at its cloud provider.",
    example: 'vpc-0a1b2c3d',
    ignored: target,
    schema: schemas.text('the VPC id of the peer, like vpc-0a1b2c3d', 'unlimited'),
  },
})

const { fields } = schemas.schemasOf({ ...sharedFields, ...vpcFields })

export const vpcs = {
  'list-vpcs': endpoint({
    summary: 'List the VPCs of a project',
    method: 'GET',
    path: vpcsPath,
    response: Vpcs,
    lists: { noun: 'VPCs', columns: ['id', 'name', 'cidr', 'region_code'] },
    status: 200,
  }),
  'get-vpc': endpoint({
    summary: 'Read a VPC',
    method: 'GET',
    path: vpcPath,
    response: Vpc,
    status: 200,
  }),
  'create-vpc': endpoint({
    summary: 'Create a VPC',
    method: 'POST',
    path: vpcsPath,
    body: z.object({ name: fields.name, cidr: fields.cidr, region_code: fields.region_code }),
    response: Vpc,
    status: 202,
    creates: 'vpc',
    goal: vpcCreated,
  }),
  'rename-vpc': endpoint({
    summary: 'Rename a VPC',
    method: 'POST',
    path: `${vpcPath}/rename`,
    body: z.object({ name: fields.name }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    already: alreadyIf(describeName, isNamed, 'sent'),
  }),
  'delete-vpc': endpoint({
    summary: 'Delete a VPC',
    method: 'DELETE',
    path: vpcPath,
    status: 202,
    busy: /already being updated/i,
    goal: gone('vpc'),
  }),
  'attach-vpc': endpoint({
    summary: 'Attach a service to a VPC',
    method: 'POST',
    path: `${servicePath}/attachToVPC`,
    body: z.object({ vpc_id: fields.vpc_id }),
    response: ActionResult,
    status: 202,
    repeatable: false,
    after: { goal: vpcCreated, during: ['CREATING'] },
    goal: ofService.awaits(10, describeAttachment, isAttached, true),
    already: alreadyIf(describeAttachment, isSurelyAttached, 'refused'),
  }),
  'detach-vpc': endpoint({
    summary: 'Detach a service from its VPC',
    method: 'POST',
    path: `${servicePath}/detachFromVPC`,
    body: z.object({ vpc_id: fields.vpc_id }),
    response: ActionResult,
    status: 202,
    repeatable: false,
    goal: ofService.awaits(
      10,
      describeDetachment,
      (record, requested) => !isAttached(record, requested),
      true,
    ),
    already: alreadyIf(describeDetachment, isDetached, 'refused'),
  }),
  'list-peerings': endpoint({
    summary: 'List the peerings of a VPC',
    method: 'GET',
    path: `${vpcPath}/peerings`,
    response: Peerings,
    lists: {
      noun: 'peerings',
      columns: ['id', 'status', 'peer_account_id', 'peer_region_code', 'peer_vpc_id'],
    },
    status: 200,
  }),
  'get-peering': endpoint({
    summary: 'Read a peering',
    method: 'GET',
    path: peeringPath,
    response: Peering,
    status: 200,
  }),
  'create-peering': endpoint({
    summary: 'Request a peering of a VPC with another one',
    method: 'POST',
    path: `${vpcPath}/peerings`,
    body: z.object({
      peer_account_id: fields.peer_account_id,
      peer_region_code: fields.peer_region_code,
      peer_vpc_id: fields.peer_vpc_id,
    }),
    response: Peering,
    status: 201,
    creates: 'peering',
    after: { goal: vpcCreated, during: ['CREATING'] },
    goal: peeringAccepted,
  }),
  'delete-peering': endpoint({
    summary: 'Delete a peering',
    method: 'DELETE',
    path: peeringPath,
    status: 204,
    goal: gone('peering'),
  }),
}
