/** The type of a row of the contract, and types that follow from a row. */
import type * as z from 'zod/mini'
import type { Already, Goal } from './goal.ts'
import type { Resource } from './resource.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** The names between braces in a path template, as an object of strings: `/vpcs/{vpc_id}` → `{vpc_id: string}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<Rest>
  : unknown

/** How to show a list as a table. */
export interface ListedColumns<Answer> {
  noun: string
  /** Fields of an entry; `a.b` is the field b of the field a. An entry that is a text fills the last column. */
  columns: readonly string[]
  /** Returns the entries, if the answer itself is not the list. */
  entriesOf?(answer: Answer | undefined): unknown
}

/** A row of docs/internals/api.md, "Endpoints": all properties of one endpoint of the API. */
export interface EndpointRow<
  Path extends string,
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniObject,
  Response extends z.ZodMiniType,
> {
  /** One sentence for the reference, in the imperative, without a full stop. */
  summary: string
  method: Method
  /** Appended to the base address; each `{name}` is a path parameter. */
  path: Path
  query?: Query
  /** The JSON body, in the API's own types (sizes are digit strings for services, integers for replica sets). */
  body?: Body
  /** Older names of body fields: an input with such a name still sets the field, with a warning. */
  renamed?: Record<string, keyof z.output<NoInfer<Body>> & string>
  /** Decodes a 2xx body. Absent if the API answers without a body. */
  response?: Response
  /** If the answer is a list: the columns that readers see, and the plural noun for its entries. */
  lists?: ListedColumns<z.output<Response>> | undefined
  /** The success code of the public service. A client accepts any 2xx; the emulator answers with this one. */
  status: 200 | 201 | 202 | 204
  /** The kind of record that the call creates. The client never repeats such a call by itself. */
  creates?: Resource
  /** Of a POST that creates nothing: whether it is idempotent. Then the client may repeat it like a GET. */
  repeatable?: boolean
  /** Of a POST: whether it only reads. Then a dry run may send it. */
  reads?: boolean
  /** Matches a 409 that lasts only minutes, so the action repeats the call (docs/internals/api.md, "Errors"). */
  busy?: RegExp
  /** For an endpoint that only starts the work: the condition for its end. */
  goal?: Goal<PathParameters<Path> & z.output<Body>>
  /** A record, named by a parameter, that must be ready first: the call waits while it has one of these statuses. */
  after?: { goal: Goal<unknown, never>; during: readonly string[] }
  /** The state in which the call is needless; undefined if no state is. */
  already?: Already<PathParameters<Path> & z.output<Body>> | undefined
}

/** Any row, for code that treats all endpoints alike. */
export interface Endpoint
  extends Omit<EndpointRow<string, z.ZodMiniObject, z.ZodMiniObject, z.ZodMiniType>, 'goal' | 'already'> {
  goal?: Goal<object>
  already?: Already<object> | undefined
}

/** Whether a call changes nothing, so that a dry run may send it. */
export const isRead = ({ method, reads }: Pick<Endpoint, 'method' | 'reads'>) =>
  method === 'GET' || reads === true

type NoFields = z.ZodMiniObject<Record<never, never>>

/**
 * The properties that a row must state, though `EndpointRow` makes them optional: a POST that creates nothing states
 * `repeatable` and, if it changes something, `already`; a list states `lists`.
 */
type Stated<Response extends z.ZodMiniType> = (
  | { method: 'GET' | 'DELETE'; repeatable?: never }
  | { method: 'POST'; creates: Resource; repeatable?: never }
  | { method: 'POST'; creates?: never; reads: true; repeatable: boolean }
  | { method: 'POST'; creates?: never; reads?: never; repeatable: boolean; already: object | undefined }
) &
  (z.output<Response> extends readonly unknown[] ? { lists: object | undefined } : unknown)

/** Returns a row unchanged, after the compiler has checked it and inferred its types. */
export function endpoint<
  const Path extends string,
  Query extends z.ZodMiniObject = NoFields,
  Body extends z.ZodMiniObject = NoFields,
  Response extends z.ZodMiniType = z.ZodMiniUndefined,
  const Row extends Partial<EndpointRow<Path, Query, Body, Response>> = object,
>(row: EndpointRow<Path, Query, Body, Response> & Row & Stated<Response>) {
  return row
}

type Fields<Row, Part extends 'query' | 'body'> =
  Row extends Record<Part, infer Schema extends z.ZodMiniObject> ? z.output<Schema> : unknown

export type EndpointParameters<Row extends Endpoint> = PathParameters<Row['path']> &
  Fields<Row, 'query'> &
  Fields<Row, 'body'>

export type Answer<Row> = Row extends { response: infer Response extends z.ZodMiniType }
  ? z.output<Response>
  : undefined

export function pathParameters(path: string): string[] {
  return path.match(/(?<=\{)\w+/g) ?? []
}

/** Path parameters, then query fields, then body fields. */
export function parameterNames(row: Endpoint): string[] {
  return [
    ...pathParameters(row.path),
    ...Object.keys(row.query?.shape ?? {}),
    ...Object.keys(row.body?.shape ?? {}),
  ]
}
