// The steps with VPCs and peerings.

import { ApiError } from '#base/errors'
import { nameOf } from '../names.ts'
import { change, settle } from './settle.ts'
import type { Main, Tour } from './tour.ts'

/**
 * Requests a peering with an account that does not exist, because an accepted one needs a real cloud account. Most
 * likely it is refused, or never answered.
 */
async function askForPeering(tour: Tour, own: { project_id: string; vpc_id: string }, region: string) {
  const { client, findings } = tour
  const peer = {
    peer_account_id: '000000000000',
    peer_region_code: region,
    peer_vpc_id: 'vpc-00000000000000000',
  }
  try {
    const { id: peering_id } = await client.call('create-peering', { ...own, ...peer }, { attempts: 1 })
    const { status } = await client.call('get-peering', { ...own, peering_id })
    findings.facts['status of a peering without acceptance'] = findings.clean(status ?? 'none')
    await change(tour, 'delete-peering', { ...own, peering_id })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

async function deleteVpc(tour: Tour, own: { project_id: string; vpc_id: string }): Promise<void> {
  const { seam, signal, every } = tour
  for (;;) {
    try {
      await change(tour, 'delete-vpc', own)
      return
    } catch (error) {
      const isBusy = error instanceof ApiError && /already being updated/i.test(error.serverMessage)
      if (!isBusy || seam.now() > tour.deadline) throw error
      await seam.sleep(5 * every, signal)
    }
  }
}

export async function walkVpc(tour: Tour, { ids, record }: Main): Promise<void> {
  const { client, run, project_id } = tour
  const region_code = record.region_code ?? 'us-east-1'
  const asked = { project_id, name: nameOf(run, 'vpc'), cidr: '10.99.0.0/24', region_code }
  const { id: vpc_id } = await client.call('create-vpc', asked)
  const own = { project_id, vpc_id }
  await settle(tour, 'create-vpc', own)
  await client.call('get-vpc', own)
  await client.call('rename-vpc', { ...own, name: nameOf(run, 'renamed') })
  await client.call('list-peerings', own)
  await askForPeering(tour, own, region_code)
  await change(tour, 'attach-vpc', { ...ids, vpc_id })
  await change(tour, 'detach-vpc', { ...ids, vpc_id })
  await deleteVpc(tour, own)
}
