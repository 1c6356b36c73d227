/** The parts of a description in OpenAPI 3 that the comparison reads. */
export interface Description {
  paths: Record<string, Record<string, Endpoint>>
  components?: { schemas?: Record<string, Schema> }
}

interface Schema {
  $ref?: string
  properties?: Record<string, unknown>
  allOf?: Schema[]
}

interface Endpoint {
  requestBody?: { content?: { 'application/json'?: { schema?: Schema } } }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The names of the fields of a schema, references followed. */
function fieldsOf(schema: Schema | undefined, description: Description): string[] {
  if (schema === undefined) return []
  const referred = description.components?.schemas?.[schema.$ref?.split('/').at(-1) ?? '']
  const parts = [...(schema.allOf ?? []), ...(referred ? [referred] : [])]
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(part => fieldsOf(part, description))]
}

/** `POST /projects/{}/services` and the fields of its body; the names of ids differ between descriptions. */
function endpointsOf(description: Description): Map<string, string[]> {
  return new Map(
    Object.entries(description.paths).flatMap(([path, rows]) =>
      methods.flatMap(method => {
        const row = rows[method]
        if (row === undefined) return []
        const body = fieldsOf(row.requestBody?.content?.['application/json']?.schema, description)
        return [[`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`, body] as const]
      }),
    ),
  )
}

/**
 * The differences between the published description and ours, a sentence each: endpoints, and fields of bodies that
 * only one of the two has.
 */
export function findDrift(published: Description, ours: Description): string[] {
  const theirs = endpointsOf(published)
  const own = endpointsOf(ours)
  const added = [...theirs.keys()].filter(name => !own.has(name))
  const gone = [...own.keys()].filter(name => !theirs.has(name))
  const fields = [...theirs].flatMap(([name, body]) => {
    const known = own.get(name)
    if (known === undefined) return []
    return [
      ...body
        .filter(field => !known.includes(field))
        .map(field => `${name} takes ${field}, which we do not know`),
      ...known.filter(field => !body.includes(field)).map(field => `${name} does not take ${field} any more`),
    ]
  })
  return [
    ...added.map(name => `${name} is published, and we do not have it`),
    ...gone.map(name => `${name} is ours, and not published any more`),
    ...fields,
  ]
}
