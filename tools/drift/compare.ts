/** Compares two descriptions in OpenAPI 3: endpoints, fields of bodies and of answers, and statuses of success. */

/** The parts of a description that the comparison reads. */
export interface Description {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Content> }
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
}

interface Content {
  $ref?: string
  content?: { 'application/json'?: { schema?: Schema } }
}

interface Operation {
  requestBody?: Content
  responses?: Record<string, Content>
  /** The vendor's marks: the operation may change at any time, or is for its own clients. */
  'x-tigerdata-preview'?: boolean
  'x-tigerdata-internal'?: boolean
}

/** The compared names of an endpoint. Nested fields have paths, such as `endpoint.host`. */
interface Endpoint {
  body: string[]
  answer: string[]
  statuses: string[]
  isStable: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

const nameIn = (reference: string | undefined) => reference?.split('/').at(-1) ?? ''

/** The paths of the fields of a schema, including references and lists. A recursive schema is read once. */
function fieldsOf(schema: Schema | undefined, description: Description, above: string[] = []): string[] {
  if (schema === undefined) return []
  const { $ref: reference, properties = {}, items, allOf = [] } = schema
  if (reference !== undefined) {
    if (above.includes(reference)) return []
    return fieldsOf(description.components?.schemas?.[nameIn(reference)], description, [...above, reference])
  }
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...fieldsOf(inner, description, above).map(field => `${name}.${field}`),
  ])
  return [...own, ...[items, ...allOf].flatMap(part => fieldsOf(part, description, above))]
}

function contentFields(content: Content | undefined, description: Description): string[] {
  const referred = description.components?.responses?.[nameIn(content?.$ref)]
  const { schema } = (referred ?? content)?.content?.['application/json'] ?? {}
  return [...new Set(fieldsOf(schema, description))]
}

function readEndpoint(operation: Operation, description: Description): Endpoint {
  const { requestBody, responses = {} } = operation
  const statuses = Object.keys(responses).filter(status => status.startsWith('2'))
  return {
    body: contentFields(requestBody, description),
    answer: statuses.flatMap(status => contentFields(responses[status], description)),
    statuses,
    isStable: !operation['x-tigerdata-preview'] && !operation['x-tigerdata-internal'],
  }
}

/** By names such as `POST /projects/{}/services`: the names of ids differ between descriptions. */
function endpointsOf(description: Description): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>()
  for (const [path, operations] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(operations))
      if (methods.includes(method)) {
        const name = `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`
        endpoints.set(name, readEndpoint(operation, description))
      }
  return endpoints
}

const missingIn = (others: string[], names: string[]) => names.filter(name => !others.includes(name))

function compareEndpoint(name: string, published: Endpoint, own: Endpoint): string[] {
  const compareFields = (verb: 'take' | 'answer', fields: string[], ownFields: string[]) => [
    ...missingIn(ownFields, fields).map(field => `${name} ${verb}s ${field}, which the contract lacks`),
    ...missingIn(fields, ownFields).map(field => `${name} does not ${verb} ${field} any more`),
  ]
  const [statuses, ownStatuses] = [published.statuses.join(', '), own.statuses.join(', ')]
  return [
    ...compareFields('take', published.body, own.body),
    ...(statuses === ownStatuses
      ? []
      : [`${name} answers with status ${statuses}, the contract with ${ownStatuses}`]),
    ...compareFields('answer', published.answer, own.answer),
  ]
}

/**
 * The differences between the published description and the action's own, a sentence each. An unstable published
 * endpoint is compared only if the action has it.
 */
export function findDrift(published: Description, contract: Description): string[] {
  const publishedEndpoints = endpointsOf(published)
  const own = endpointsOf(contract)
  const gone = [...own.keys()].filter(name => !publishedEndpoints.has(name))
  return [
    ...gone.map(name => `${name} is in the contract, and not published any more`),
    ...[...publishedEndpoints].flatMap(([name, endpoint]) => {
      const known = own.get(name)
      if (known) return compareEndpoint(name, endpoint, known)
      return endpoint.isStable ? [`${name} is published, and the contract lacks it`] : []
    }),
  ]
}

/** The differences that are not intended, and the intended ones that no longer occur. */
export function findUnintended(drift: string[], intended: readonly RegExp[]): string[] {
  return [
    ...drift.filter(line => !intended.some(pattern => pattern.test(line))),
    ...intended
      .filter(pattern => !drift.some(line => pattern.test(line)))
      .map(pattern => `no difference matches ${pattern} any more: delete it from tools/drift/sources.ts`),
  ]
}
