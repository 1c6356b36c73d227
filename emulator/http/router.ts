import { pathParameters } from '../../src/api/endpoint.ts'
import { type EndpointName, endpoints } from '../../src/api/endpoints.ts'

/** The base address of the API ends with it (docs/api.md, "Address and keys"). */
export const basePath = '/public/api/v1'

export interface Route {
  operation: EndpointName
  /** The values of the path parameters. */
  path: Record<string, string>
}

interface Pattern {
  operation: EndpointName
  method: string
  expression: RegExp
  names: string[]
}

const names = Object.keys(endpoints) as EndpointName[]

const patterns: Pattern[] = names.map(operation => {
  const { method, path } = endpoints[operation]
  const expression = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
  return { operation, method, expression, names: pathParameters(path) }
})

/**
 * Finds the row of the contract for a request. Returns the allowed methods where the path is known but not with this
 * method, undefined where the path is unknown. `path` starts after the base path.
 */
export function findRoute(method: string, path: string): Route | { allowed: string[] } | undefined {
  const matching = patterns.filter(({ expression }) => expression.test(path))
  const pattern = matching.find(candidate => candidate.method === method)
  if (pattern) return { operation: pattern.operation, path: values(pattern, path) }
  return matching.length > 0 ? { allowed: matching.map(candidate => candidate.method) } : undefined
}

function values({ expression, names }: Pattern, path: string): Record<string, string> {
  const found = expression.exec(path)?.slice(1) ?? []
  return Object.fromEntries(names.map((name, index) => [name, decode(found[index] ?? '')]))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Not valid percent-encoding. No id looks like that, so no record will be found.
    return segment
  }
}
