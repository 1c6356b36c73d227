import { type Endpoint, parameterNames } from '../api/endpoint.ts'
import { type EndpointName, endpoints } from '../api/endpoints.ts'
import type { Context } from './context.ts'
import { type GivenParameters, resourceOf, runEndpoint } from './endpoint-operation.ts'
import type { Outcome } from './outcome.ts'

/** One value of the input `operation`. */
export interface Operation {
  name: string
  summary: string
  /** The row behind it, whose schemas its parameters are checked with. */
  row: Endpoint
  /** The inputs that it uses, those that every operation uses apart. */
  inputs: string[]
  run(parameters: GivenParameters, context: Context): Promise<Outcome>
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
      ...(connects && row.settled?.outcome !== 'gone' ? connectionInputs : []),
    ]),
  ]
}

function fromRow([name, row]: [string, Endpoint]): [string, Operation] {
  const run = (parameters: GivenParameters, context: Context) =>
    runEndpoint(name as EndpointName, parameters, context)
  return [name, { name, summary: row.summary, row, inputs: inputsOf(row), run }]
}

/** Every operation by its name. */
export const operations: ReadonlyMap<string, Operation> = new Map(Object.entries(endpoints).map(fromRow))
