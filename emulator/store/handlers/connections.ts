/** Handlers of poolers and VPC attachments. */
import type { Handlers } from '../handler.ts'
import { conflict, invalid, notFound } from '../refusal.ts'
import { checkCreated, findLivingService, findReadyService } from './find.ts'
import { close, disablePooler, enablePooler, open } from './forwarding.ts'

function attachedMessage(
  serviceId: string,
  { vpcId, work }: { vpcId: string; work: { change: { kind: 'open' | 'close' } } | undefined },
): string {
  if (work === undefined) return `service ${serviceId} is already attached to VPC ${vpcId}: detach it first`
  const doing = work.change.kind === 'open' ? 'attached to' : 'detached from'
  return `service ${serviceId} is still being ${doing} VPC ${vpcId}; try again later`
}

/** The handlers of poolers and VPCs, which determine the addresses for clients. */
export const connections = {
  'enable-pooler': (context, params) => {
    const service = findReadyService(context, params, 'enable the pooler')
    return enablePooler(context, service.id, service)
  },
  'disable-pooler': (context, params) => {
    const service = findReadyService(context, params, 'disable the pooler')
    return disablePooler(context, service.id, service)
  },
  'attach-vpc': (context, params) => {
    const service = findReadyService(context, params, 'attach it to a VPC')
    const vpc = context.state.vpcs.get(params.vpc_id)
    if (vpc === undefined) throw notFound(`VPC ${params.vpc_id}`)
    checkCreated(context, vpc)
    if (vpc.regionCode !== service.regionCode) {
      throw invalid(
        `VPC ${vpc.id} is in region ${vpc.regionCode}, service ${service.id} in ${service.regionCode}: they must be in the same`,
      )
    }
    if (service.attachment) throw conflict(attachedMessage(service.id, service.attachment))
    const forwarding = open(context, { id: service.id, serviceId: service.id }, 'vpc')
    service.attachment = { ...forwarding, vpcId: vpc.id }
    return { message: 'Service is being attached to the VPC' }
  },
  'detach-vpc': (context, params) => {
    const service = findLivingService(context, params)
    const { attachment } = service
    if (!context.state.vpcs.has(params.vpc_id)) throw notFound(`VPC ${params.vpc_id}`)
    if (attachment?.vpcId !== params.vpc_id) {
      throw conflict(`service ${service.id} is not attached to VPC ${params.vpc_id}`)
    }
    if (attachment.work) throw conflict(attachedMessage(service.id, attachment))
    close(context, { id: service.id, serviceId: service.id }, 'vpc', attachment)
    return { message: 'Service is being detached from the VPC' }
  },
} satisfies Partial<Handlers>
