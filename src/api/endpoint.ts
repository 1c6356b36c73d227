/** The shape of a row of the contract. */
import type * as z from 'zod/mini'
import type { Already } from './already.ts'
import type { Goal } from './goal.ts'
import type { Resource } from './resource.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** The names between braces in a path template, as an object of strings: `/vpcs/{vpc_id}` → `{vpc_id: string}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<Rest>
  : unknown

export interface ListedColumns<Answer> {
  noun: string
  /** Fields of an entry; `a.b` is the field b of the field a. An entry that is a text alone stands in the last column. */
  columns: readonly string[]
  /** The entries, if the answer itself is not the list. */
  entriesOf?(answer: Answer | undefined): unknown
}

/** A row of docs/internals/api.md, "Endpoints": everything that is particular to one endpoint of the API. */
export interface EndpointRow<
  Path extends string,
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniObject,
  Response extends z.ZodMiniType,
> {
  /** One sentence for the reference, in the imperative, no full stop. */
  summary: string
  method: Method
  /** Appended to the base address; each `{name}` is a path parameter. */
  path: Path
  query?: Query
  /** The JSON body, in the API's own types (sizes are digit strings for services, integers for replica sets). */
  body?: Body
  /** Older names of its fields: an input of that name is still taken for the field, with a warning. */
  renamed?: Record<string, string>
  /** Decodes a 2xx body. Left out if the API answers without a body. */
  response?: Response
  /** For an answer that is a list: the columns that people see, and the plural of its entries. */
  lists?: ListedColumns<z.output<Response>>
  /** The public service's success code. A client accepts any 2xx; the emulator answers with this one. */
  status: 200 | 201 | 202 | 204
  /** The kind of record that a call creates: such a call is never blindly repeated. */
  creates?: Resource
  /** Of a POST that creates nothing: whether it only sets a value, so it is idempotent and may be repeated like a GET. */
  repeatable?: boolean
  /** True for a POST that changes nothing. */
  reads?: boolean
  /** The words of a 409 that passes by itself within minutes: the call is sent again (docs/internals/api.md, "Errors"). */
  busy?: RegExp
  /** For an endpoint that only starts the work: when the work is done. */
  goal?: Goal<PathParameters<Path> & z.output<Body>>
  /**
   * Another record that the call needs, found by its id among the parameters: the call waits while that has one of these
   * statuses.
   */
  after?: { goal: Goal<unknown, never>; during: readonly string[] }
  /** How to tell that the record already is as the call asks: repeating the call is then no failure. */
  already?: Already<PathParameters<Path> & z.output<Body>>
}

type RowOfAny = EndpointRow<string, z.ZodMiniObject, z.ZodMiniObject, z.ZodMiniType>

/** Any row, for code that treats all of them alike. */
export interface Endpoint extends Omit<RowOfAny, 'goal' | 'already'> {
  goal?: Goal<object>
  already?: Already<object>
}

/** Whether a call changes nothing, so that a dry run may make it. */
export const isRead = ({ method, reads }: Pick<Endpoint, 'method' | 'reads'>) =>
  method === 'GET' || reads === true

type NoFields = z.ZodMiniObject<Record<never, never>>

/** A POST states whether it may be repeated, unless it creates a record: then it never may. */
type Repeating =
  | { method: 'GET' | 'DELETE'; repeatable?: never }
  | { method: 'POST'; creates: Resource; repeatable?: never }
  | { method: 'POST'; creates?: never; repeatable: boolean }

/** Checks a row's parts against each other and keeps its exact types. */
export function endpoint<
  const Path extends string,
  Query extends z.ZodMiniObject = NoFields,
  Body extends z.ZodMiniObject = NoFields,
  Response extends z.ZodMiniType = z.ZodMiniUndefined,
  const Row extends Partial<EndpointRow<Path, Query, Body, Response>> = object,
>(row: EndpointRow<Path, Query, Body, Response> & Row & Repeating) {
  return row
}

type Fields<Row, Part extends 'query' | 'body'> =
  Row extends Record<Part, infer Schema extends z.ZodMiniObject> ? z.output<Schema> : unknown

/** The parameters of the endpoint: path, query and body fields in one object. */
export type EndpointParameters<Row extends Endpoint> = PathParameters<Row['path']> &
  Fields<Row, 'query'> &
  Fields<Row, 'body'>

/** The decoded answer of the endpoint. */
export type Answer<Row> = Row extends { response: infer Response extends z.ZodMiniType }
  ? z.output<Response>
  : undefined

/** The names of a row's path parameters, in order. */
export function pathParameters(path: string): string[] {
  return path.match(/(?<=\{)\w+/g) ?? []
}

/** The names of all parameters of a row: path, then query, then body fields. */
export function parameterNames(row: Endpoint): string[] {
  return [
    ...pathParameters(row.path),
    ...Object.keys(row.query?.shape ?? {}),
    ...Object.keys(row.body?.shape ?? {}),
  ]
}
