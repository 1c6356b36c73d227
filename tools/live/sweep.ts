/** Deletes the services of walks. */
import { isEnding } from '#api/service-states'
import { ApiError } from '#base/errors'
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import type { Client } from '#client/client'
import { listRecords, readRecord } from '#operations/base/read-record'
import { isOwnedByTool } from './names.ts'
import type { Witness } from './report/witness.ts'

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

/**
 * Checks during which a new record may not be found yet, and an unanswered request may be processed: with a second
 * between them, 65 s.
 */
const youngChecks = 65

/** A service of this tool. */
interface Found {
  id: string
  name: string
  isEnding: boolean
  /** Its replica sets, which must be deleted first. */
  replicaSets: string[]
}

/** Replica sets that cannot be listed are omitted: the service is deleted nevertheless. */
async function listReplicaSets({ client, project_id }: Sweeping, service_id: string): Promise<string[]> {
  const sets = await client.call('list-replicas', { project_id, service_id }).catch(error => {
    if (error instanceof ApiError) return []
    throw error
  })
  return sets.map(({ id }) => id)
}

/** The services of this tool, by the list and by the answers of this run. `isUnseen`: more may still appear. */
async function find(sweeping: Sweeping): Promise<{ found: Found[]; isUnseen: boolean }> {
  const { client, seam, witness, project_id, every } = sweeping
  const found: Found[] = []
  const isYoung = (at: number | undefined) => at !== undefined && seam.now() - at < youngChecks * every
  let isUnseen = isYoung(witness.lostAt)
  const listed = (await listRecords(client, 'service', { project_id })).filter(isOwnedByTool)
  for (const id of new Set([...witness.created.keys(), ...listed.map(one => one.service_id)])) {
    const record = await readRecord(client, 'service', { project_id, service_id: id })
    // Its name is read again: only services with a name of this tool are deleted.
    if (record && isOwnedByTool(record)) {
      const replicaSets = await listReplicaSets(sweeping, id)
      found.push({ id, name: record.name ?? '', isEnding: isEnding(record), replicaSets })
    } else if (!record && !witness.ending.has(id) && isYoung(witness.created.get(id))) isUnseen = true
  }
  return { found, isUnseen }
}

async function remove(
  { client, project_id, say }: Sweeping,
  { id, name, replicaSets }: Found,
): Promise<void> {
  const ids = { project_id, service_id: id }
  // For example while it is being created: the request is repeated.
  const report = (error: unknown) => say(`  ${name}: not yet: ${messageOf(error)}`)
  say(`  deletes ${name}`)
  for (const replica_set_id of replicaSets)
    await client.call('delete-replica', { ...ids, replica_set_id }).catch(report)
  await client.call('delete-service', ids).catch(report)
}

/**
 * Deletes the services of all runs, and waits until they are gone. Returns the remaining names, with ids, at the
 * deadline.
 */
export async function sweep(sweeping: Sweeping): Promise<string[]> {
  const { seam, witness, every, patience, say } = sweeping
  await witness.quiet()
  const since = seam.now()
  let left = ['the project could not be read']
  while (seam.now() - since < patience) {
    try {
      const { found, isUnseen } = await find(sweeping)
      left = found.map(({ name, id }) => `${name} (${id})`)
      if (left.length === 0 && !isUnseen) return []
      for (const one of found) if (!one.isEnding) await remove(sweeping, one)
    } catch (error) {
      say(`  not yet: ${messageOf(error)}`)
    }
    await seam.sleep(every)
  }
  return left
}
