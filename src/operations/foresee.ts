import { type Endpoint, pathParameters } from '../api/endpoint.ts'
import type { EndpointName } from '../api/endpoints.ts'
import { describeRecord, type Resource, resources } from '../api/resource.ts'
import { ActionError } from '../base/errors.ts'
import type { Context, GivenParameters } from './context.ts'
import { namePatternOf } from './create-by-row.ts'
import { idsOf, resourceOf } from './endpoint-outcome.ts'
import type { Outcome } from './outcome.ts'
import { hasOwnPart, ownPartLength } from './own-name.ts'
import { readRecord, statusOf } from './read-record.ts'

/** The record on the path of a call: the one to change, or the one that a new record is made from. */
interface Addressed {
  resource: Resource
  /** `service s1 (shop, READY)`. */
  label: string
  record: unknown
}

function describe(resource: Resource, ids: GivenParameters, record: unknown): string {
  const { name, status } = record as { name?: string; status?: string }
  const known = [name, status && statusOf(record)].filter(part => part !== undefined && part !== '')
  return `${describeRecord(resource, ids)}${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

/**
 * Reads the record on the path of the call; undefined when the path names only the project.
 *
 * @throws ActionError when it does not exist
 */
async function readAddressed(
  name: EndpointName,
  row: Endpoint,
  parameters: GivenParameters,
  { client }: Context,
): Promise<Addressed | undefined> {
  const last = pathParameters(row.path).at(-1)
  const resource = (Object.keys(resources) as Resource[]).find(one => resources[one].id === last)
  if (resource === undefined) return undefined
  const record = await readRecord(client, resource, idsOf(row, parameters))
  if (record !== undefined) return { resource, record, label: describe(resource, parameters, record) }
  throw new ActionError(
    `${name} would fail: there is no ${describeRecord(resource, parameters)}`,
    'check the ids and project_id; a list operation shows what exists',
  )
}

/** The fields of the body without the secret ones: `cpu_millis 500, memory_gbs 2`. */
function describeFields(row: Endpoint, parameters: GivenParameters): string {
  return Object.keys(row.body?.shape ?? {})
    .filter(name => name !== 'password' && parameters[name] !== undefined)
    .map(name => {
      const value = parameters[name]
      return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`
    })
    .join(', ')
}

/** The summary of a row about a certain record: `Pause a service` becomes `pause service s1 (shop, READY)`. */
function describeCall(row: Endpoint, addressed: Addressed | undefined, parameters: GivenParameters): string {
  const summary = row.summary.charAt(0).toLowerCase() + row.summary.slice(1)
  const kind = addressed && resources[addressed.resource].label
  const meant = new RegExp(`\\ban? (?:\\w+ )?${kind}\\b`)
  const sentence = addressed ? summary.replace(meant, () => addressed.label) : summary
  const of = addressed && sentence === summary ? ` of ${addressed.label}` : ''
  const fields = describeFields(row, parameters)
  return `${sentence}${of}${fields ? `: ${fields}` : ''}`
}

function describeOutcome(
  row: Endpoint,
  addressed: Addressed | undefined,
  parameters: GivenParameters,
): string {
  const { already } = row
  if (addressed === undefined || already === undefined)
    return `would ${describeCall(row, addressed, parameters)}`
  if (already.is(addressed.record, parameters as never))
    return `would change nothing: ${addressed.label} ${already.words(parameters as never)}`
  return `would ${describeCall(row, addressed, parameters)}`
}

/**
 * The outcome of a dry run: reads the record on the path, says what the call would do, and does not send it.
 *
 * @throws ActionError when that record does not exist; ApiError when it cannot be read
 */
export async function foresee(
  name: EndpointName,
  row: Endpoint,
  given: GivenParameters,
  context: Context,
): Promise<Outcome> {
  const addressed = await readAddressed(name, row, given, context)
  const isNamed = row.creates !== undefined && 'name' in (row.body?.shape ?? {})
  const pattern = isNamed ? namePatternOf(name, given) : undefined
  const parameters = pattern === undefined ? given : { ...given, name: pattern }
  const chance =
    pattern !== undefined && hasOwnPart(pattern) ? ` (each * becomes ${ownPartLength} random characters)` : ''
  const what = describeOutcome(row, addressed, parameters) + chance
  // The path names the record to create from; the new one does not exist yet.
  const record = row.creates ? undefined : addressed?.record
  return {
    operation: name,
    ids: idsOf(row, parameters),
    resource: resourceOf(row),
    record,
    result: record,
    skipped: `dry run: ${what}`,
  }
}
