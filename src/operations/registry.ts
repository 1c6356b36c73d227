import * as z from 'zod/mini'
import { type Endpoint, parameterNames, pathParameters } from '../api/endpoint.ts'
import { type EndpointName, endpoints } from '../api/endpoints.ts'
import * as fields from '../api/fields.ts'
import type { WorkflowEvent } from '../preview/github.ts'
import { previewOperations } from '../preview/operations.ts'
import type { Context, GivenParameters } from './context.ts'
import { runEndpoint } from './endpoint-operation.ts'
import { resourceOf } from './endpoint-outcome.ts'
import { withLogLines } from './last-log-lines.ts'
import type { Outcome } from './outcome.ts'
import { filledLength, ownPartLength } from './own-name.ts'

/** One value of the input `operation`. */
export interface Operation {
  name: string
  summary: string
  /** The schemas of the API's fields that it takes, in the API's own types. */
  fields: Record<string, z.core.$ZodType>
  /** The rules between its fields, where it has some. */
  rules?: z.ZodMiniType | undefined
  /** The inputs that it uses, those that every operation uses apart. */
  inputs: string[]
  /** Inputs that it must not be given, each with the reason: they would promise what it does not do. */
  refused?: Record<string, string>
  /** How long it may take, where `wait_timeout` does not say. */
  minutes: number
  /** What holds for it where an input is left out, and differs from the general default. */
  defaults?: { waitForConnection?: boolean; comment?: boolean }
  /** Whether on this event it derives a password that other runs derive again: then its secret must be hard to guess. */
  derivesPassword?: (event: Pick<WorkflowEvent, 'name' | 'action'>) => boolean
  run(parameters: GivenParameters, context: Context): Promise<Outcome>
}

/** Whether a field may be left out. */
export function isOptionalField(name: string, schema: z.core.$ZodType): boolean {
  return name === 'project_id' || schema._zod.def.type === 'optional'
}

const connectionInputs = ['database_name', 'database_user', 'sslmode', 'export_env']

/** The inputs that a row uses: its own fields, and those that steer what comes around the call. */
function inputsOf(row: Endpoint): string[] {
  const resource = resourceOf(row)
  const connects = resource === 'service' || resource === 'replica_set'
  return [
    ...new Set([
      ...parameterNames(row),
      ...(row.settled ? ['wait', 'wait_timeout'] : []),
      ...(row.settled?.serves ? ['wait_for_connection'] : []),
      ...(row.creates ? ['cleanup'] : []),
      // A service whose first password was in a lost answer gets a derived one.
      ...(row.creates === 'service' ? ['password_secret'] : []),
      ...(connects && row.settled?.outcome !== 'gone' ? connectionInputs : []),
    ]),
  ]
}

/** As the API has it (docs/api.md, "Names"). */
const longestName = 128

const namePattern: z.core.$ZodType = z.optional(
  fields.name.check(
    z.refine(name => filledLength(name) <= longestName, {
      error: `a name of at most ${longestName} characters, once each * is filled in with ${ownPartLength}`,
    }),
  ),
)

/** What is created needs no name: left out, or with a `*` in it, it gets a random part. */
function nameOf(row: Endpoint): Record<string, z.core.$ZodType> {
  return row.creates && 'name' in (row.body?.shape ?? {}) ? { name: namePattern } : {}
}

function fromRow([name, row]: [string, Endpoint]): Operation {
  const run = (parameters: GivenParameters, context: Context) =>
    runEndpoint(name as EndpointName, parameters, context)
  const ids = pathParameters(row.path).map(id => [id, fields.resourceId])
  const taken = { ...Object.fromEntries(ids), ...row.query?.shape, ...row.body?.shape, ...nameOf(row) }
  const minutes = row.settled?.minutes ?? 10
  return { name, summary: row.summary, fields: taken, rules: row.body, inputs: inputsOf(row), minutes, run }
}

/** Every operation by its name. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [...Object.entries(endpoints).map(fromRow), ...previewOperations].map((operation): [string, Operation] => [
    operation.name,
    { ...operation, run: withLogLines(operation.run) },
  ]),
)
