/** Turns the answer to one API call into an outcome. */
import type * as z from 'zod/mini'
import { type Endpoint, isRead, pathParameters } from '#api/endpoint'
import type { EndpointName } from '#api/endpoints'
import { ActionResult, AuthInfo, Projects } from '#api/records'
import {
  type AnyRecord,
  describeRecord,
  isService,
  type Resource,
  resourceOfId,
  resourceOfSchema,
  resources,
} from '#api/resource'
import { type Table, table } from '#base/report'
import { isRecord, textOf } from '#base/unknown-values'
import type { GivenParameters } from './context.ts'
import type { Ids, Outcome } from './outcome.ts'
import { withId } from './read-record.ts'

/** The value of a column, which may be a path like `spec.cpu_millis`. */
function cellOf(entry: unknown, column: string): string {
  let value = entry
  for (const name of column.split('.')) value = isRecord(value) ? value[name] : undefined
  return String(value ?? '')
}

const lastWord = (column: string) => column.split('.').at(-1) ?? column

/** The rows of a list for readers; undefined if the endpoint returns no list. Texts are not escaped yet. */
export function listedRows({ lists }: Endpoint, answer: unknown): Table | undefined {
  const entries = lists?.entriesOf ? lists.entriesOf(answer) : answer
  if (lists === undefined || !Array.isArray(entries)) return undefined
  const { columns, noun } = lists
  // Older servers list strings instead of objects. They fill the last column.
  const areTexts = entries.length > 0 && entries.every(entry => !isRecord(entry))
  const shown = areTexts ? columns.slice(-1) : columns
  const cells = entries.map(entry => shown.map(column => (areTexts ? String(entry) : cellOf(entry, column))))
  return table(shown.map(lastWord), cells, { noun })
}

/** One call of an endpoint: its row in the contract, and the values of its fields. */
export interface Call {
  name: EndpointName
  row: Endpoint
  parameters: GivenParameters
}

/** The kind of record that an endpoint returns; otherwise the kind that its goal observes, or its path names. */
export function resourceOf(row: Endpoint): Resource | undefined {
  const returned = resourceOfSchema(row.response)
  if (returned !== undefined) return returned
  if (row.goal !== undefined) return row.goal.record
  const isList = row.method === 'GET'
  return isList ? undefined : resourceOfId(pathParameters(row.path).at(-1))
}

export function idsOf({ row, parameters }: Call): Ids {
  return Object.fromEntries(pathParameters(row.path).map(name => [name, String(parameters[name])]))
}

export function labelOf({ row, parameters }: Call): string {
  const resource = resourceOf(row)
  return resource ? describeRecord(resource, parameters) : 'the account'
}

/** The answer, typed by the schema; undefined if the endpoint answers with another schema. */
const answerOf = <Schema extends z.ZodMiniType>(schema: Schema, { response }: Endpoint, answer: unknown) =>
  response === schema ? (answer as z.output<Schema> | undefined) : undefined

/** The project in an answer about the key; undefined if it names none or several. */
function projectIn(row: Endpoint, answer: unknown): string | undefined {
  const projects = answerOf(Projects, row, answer)
  if (projects) return projects.length === 1 ? projects[0]?.id : undefined
  return answerOf(AuthInfo, row, answer)?.apiKey?.project?.id
}

function idsAfter(call: Call, answer: unknown, record: AnyRecord | undefined): Ids {
  const { creates } = call.row
  const ids = idsOf(call)
  const projectId = projectIn(call.row, answer)
  if (projectId !== undefined) ids.project_id = projectId
  return creates && record ? withId(ids, creates, record) : ids
}

/** The outcome known right after the answer, before any wait. */
export function outcomeOfAnswer(call: Call, answer: unknown): Outcome {
  const { name, row, parameters } = call
  const resource = resourceOf(row)
  const returned = resourceOfSchema(row.response)
  const record = returned && answerOf(resources[returned].schema, row, answer)
  const initialPassword = isService(resource, record) ? record.initial_password : undefined
  return {
    operation: name,
    ids: idsAfter(call, answer, record),
    resource,
    record,
    result: answer,
    rows: listedRows(row, answer),
    message: answerOf(ActionResult, row, answer)?.message || undefined,
    initialPassword,
    password: textOf(parameters.password) ?? initialPassword,
    created: row.creates !== undefined,
    deleted: row.method === 'DELETE',
    changed: !isRead(row),
  }
}
