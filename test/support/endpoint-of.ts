/** Finds the endpoint of an operation. */
import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'

/** The endpoint of an operation. Throws if the code has none. */
export function endpointOf(operation: string): Endpoint {
  const row: Endpoint | undefined = (endpoints as Record<string, Endpoint>)[operation]
  if (row === undefined)
    throw new Error(`docs/internals/api.md has the operation ${operation}, but src/api/ has no row of it`)
  return row
}
