/** Rows of the contract: VPCs and peerings. */
import * as z from 'zod/mini'
import { isNamed, serviceAlready, vpcAlready, wordsOfName } from './already.ts'
import { endpoint } from './endpoint.ts'
import { fields } from './fields/fields.ts'
import { gone, peeringAccepted, serviceIs, vpcCreated } from './goal.ts'
import { ActionResult, Peering, Peerings, Vpc, Vpcs } from './records.ts'
import { type Attachment, isAttached } from './service-states.ts'

const service = '/projects/{project_id}/services/{service_id}'
const project = '/projects/{project_id}/vpcs'
const vpc = `${project}/{vpc_id}` as const
const peering = `${vpc}/peerings/{peering_id}` as const

export const vpcs = {
  'list-vpcs': endpoint({
    summary: 'List the VPCs of a project',
    method: 'GET',
    path: project,
    response: Vpcs,
    lists: { noun: 'VPCs', columns: ['id', 'name', 'cidr', 'region_code'] },
    status: 200,
  }),
  'get-vpc': endpoint({
    summary: 'Read a VPC',
    method: 'GET',
    path: vpc,
    response: Vpc,
    status: 200,
  }),
  'create-vpc': endpoint({
    summary: 'Create a VPC',
    method: 'POST',
    path: project,
    body: z.object({ name: fields.name, cidr: fields.cidr, region_code: fields.region_code }),
    response: Vpc,
    status: 202,
    creates: 'vpc',
    goal: vpcCreated,
  }),
  'rename-vpc': endpoint({
    summary: 'Rename a VPC',
    method: 'POST',
    path: `${vpc}/rename`,
    body: z.object({ name: fields.name }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    already: vpcAlready({ is: isNamed, words: wordsOfName, call: 'sent' }),
  }),
  'delete-vpc': endpoint({
    summary: 'Delete a VPC',
    method: 'DELETE',
    path: vpc,
    status: 202,
    busy: /already being updated/i,
    goal: gone('vpc'),
  }),
  'attach-vpc': endpoint({
    summary: 'Attach a service to a VPC',
    method: 'POST',
    path: `${service}/attachToVPC`,
    body: z.object({ vpc_id: fields.vpc_id }),
    response: ActionResult,
    status: 202,
    repeatable: false,
    after: { goal: vpcCreated, during: ['CREATING'] },
    goal: serviceIs(
      10,
      ({ vpc_id }: Attachment) => `be attached to VPC ${vpc_id}`,
      (record, { vpc_id }) => isAttached(record, vpc_id),
      true,
    ),
    already: serviceAlready({
      // Stricter than `isAttached`: a record that does not name its VPC proves nothing.
      is: (record, asked: Attachment) => record.vpcEndpoint?.vpc_id === asked.vpc_id,
      words: ({ vpc_id }) => `is already attached to VPC ${vpc_id}`,
      call: 'refused',
    }),
  }),
  'detach-vpc': endpoint({
    summary: 'Detach a service from its VPC',
    method: 'POST',
    path: `${service}/detachFromVPC`,
    body: z.object({ vpc_id: fields.vpc_id }),
    response: ActionResult,
    status: 202,
    repeatable: false,
    goal: serviceIs(
      10,
      ({ vpc_id }: Attachment) => `be detached from VPC ${vpc_id}`,
      (record, { vpc_id }) => !isAttached(record, vpc_id),
      true,
    ),
    already: serviceAlready({
      // A service in another VPC than the requested one is a mistake, so the step fails.
      is: record => record.vpcEndpoint === undefined,
      words: ({ vpc_id }: Attachment) => `is already detached from VPC ${vpc_id}`,
      call: 'refused',
    }),
  }),
  'list-peerings': endpoint({
    summary: 'List the peerings of a VPC',
    method: 'GET',
    path: `${vpc}/peerings`,
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
    path: peering,
    response: Peering,
    status: 200,
  }),
  'create-peering': endpoint({
    summary: 'Request a peering of a VPC with another one',
    method: 'POST',
    path: `${vpc}/peerings`,
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
    path: peering,
    status: 204,
    goal: gone('peering'),
  }),
}
