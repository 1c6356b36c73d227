import type { Seam } from '../client/seam.ts'

/** A JSON string under the name that the API gives a new service's password. */
const givenPassword = /"initial_password"\s*:\s*("(?:[^"\\]|\\.)*")/gs

function parseText(json: string): string {
  try {
    return JSON.parse(json) as string
  } catch {
    return json.slice(1, -1)
  }
}

/**
 * The seam, with every password that an answer gives masked before anything reads the answer: also one that is
 * refused as unreadable, so that its password is never seen again as an output.
 */
export function maskGivenPasswords(seam: Seam, mask: (password: string) => void): Seam {
  return {
    ...seam,
    async send(request) {
      const response = await seam.send(request)
      for (const [, json = ''] of response.body.matchAll(givenPassword)) mask(parseText(json))
      return response
    },
  }
}
