/** Handlers of VPCs and peerings. */
import type { HandlerContext, Handlers } from '../handler.ts'
import { begin } from '../progress/work.ts'
import { createNumericId, createProvisionedId } from '../random-values.ts'
import { conflict } from '../refusal.ts'
import { renderPeering, renderVpc } from '../render.ts'
import type { PeeringFate, VpcState } from '../state.ts'
import { checkCreated, checkProject, findPeering, findVpc } from './find.ts'
import { checkRegion } from './limits.ts'

/** Peer account ids whose peerings always end in this way, with any options. */
export const peeringFates: Record<string, PeeringFate> = {
  '000000000000': 'pending',
  '999999999999': 'failed',
}

/** A VPC that services and peerings can use. */
function findCreatedVpc(context: HandlerContext, params: { project_id: string; vpc_id: string }) {
  const vpc = findVpc(context, params)
  checkCreated(context, vpc)
  return vpc
}

function checkUnused({ state, now }: HandlerContext, vpc: VpcState): void {
  if (vpc.work?.change.kind === 'delete') throw conflict(`VPC ${vpc.id} is being deleted`)
  if (vpc.work) throw conflict(`VPC ${vpc.id} is already being updated`)
  const attachments = [...state.services.values()]
    .map(service => ({ service, attachment: service.attachment }))
    .filter(({ attachment }) => attachment?.vpcId === vpc.id)
  const attached = attachments.find(({ attachment }) => attachment?.work?.change.kind !== 'close')
  if (attached)
    throw conflict(`VPC ${vpc.id} still has service ${attached.service.id} attached: detach it first`)
  if (attachments.length > 0 || now < vpc.busyUntil) throw conflict(`VPC ${vpc.id} is already being updated`)
  if (vpc.peerings.size > 0) throw conflict(`VPC ${vpc.id} still has peerings: delete them first`)
}

export const vpcs = {
  'list-vpcs': (context, params) => {
    checkProject(context, params)
    return [...context.state.vpcs.values()].map(vpc => renderVpc(context, vpc))
  },
  'create-vpc': (context, params) => {
    checkProject(context, params)
    checkRegion(params.region_code)
    const vpc: VpcState = {
      id: createNumericId(context),
      name: params.name,
      cidr: params.cidr,
      regionCode: params.region_code,
      created: context.now,
      provisionedId: createProvisionedId(context, 'vpc'),
      work: begin(context, 'create-vpc', { kind: 'create' }, []),
      busyUntil: context.now,
      peerings: new Map(),
    }
    context.state.vpcs.set(vpc.id, vpc)
    return renderVpc(context, vpc)
  },
  'get-vpc': (context, params) => renderVpc(context, findVpc(context, params)),
  'delete-vpc': (context, params) => {
    const vpc = findVpc(context, params)
    checkUnused(context, vpc)
    vpc.work = begin(context, 'delete-vpc', { kind: 'delete' }, [])
    return undefined
  },
  'rename-vpc': (context, params) => {
    findVpc(context, params).name = params.name
    return { message: 'VPC renamed' }
  },
  'list-peerings': (context, params) =>
    [...findVpc(context, params).peerings.values()].map(peering => renderPeering(context, peering)),
  'create-peering': (context, params) => {
    const vpc = findCreatedVpc(context, params)
    const peering = {
      id: createNumericId(context),
      peerAccountId: params.peer_account_id,
      peerRegionCode: params.peer_region_code,
      peerVpcId: params.peer_vpc_id,
      provisionedId: createProvisionedId(context, 'pcx'),
      fate: peeringFates[params.peer_account_id] ?? context.peerings,
      decidedAt: context.now + context.timing.peeringAfter,
    }
    vpc.peerings.set(peering.id, peering)
    // Shown as undecided: no peer accepts a peering within the call that requests it.
    return renderPeering({ ...context, now: -Infinity }, peering)
  },
  'get-peering': (context, params) => renderPeering(context, findPeering(context, params)),
  'delete-peering': (context, params) => {
    const { id } = findPeering(context, params)
    findVpc(context, params).peerings.delete(id)
    return undefined
  },
} satisfies Partial<Handlers>
