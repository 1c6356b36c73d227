/** Shares the requests of many concurrent waits for deletions: all waits read one list. */
import type { Service } from '#api/records'
import type { Semaphore } from '#base/semaphore'
import { shareRead } from '#base/shared-read'
import type { ReadMalformed, RecordFilter } from '#client/answer'
import { type AnyCall, clientOf } from '#client/client'
import type { Calls } from '#operations/base/context'
import { idOfMalformed } from '#operations/base/read-record'

/** The pause between two lists, in milliseconds. It is `perDuration` times as long as reading the list took. */
const pause = { least: 1500, most: 10_000, perDuration: 4 }

/**
 * The awaited services in the project's list, with one list request at a time. This is no poll: the pause spaces the
 * lists that all waits share.
 */
function shareList(
  { client, seam, signal }: Calls,
  semaphore: Semaphore,
  ids: { project_id: string; awaited: Set<string> },
): () => Promise<Service[]> {
  let pausedUntil = Number.NEGATIVE_INFINITY
  // A record without a readable id may be any awaited service, so it is parsed, and `readMalformed` throws.
  const only: RecordFilter = entry => {
    const id = idOfMalformed('service', entry)
    return id === undefined || ids.awaited.has(id)
  }
  const readMalformed: ReadMalformed = (entry, problem) => {
    const service_id = idOfMalformed('service', entry)
    if (service_id === undefined) throw problem
    // The service still exists. Its wait needs no more, and the other waits must not fail with it.
    return [{ service_id }]
  }

  async function read(): Promise<Service[]> {
    const start = seam.now()
    try {
      return await client.call(
        'list-services',
        { project_id: ids.project_id },
        { attempts: 1, only, readMalformed },
      )
    } finally {
      const duration = seam.now() - start
      pausedUntil = seam.now() + Math.min(pause.most, Math.max(pause.least, duration * pause.perDuration))
    }
  }

  return shareRead(
    () => semaphore.run(read, { first: true }),
    async () => {
      if (pausedUntil > seam.now()) await seam.sleep(pausedUntil - seam.now(), signal)
    },
  )
}

/**
 * Returns a context for many concurrent waits until services are gone. Its client answers reads of a service from the
 * shared list, until the list misses the service. So each is gone by the list and by a 404 (docs/internals/guarantees.md, "Gone").
 */
export function shareWaits<Needed extends Calls>(
  context: Needed,
  semaphore: Semaphore,
  projectId: string,
): Needed {
  const { client } = context
  const awaited = new Set<string>()
  /** By service id: the list without the service, reused when its wait asks for a list. */
  const listWithout = new Map<string, Service[]>()
  const readList = shareList(context, semaphore, { project_id: projectId, awaited })
  const call: AnyCall = async (name, parameters, options) => {
    const send = () => client.callAny(name, parameters, options)
    if (name !== 'get-service' && name !== 'list-services') return await send()
    const id = String(parameters.service_id)
    if (name === 'list-services') return listWithout.get(id) ?? (await readList())
    awaited.add(id)
    const listed = await readList()
    const found = listed.find(({ service_id }) => service_id === id)
    if (found !== undefined) return found
    listWithout.set(id, listed)
    return await semaphore.run(send, { first: true })
  }
  return { ...context, client: clientOf(call, () => client.date()) }
}
