import type { Service, Vpc } from '../../src/api/records.ts'
import { type Resource, resources } from '../../src/api/resource.ts'
import { isEnding } from '../../src/api/service-states.ts'
import { messageOf } from '../../src/base/errors.ts'
import type { Seam } from '../../src/base/seam.ts'
import { type Client, callAny } from '../../src/client/client.ts'
import { isDeleted, listRecords, readRecord } from '../../src/operations/base/read-record.ts'
import { isOurs } from './names.ts'
import type { Witness } from './witness.ts'

interface Sweeping {
  client: Client
  seam: Seam
  witness: Witness
  project_id: string
  every: number
  /** Milliseconds. */
  patience: number
  say(line: string): void
}

/** What is in the project of ours: what lists show, and what answers named. */
async function find({
  client,
  witness,
  project_id,
}: Sweeping): Promise<{ services: Service[]; vpcs: Vpc[] }> {
  const listed = await listRecords(client, 'service', { project_id })
  const ids = new Set([...witness.created, ...listed.filter(isOurs).map(one => one.service_id)])
  const services: Service[] = []
  for (const service_id of ids) {
    // The name is asked for again: nothing but what bears ours is deleted.
    const record = await readRecord(client, 'service', { project_id, service_id })
    if (record && isOurs(record)) services.push(record)
    else witness.created.delete(service_id)
  }
  const vpcs = (await listRecords(client, 'vpc', { project_id })).filter(
    vpc => isOurs(vpc) && !isDeleted(vpc),
  )
  return { services, vpcs }
}

async function ask(
  { client, say }: Sweeping,
  resource: Resource,
  ids: Record<string, string>,
): Promise<void> {
  try {
    await callAny(client)(resources[resource].delete, ids)
  } catch (error) {
    // Such as that it is still being made: it is asked again.
    say(`  not yet: ${messageOf(error)}`)
  }
}

async function removeAll(sweeping: Sweeping, { services, vpcs }: Awaited<ReturnType<typeof find>>) {
  const { project_id, say } = sweeping
  for (const service of services.filter(one => !isEnding(one))) {
    const { service_id } = service
    say(`  deletes ${service.name}`)
    for (const { id } of service.read_replica_sets ?? [])
      await ask(sweeping, 'replica_set', { project_id, service_id, replica_set_id: id })
    await ask(sweeping, 'service', { project_id, service_id })
  }
  for (const { id, name } of vpcs) {
    say(`  deletes the VPC ${name}`)
    await ask(sweeping, 'vpc', { project_id, vpc_id: id })
  }
}

/** Milliseconds in which a request of which no answer came may still be processed. */
const late = 65_000

/**
 * Deletes what any run has made, and waits until it is gone. Gives what is left when the time is over: names, with ids, for
 * the person who started it.
 */
export async function sweep(sweeping: Sweeping): Promise<string[]> {
  const { seam, witness, every, patience, say } = sweeping
  await witness.quiet()
  const since = seam.now()
  let left = ['the project could not be read']
  while (seam.now() - since < patience) {
    try {
      const found = await find(sweeping)
      left = [...found.services, ...found.vpcs].map(
        ({ name, ...one }) => `${name} (${one.service_id ?? one.id})`,
      )
      const isQuiet = witness.lostAt === undefined || seam.now() - witness.lostAt > late
      if (left.length === 0 && isQuiet) return []
      await removeAll(sweeping, found)
    } catch (error) {
      say(`  not yet: ${messageOf(error)}`)
    }
    await seam.sleep(every)
  }
  return left
}
