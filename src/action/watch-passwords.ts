import type { Seam } from '../client/seam.ts'

/** A JSON string under the name that the API gives a new service's password. */
const givenPassword = /"initial_password"\s*:\s*("(?:[^"\\]|\\.)*")/gs
const serviceOfPath = /\/services\/([\w-]{1,64})/
const serviceOfRecord = /"service_id"\s*:\s*"([\w-]{1,64})"/g

export interface PasswordListener {
  /** An answer gives a service's first password. */
  onGiven(password: string): void
  /** A request, or an answer that is no list, is about a service. */
  onService(serviceId: string): void
}

function parseText(json: string): string {
  try {
    return JSON.parse(json) as string
  } catch {
    return json.slice(1, -1)
  }
}

/**
 * The seam, telling of passwords before anything reads the answer that may repeat them: also of those in an answer
 * that is then refused as unreadable, and of the services whose derived passwords the server knows from earlier runs.
 */
export function watchPasswords(seam: Seam, { onGiven, onService }: PasswordListener): Seam {
  return {
    ...seam,
    async send(request) {
      const [, asked] = serviceOfPath.exec(request.url) ?? []
      if (asked !== undefined) onService(asked)
      const response = await seam.send(request)
      for (const [, json = ''] of response.body.matchAll(givenPassword)) onGiven(parseText(json))
      // A list may hold hundreds of services that this step is not about.
      if (/^\s*\[/.test(response.body)) return response
      for (const [, serviceId = ''] of response.body.matchAll(serviceOfRecord)) onService(serviceId)
      return response
    },
  }
}
