// Deletes the records of walks.

import { type Records, type Resource, resources } from '#api/resource'
import { isEnding } from '#api/service-states'
import { ApiError, messageOf } from '#base/errors'
import type { Seam } from '#base/seam'
import type { Client } from '#client/client'
import { idOf, listRecords, readRecord } from '#operations/base/read-record'
import { isOurs } from './names.ts'
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
const late = 65

/** A record of this tool. */
interface Found {
  resource: 'service' | 'vpc'
  id: string
  name: string
  isEnding: boolean
  /** Records that must be deleted first: replica sets or peerings. */
  inner: string[]
}

const innerOf = { service: 'replica_set', vpc: 'peering' } as const

/**
 * The records in a list. A key that cannot list VPCs has created none. Inner records that cannot be listed are omitted:
 * the outer record is deleted nevertheless.
 */
async function listIfAllowed<Kind extends Resource>(
  { client, project_id }: Sweeping,
  resource: Kind,
  ids: Record<string, string> = {},
): Promise<Records[Kind][]> {
  try {
    return await listRecords(client, resource, { project_id, ...ids })
  } catch (error) {
    if (!(error instanceof ApiError) || resource === 'service') throw error
    if (resource === 'vpc' && ![403, 404].includes(error.status)) throw error
    return []
  }
}

/** The records of this tool, by lists and by the answers of this run. `isUnseen`: more may still appear. */
async function find(sweeping: Sweeping): Promise<{ found: Found[]; isUnseen: boolean }> {
  const { client, seam, witness, project_id, every } = sweeping
  const found: Found[] = []
  const isYoung = (at: number | undefined) => at !== undefined && seam.now() - at < late * every
  let isUnseen = isYoung(witness.lostAt)
  for (const resource of ['service', 'vpc'] as const) {
    const { id: idName } = resources[resource]
    const listed = (await listIfAllowed(sweeping, resource)).filter(isOurs)
    const ids = [...witness.created[resource].keys(), ...listed.map(record => idOf(resource, record))]
    for (const id of new Set(ids)) {
      const record = await readRecord(client, resource, { project_id, [idName]: id })
      // Its name is read again: only records with a name of this tool are deleted.
      if (record && isOurs(record)) {
        const parts = await listIfAllowed(sweeping, innerOf[resource], { [idName]: id })
        const inner = parts.map(part => idOf(innerOf[resource], part))
        found.push({ resource, id, name: record.name ?? '', isEnding: isEnding(record), inner })
      } else if (!record && !witness.ending.has(id) && isYoung(witness.created[resource].get(id)))
        isUnseen = true
    }
  }
  return { found, isUnseen }
}

async function remove(sweeping: Sweeping, { resource, id, name, inner }: Found): Promise<void> {
  const { client, project_id, say } = sweeping
  const ask = async (kind: Resource, ids: Record<string, string>) => {
    try {
      await client.callAny(resources[kind].delete, { project_id, ...ids })
    } catch (error) {
      // For example while it is being created: the request is repeated.
      say(`  ${name}: not yet: ${messageOf(error)}`)
    }
  }
  say(`  deletes ${name}`)
  const own = { [resources[resource].id]: id }
  const kind = innerOf[resource]
  for (const part of inner) await ask(kind, { ...own, [resources[kind].id]: part })
  await ask(resource, own)
}

/**
 * Deletes the records of all runs, and waits until they are gone. Returns the remaining names, with ids, at the
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
