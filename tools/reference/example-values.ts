/** Example values for the inputs of any operation, from their rows. */
import type * as z from 'zod/mini'
import { parseField } from '#action/inputs/field-text'
import { inputTable } from '#action/inputs/input-table'
import { type Endpoint, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { pathField } from '#api/field-table'
import { isOptionalField } from '#operations/base/operation'

/** Valid texts for inputs whose example is an id of a real record or an expression. */
const substitutes: Record<string, string> = {
  ...{ service_id: 's1', replica_set_id: 'r1', vpc_id: '7', peering_id: '8' },
  ...{ password: 'hush-hush', password_secret: 'hush-hush-hush' },
  database_url: 'postgresql://app:hush-hush@db.example/shop',
}

/** A valid text for an input of any operation: its example in the reference. Throws if there is none. */
export function validText(input: string): string {
  const text = substitutes[input] ?? inputTable[input]?.example
  if (text === undefined || text.startsWith('${'))
    throw new Error(`the reference needs a value of ${input}: give its row an example`)
  return text
}

/** The valid text for a field, in the type of the API. */
export function validValue(field: string, schema: z.core.$ZodType): unknown {
  const parsed = parseField(schema, validText(field))
  if ('value' in parsed) return parsed.value
  throw new Error(`the example of ${field} is wrong: expected ${parsed.expected}`)
}

type Fields = [name: string, schema: z.core.$ZodType][]

/** The fields of an endpoint: in query and body, and those in the path that are no ids of records. */
const fieldsOf = ({ path, query, body }: Endpoint): Fields => [
  ...pathParameters(path).flatMap(
    (name): Fields => (name === 'metric_name' ? [[name, pathField(name)]] : []),
  ),
  ...Object.entries({ ...query?.shape, ...body?.shape }),
]

const valuesOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(fields.map(([field, schema]) => [field, validValue(field, schema)]))

/** A value for each optional field of an endpoint, in the types of the API. */
export const optionalFields = (row: Endpoint) =>
  valuesOf(fieldsOf(row).filter(field => isOptionalField(...field)))

/** The required fields of an endpoint, in the types of the API. */
export const requiredFields = (row: Endpoint) =>
  valuesOf(fieldsOf(row).filter(field => !isOptionalField(...field)))

/** The required fields of all endpoints together. */
export const requiredValues = (): Record<string, unknown> =>
  Object.assign({}, ...Object.values<Endpoint>(endpoints).map(requiredFields))
