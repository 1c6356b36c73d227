/** Checks the parameters of a request. */
import * as z from 'zod/mini'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { invalid, Refusal } from '../store/refusal.ts'
import type { Route } from './router.ts'

type Fields = Record<string, unknown>

const noFields = z.strictObject({})
const anyFields = z.object({})

/** Rejects fields that the schema does not have. */
const strict = (schema: z.ZodMiniObject) => z.catchall(schema, z.never())

const schemas = new Map(
  Object.entries<Endpoint>(endpoints).map(([operation, row]) => [
    operation,
    // Unknown fields of a body are ignored, like in the service: newer clients may send more.
    { query: strict(row.query ?? noFields), body: row.body ?? anyFields, hasBody: row.body !== undefined },
  ]),
)

/** The body as JSON. For a row without a body, an object without fields. */
function readBody(contentType: string, body: string, isExpected: boolean): unknown {
  if (body === '' && isExpected) throw invalid('expected a body, a JSON object')
  if (body === '') return {}
  // Bodies are JSON with its content type (docs/internals/api.md, "Address and keys").
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'expected Content-Type: application/json')
  }
  try {
    return JSON.parse(body)
  } catch {
    throw invalid('the body is not JSON')
  }
}

const withoutOptional = (schema: unknown) =>
  schema instanceof z.ZodMiniOptional ? schema._zod.def.innerType : schema

const isList = (schema: unknown) => withoutOptional(schema) instanceof z.ZodMiniArray

/** Digits become a number; any other text stays unchanged, and the schema rejects it. */
function readOne(schema: unknown, value: string): string | number {
  const isNumber = withoutOptional(schema) instanceof z.ZodMiniNumber
  return isNumber && /^\d{1,15}$/.test(value) ? Number(value) : value
}

/**
 * Lists may be written `search=a&search=b` or `search[]=a&search[]=b`: both are common, and the API does not
 * specify it.
 */
function readQuery(operation: EndpointName, query: URLSearchParams): Fields {
  const shape = (endpoints[operation] as Endpoint).query?.shape ?? {}
  const fields: Fields = {}
  for (const written of new Set(query.keys())) {
    const name = written.replace(/\[\]$/, '')
    const values = query.getAll(written)
    fields[name] = isList(shape[name]) || values.length > 1 ? values : readOne(shape[name], values[0] ?? '')
  }
  return fields
}

/** The service's description requires `target_time` for some forks, but does not forbid it for others. */
function withoutNeedless(operation: EndpointName, body: unknown): unknown {
  const isAsked = typeof body === 'object' && body !== null && 'target_time' in body
  if (operation !== 'fork-service' || !isAsked) return body
  const { target_time: _, ...rest } = body
  return 'fork_strategy' in rest && rest.fork_strategy === 'PITR' ? body : rest
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `unknown field ${issue.keys.map(key => `"${key}"`).join(', ')}`
  const path = issue.path.join('.')
  if (path === '') return 'expected a JSON object'
  return `${path}: expected ${issue.message}`
}

function check(schema: z.ZodMiniObject, value: unknown, part: string, problems: string[]): Fields {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  problems.push(...result.error.issues.map(issue => `${part}: ${describe(issue)}`))
  return {}
}

/** Checks a request against its row. Returns path, query and body fields in one object. Throws `Refusal`. */
export function readParameters(
  route: Route,
  query: URLSearchParams,
  contentType: string,
  body: string,
): Fields {
  const { operation, path } = route
  const schema = schemas.get(operation)
  if (schema === undefined) throw new Error(`no such operation: ${operation}`)
  const problems: string[] = []
  const sent = readBody(contentType, body, schema.hasBody)
  const fields = {
    ...check(schema.query, readQuery(operation, query), 'query', problems),
    ...check(schema.body, withoutNeedless(operation, sent), 'body', problems),
  }
  if (problems.length > 0) throw invalid(problems.join('; '))
  return { ...fields, ...path }
}
