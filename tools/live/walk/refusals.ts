// Expects and records refusals.

import type { EndpointParameters } from '#api/endpoint'
import type { EndpointName, Endpoints } from '#api/endpoints'
import { ApiError } from '#base/errors'
import type { Tour } from './tour.ts'

/** Records the refusal of a call. */
export function noteRefusal({ findings }: Tour, when: string, error: ApiError): void {
  const { call, status, code = '', serverMessage } = error
  const operation = call.operation as EndpointName
  const message = findings.clean(serverMessage)
  findings.refusals.push({ operation, when, status, code: findings.clean(code), message })
}

/** Sends a call that must be refused, with this status and message. */
export async function expectRefusal<Name extends EndpointName>(
  tour: Tour,
  [name, parameters]: [Name, EndpointParameters<Endpoints[Name]>],
  { when, status, words }: { when: string; status: number; words?: RegExp },
): Promise<void> {
  const { client, findings } = tour
  try {
    await client.call(name, parameters, { attempts: 1 })
    findings.differ(`${name} ${when}: is not refused`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    noteRefusal(tour, when, error)
    if (status !== error.status)
      findings.differ(`${name} ${when}: refused with ${error.status}, not ${status}`)
    if (words && !words.test(error.serverMessage))
      findings.differ(`${name} ${when}: in other words: ${findings.clean(error.serverMessage)}`)
  }
}
