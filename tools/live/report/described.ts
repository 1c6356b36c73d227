/** Compares answers with the contract. */
import type { EndpointName } from '#api/endpoints'
import { describeApi } from '../../../emulator/openapi/document.ts'

/** A request of the run and its answer. */
export interface Exchange {
  operation: EndpointName
  status: number
  /** Undefined for an empty one; the text itself if it is not JSON. */
  body: unknown
  isJson: boolean
  headers: Record<string, string>
}

/** The contract's description of a value, as JSON Schema. */
interface Described {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Described>
  required?: string[]
  items?: Described
  enum?: unknown[]
  const?: unknown
  format?: string
}

interface DescribedOperation {
  operationId: EndpointName
  responses: Record<string, { content?: Record<string, { schema: Described }> }>
}

/** Derived from the contract, like `docs/openapi.json`. */
const { paths, components } = describeApi() as unknown as {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Described> }
}
const operations = new Map(
  Object.values(paths).flatMap(path => Object.values(path).map(one => [one.operationId, one])),
)

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A word for a kind or status. Any other text may be a private value. */
export const asWord = (value: unknown) =>
  /^[A-Za-z][A-Za-z_-]{0,39}$/.test(String(value)) ? String(value) : undefined

/** A field's name; one with digits may be an id used as a key. */
const asName = (name: string) => (/^[A-Za-z_]{1,60}$/.test(name) ? name : '(a name that is no word)')

/** The differences between a value and its description, each with its place; values themselves are not reported. */
function* differences(described: Described, value: unknown, place: string): Generator<string> {
  if (described.$ref !== undefined) {
    const name = described.$ref.split('/').at(-1) ?? ''
    yield* differences(components.schemas[name] ?? {}, value, name)
    return
  }
  const { type, properties, required = [], items } = described
  const kind = kindOf(value)
  const types = [type ?? []].flat()
  const isOf = (one: string) => one === kind || (one === 'number' && kind === 'integer')
  if (types.length > 0 && !types.some(isOf)) {
    yield `${place}: ${kind} in place of ${types.join(' or ')}`
    return
  }
  const allowed = described.enum ?? (described.const === undefined ? undefined : [described.const])
  if (allowed && !allowed.includes(value)) yield `${place}: an unknown value ${asWord(value) ?? '(no word)'}`
  if (described.format === 'date-time' && Number.isNaN(Date.parse(String(value))))
    yield `${place}: not a date and time`
  if (Array.isArray(value)) for (const one of value) yield* differences(items ?? {}, one, `${place}[]`)
  if (kind !== 'object' || properties === undefined) return
  const fields = value as Record<string, unknown>
  for (const name of required) if (!(name in fields)) yield `${place}: no field ${name}`
  for (const [name, field] of Object.entries(fields)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) yield* differences(known, field, `${place}.${name}`)
    else yield `${place}: unknown field ${asName(name)} (${kindOf(field)})`
  }
}

/** The differences between an answer and its contract. */
export function differencesOf({ operation, status, body, isJson, headers }: Exchange): string[] {
  const responses = operations.get(operation)?.responses ?? {}
  const usual = Object.keys(responses).find(one => /^\d+$/.test(one))
  const found: string[] = []
  if (status < 400 && String(status) !== usual)
    found.push(`${operation}: answers with ${status}, not ${usual}`)
  if (status >= 500 || status === 429) found.push(`${operation}: answers with ${status}`)
  const described = responses[status >= 400 ? '4XX' : (usual ?? '')]?.content?.['application/json']?.schema
  if (body === undefined) return described ? [...found, `${operation}: no body with ${status}`] : found
  if (!isJson) return [...found, `${operation}: the body is not JSON, with ${status}`]
  if (described === undefined) return [...found, `${operation}: a body with ${status}, where there is none`]
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    found.push(`${operation}: a content type that is not application/json`)
  return [...found, ...differences(described, body, operation)]
}
