/** Finds the row of the contract for a request. */
import { pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'

/** The end of the API's base address (docs/internals/api.md, "Address and keys"). */
export const basePath = '/public/api/v1'

export interface Route {
  operation: EndpointName
  /** The values of the path parameters. */
  path: Record<string, string>
}

interface Pattern {
  operation: EndpointName
  method: string
  /** The parts of the path; undefined for a parameter. */
  parts: (string | undefined)[]
  names: string[]
}

const names = Object.keys(endpoints) as EndpointName[]

const patterns: Pattern[] = names.map(operation => {
  const { method, path } = endpoints[operation]
  const parts = path.split('/').map(part => (part.startsWith('{') ? undefined : part))
  return { operation, method, parts, names: pathParameters(path) }
})

function matches(pattern: Pattern, parts: string[]): boolean {
  const matchesPart = (part: string | undefined, index: number) =>
    part === undefined ? parts[index] !== '' : part === parts[index]
  return pattern.parts.length === parts.length && pattern.parts.every(matchesPart)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Invalid percent-encoding. No id looks like that, so no record matches.
    return segment
  }
}

function values(pattern: Pattern, parts: string[]): Record<string, string> {
  const { names } = pattern
  const found = parts.filter((_, index) => pattern.parts[index] === undefined)
  return Object.fromEntries(names.map((name, index) => [name, decode(found[index] ?? '')]))
}

/**
 * Finds the row of the contract for a request. Returns the allowed methods if the path exists only with
 * others; undefined if the path is unknown. `path` starts after the base path.
 */
export function findRoute(method: string, path: string): Route | { allowed: string[] } | undefined {
  const parts = path.split('/')
  const matching = patterns.filter(pattern => matches(pattern, parts))
  const pattern = matching.find(candidate => candidate.method === method)
  if (pattern) return { operation: pattern.operation, path: values(pattern, parts) }
  return matching.length > 0 ? { allowed: matching.map(candidate => candidate.method) } : undefined
}
