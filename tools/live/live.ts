/** Runs the walk through a real service, and deletes its records. */
import type { Service } from '#api/records'
import { protectingTag } from '#api/service-states'
import { ActionError } from '#base/errors'
import { type Client, createClient } from '#client/client'
import { listRecords } from '#operations/base/read-record'
import { isOwnedByTool, nameRun } from './names.ts'
import { Findings } from './report/findings.ts'
import { Witness } from './report/witness.ts'
import { sweep } from './sweep.ts'
import type { LiveOptions } from './walk/tour.ts'
import { walk } from './walk/walk.ts'

export interface Lived {
  findings: Findings
  /** Records that could not be deleted. */
  left: string[]
}

/** Milliseconds for records of earlier runs, the walk, and its end: 45 minutes in total. */
const longest = { before: 5 * 60_000, walk: 32 * 60_000, end: 8 * 60_000 }

async function readProject(client: Client): Promise<string> {
  const { apiKey } = await client.call('get-auth-info', {})
  if (apiKey?.project !== undefined) return apiKey.project.id
  throw new ActionError(
    'the API did not return the project of the key',
    'report this with the answer to get-auth-info',
  )
}

function refuseProduction(services: Service[]): void {
  const tagged = services.filter(one => !isOwnedByTool(one) && protectingTag(one) !== undefined)
  if (tagged.length === 0) return
  throw new ActionError(
    `${tagged.length} services of this project have another tag than DEV`,
    'use a key of another project, or add --beside-production',
  )
}

/** Walks through the life of a service, and always deletes its own records. */
export async function live(options: LiveOptions): Promise<Lived> {
  const { baseUrl, credentials, say, every = 1000, listLag = '10s', signal } = options
  const findings = new Findings()
  for (const [as, secret] of Object.entries(credentials)) findings.hide(secret, as)
  const witness = new Witness(options.seam, baseUrl, findings)
  const { seam } = witness
  const never = new AbortController().signal
  const clientUntil = (time: number, until: AbortSignal) =>
    createClient({
      ...{ seam, baseUrl, credentials, maxAttempts: 5 },
      ...{ deadline: seam.now() + time, signal: until, creatingSignal: never, redact: text => text },
    })
  const cleaner = clientUntil(longest.before + longest.walk + longest.end, never)
  const project_id = await readProject(cleaner)
  const sweeping = { client: cleaner, seam, witness, project_id, every, say }
  if (!options.besideProduction) refuseProduction(await listRecords(cleaner, 'service', { project_id }))
  say('what earlier runs have left')
  let left = await sweep({ ...sweeping, patience: longest.before })
  if (options.onlyClean || left.length > 0) return { findings, left }
  const relay = await witness.openRelay()
  try {
    await walk({
      ...{ ...options, every, listLag, seam, findings, project_id, baseUrl: relay.baseUrl },
      ...{ client: clientUntil(longest.walk, signal), run: nameRun(), hasReached: false },
      deadline: seam.now() + longest.walk,
    })
  } catch (error) {
    if (!signal.aborted) throw error
    findings.skipped.push('the rest: the walk was ended')
  } finally {
    say('deletes what is left of this run')
    left = await sweep({ ...sweeping, patience: longest.end })
    relay.close()
  }
  return { findings, left }
}
