/** The vendor's descriptions of its API: their addresses, and their allowed differences from docs/openapi.json. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { Description } from './compare.ts'

const published = (repository: string, path: string) =>
  `https://raw.githubusercontent.com/timescale/${repository}/main/${path}`

const both = [
  // It ends the session of a person; the action has only keys (docs/internals/api.md, "Address and keys").
  /^POST \/auth\/logout takes refresh_token,/,
  // docs/openapi.json lists no fields of the metrics: a comment shows the storage if the record has it.
  / answers metrics\.(memory_mb|storage_mb|milli_cpu),/,
  // Only the specification has it.
  / does not answer paused any more$/,
]

export const sources = [
  {
    name: 'older',
    url: published('tiger-cli', 'openapi.yaml'),
    intended: [
      ...both,
      // Fields, statuses and endpoints of the newer description, which the action follows.
      /\/(enableDataTiering|metrics\/details\/\{\}) is in the contract, and not published any more$/,
      /metrics\/series takes name,/,
      /metrics\/series does not take (metric_name|group_by|filters\.match_type) any more$/,
      / does not answer data_tiering(\.enabled)? any more$/,
      /^(GET|POST) \S+\/vpcs\S* does not answer (created|status|provisioned_id) any more$/,
      /^POST \S+\/vpcs answers with status 201, the contract with 202$/,
      /^DELETE \S+\/vpcs\/\{\} answers with status 204, the contract with 202$/,
    ],
  },
  {
    name: 'newer',
    url: published('Tiger-Data-Docs', 'stainless/openapi.yml'),
    // Only the specification and the older description have analytics.
    intended: [
      ...both,
      /^POST \/analytics\/(identify|track) is in the contract, and not published any more$/,
    ],
  },
]

/** Rejects with a message for readers: the source, the reason, and an alternative. */
export async function readDescription(url: string, file?: string): Promise<Description> {
  try {
    if (file !== undefined) return parse(await readFile(file, 'utf8'))
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return parse(await answer.text())
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    const advice = 'Give the older and the newer description as files.'
    throw new Error(`cannot read ${file ?? url}: ${reason}. ${advice}`, { cause: error })
  }
}
