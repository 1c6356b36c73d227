import * as z from 'zod/mini'
import { isNamed, vpcAlready, wordsOfName } from './already.ts'
import { endpoint } from './endpoint.ts'
import { fields } from './fields.ts'
import { gone, peeringAccepted } from './goal.ts'
import { ActionResult, Peering, Peerings, Vpc, Vpcs } from './records.ts'

const project = '/projects/{project_id}/vpcs'
const vpc = `${project}/{vpc_id}` as const
const peering = `${vpc}/peerings/{peering_id}` as const

export const vpcs = {
  'list-vpcs': endpoint({
    summary: 'List the VPCs of a project',
    method: 'GET',
    path: project,
    response: Vpcs,
    status: 200,
  }),
  'create-vpc': endpoint({
    summary: 'Create a VPC',
    method: 'POST',
    path: project,
    body: () => z.object({ name: fields.name, cidr: fields.cidr, region_code: fields.region_code }),
    response: Vpc,
    status: 201,
    creates: 'vpc',
  }),
  'get-vpc': endpoint({
    summary: 'Read a VPC',
    method: 'GET',
    path: vpc,
    response: Vpc,
    status: 200,
  }),
  'delete-vpc': endpoint({
    summary: 'Delete a VPC',
    method: 'DELETE',
    path: vpc,
    status: 204,
    busy: /already being updated/i,
    goal: gone('vpc'),
  }),
  'rename-vpc': endpoint({
    summary: 'Rename a VPC',
    method: 'POST',
    path: `${vpc}/rename`,
    body: () => z.object({ name: fields.name }),
    response: ActionResult,
    repeatable: true,
    status: 200,
    already: vpcAlready({ is: isNamed, words: wordsOfName, call: 'sent' }),
  }),
  'list-peerings': endpoint({
    summary: 'List the peerings of a VPC',
    method: 'GET',
    path: `${vpc}/peerings`,
    response: Peerings,
    status: 200,
  }),
  'create-peering': endpoint({
    summary: 'Ask for a peering of a VPC with another one',
    method: 'POST',
    path: `${vpc}/peerings`,
    body: () =>
      z.object({
        peer_account_id: fields.peer_account_id,
        peer_region_code: fields.peer_region_code,
        peer_vpc_id: fields.peer_vpc_id,
      }),
    response: Peering,
    status: 201,
    creates: 'peering',
    goal: peeringAccepted,
  }),
  'get-peering': endpoint({
    summary: 'Read a peering',
    method: 'GET',
    path: peering,
    response: Peering,
    status: 200,
  }),
  'delete-peering': endpoint({
    summary: 'Delete a peering',
    method: 'DELETE',
    path: peering,
    status: 204,
    goal: gone('peering'),
  }),
}
