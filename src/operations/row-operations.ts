/** Derives an operation from each row of the contract. */
import * as z from 'zod/mini'
import { type Endpoint, isRead, parameterNames, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { fields, pathField } from '#api/field-table'
import { keysOf } from '#base/table'
import type { Context, GivenParameters, Settings } from './base/context.ts'
import { resourceOf } from './base/endpoint-outcome.ts'
import type { Contradiction, Effect, Operation } from './base/operation.ts'
import { filledLength, randomPartLength } from './base/unique-name.ts'
import { runEndpoint } from './endpoint-operation.ts'

const connectionInputs = ['database_name', 'database_user', 'sslmode', 'export_env']

const isFork = (row: Endpoint) => 'fork_strategy' in (row.body?.shape ?? {})

const isChange = (row: Endpoint) => row.method === 'POST' && !isRead(row) && row.creates === undefined

/** The inputs of a row: its own fields, and those for the work before and after the call. */
function inputsOf(row: Endpoint): string[] {
  const { goal, creates } = row
  const resource = resourceOf(row)
  const isDatabase = resource === 'service' || resource === 'replica_set'
  const inputs = [...parameterNames(row)]
  // Without a wait, a changed record is not read again.
  if (goal || (isChange(row) && resource !== undefined)) inputs.push('wait')
  if (goal) inputs.push('wait_timeout')
  if (goal?.serves) inputs.push('wait_for_connection')
  if (creates) inputs.push('cleanup')
  if (isFork(row)) inputs.push('quarantine', 'keep_active')
  // A service whose first password was in a lost answer gets a derived one.
  if (creates === 'service') inputs.push('password_secret')
  if (isDatabase && goal?.until !== 'gone') inputs.push(...connectionInputs)
  return [...new Set(inputs)]
}

/** Upper limit of the API for names (docs/internals/api.md, "Names"). */
const longestName = 128

const newName = z.optional(
  fields.name.check(
    z.refine(name => filledLength(name) <= longestName, {
      error: `a name of at most ${longestName} characters, once each * is filled in with ${randomPartLength}`,
    }),
  ),
)

/** The name of a new record is optional, and may have a `*`, which is replaced with a random part. */
function nameFieldOf(row: Endpoint): Record<string, z.core.$ZodType> {
  return row.creates && 'name' in (row.body?.shape ?? {}) ? { name: newName } : {}
}

function effectOf(row: Endpoint): Effect {
  if (isRead(row)) return 'reads'
  return row.creates ? 'creates' : 'changes'
}

function fieldsOf(row: Endpoint): Operation['fields'] {
  const ids = pathParameters(row.path).map(id => [id, pathField(id)])
  return { ...Object.fromEntries(ids), ...row.query?.shape, ...row.body?.shape, ...nameFieldOf(row) }
}

/** Without a wait, the fork's connection would be published before the quarantine. */
const findContradiction = (row: Endpoint, { quarantine, wait }: Settings): Contradiction | undefined =>
  quarantine && !wait && isFork(row)
    ? { input: 'wait', expected: 'true, because the quarantine starts when the fork is READY' }
    : undefined

function operationOfRow(name: EndpointName): Operation {
  const row: Endpoint = endpoints[name]
  const run = (parameters: GivenParameters, context: Context) => runEndpoint(name, parameters, context)
  return {
    name,
    summary: row.summary,
    effect: effectOf(row),
    renamed: row.renamed,
    defaults: row.goal && { wait_timeout: `${row.goal.minutes}m` },
    findContradiction: settings => findContradiction(row, settings),
    run,
    fields: fieldsOf(row),
    rules: row.body,
    inputs: inputsOf(row),
  }
}

export const rowOperations: Operation[] = keysOf(endpoints).map(operationOfRow)
