/** Describes the emulator's API as an OpenAPI document. */
import type * as z from 'zod/mini'
import { type Endpoint, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { pathField } from '#api/field-table'
import * as records from '#api/records'
import { describeAnswer, describeRequest, type JsonSchema } from './json-schema.ts'
import { bodyFieldFacts, bodyRules, queryFacts } from './request-facts.ts'

/** Records that the document describes once, in its components. */
const components = {
  AuthInfo: records.AuthInfo,
  AnalyticsResult: records.AnalyticsResult,
  ActionResult: records.ActionResult,
  Project: records.Project,
  Service: records.Service,
  ServiceLogs: records.ServiceLogs,
  MetricDetails: records.MetricDetails,
  MetricNames: records.MetricNames,
  MetricSeries: records.MetricSeries,
  ReadReplicaSet: records.ReadReplicaSet,
  Vpc: records.Vpc,
  Peering: records.Peering,
}

const namesBySchema = new Map<z.core.$ZodType, string>(
  Object.entries(components).map(([name, schema]) => [schema, name]),
)
const nameOf = (schema: z.core.$ZodType) => namesBySchema.get(schema)

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function describeParameters(operation: string, row: Endpoint) {
  const path = pathParameters(row.path).map(name => ({
    name,
    in: 'path',
    required: true,
    schema: describeRequest(pathField(name)),
  }))
  const query = Object.entries(row.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: { ...describeRequest(schema as z.ZodMiniType), ...queryFacts[`${operation}.${name}`] },
  }))
  return [...path, ...query]
}

function describeBody(operation: string, body: z.ZodMiniObject) {
  const { properties = {}, ...described } = describeRequest(body) as {
    properties?: Record<string, JsonSchema>
  }
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    { ...schema, ...bodyFieldFacts[`${operation}.${name}`] },
  ])
  const schema = { ...described, properties: Object.fromEntries(fields), ...bodyRules[operation] }
  return { required: true, content: json(schema) }
}

function describeSuccess({ response }: Endpoint) {
  const description = 'The request is accepted.'
  if (response === undefined) return { description }
  const name = nameOf(response)
  return { description, content: json(name ? reference(name) : describeAnswer(response, nameOf)) }
}

function describeOperation(operation: string, row: Endpoint) {
  const parameters = describeParameters(operation, row)
  return {
    operationId: operation,
    summary: row.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: describeBody(operation, row.body) }),
    responses: {
      [row.status]: describeSuccess(row),
      '4XX': { description: 'The request is refused.', content: json(reference('Error')) },
      '5XX': { description: 'Something went wrong behind the API.', content: json(reference('Error')) },
    },
  }
}

function describePaths() {
  const rows = Object.entries<Endpoint>(endpoints)
  const paths = [...new Set(rows.map(([, { path }]) => path))]
  return Object.fromEntries(
    paths.map(path => {
      const methods = rows
        .filter(([, row]) => row.path === path)
        .map(([operation, row]) => [row.method.toLowerCase(), describeOperation(operation, row)])
      return [path, Object.fromEntries(methods)]
    }),
  )
}

const errorSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
}

/** The emulator's API as an OpenAPI 3.1 document, derived from the contract. */
export function describeApi() {
  const schemas = Object.entries(components).map(([name, schema]) => [
    name,
    describeAnswer(schema, inner => (inner === schema ? undefined : nameOf(inner))),
  ])
  return {
    openapi: '3.1.1',
    info: {
      title: 'The managed database API, as the emulator serves it',
      version: '1',
      description:
        'Derived from the contract in src/api. Requests are checked as described here; answers are stricter than the action requires.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/public/api/v1' }],
    security: [{ apiKey: [] }, { person: [] }],
    paths: describePaths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'The public key and the secret key.' },
        person: { type: 'http', scheme: 'bearer', description: 'The secret key instead of a token.' },
      },
      schemas: { ...Object.fromEntries(schemas), Error: errorSchema },
    },
  }
}
