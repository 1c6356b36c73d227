/** Dry runs of API calls: reports the planned change. */
import { pathParameters } from '#api/endpoint'
import { isSecretField } from '#api/field-table'
import { type AnyRecord, describeRecord, type Resource, resourceOfId, resources } from '#api/resource'
import { ActionError } from '#base/errors'
import type { Calls, GivenParameters } from './base/context.ts'
import { type Call, idsOf, resourceOf } from './base/endpoint-outcome.ts'
import type { Outcome } from './base/outcome.ts'
import { readRecord, statusOf } from './base/read-record.ts'
import { namePatternOf } from './create/create.ts'
import { hasRandomPart, randomPartLength } from './create/intent.ts'

/** The record on the path of a call: the one to change, or the parent of a new record. */
interface Addressed {
  resource: Resource
  record: AnyRecord
  /** `service s1 (shop, READY)` */
  label: string
}

function describeWithStatus(resource: Resource, ids: GivenParameters, record: AnyRecord): string {
  const { name, status } = record
  const known = [name, status && statusOf(record)].filter(part => part !== undefined && part !== '')
  return `${describeRecord(resource, ids)}${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

/** Undefined if the path names only the project. @throws ActionError if the record does not exist */
async function readAddressed({ client }: Calls, call: Call): Promise<Addressed | undefined> {
  const { name, row, parameters } = call
  const resource = resourceOfId(pathParameters(row.path).at(-1))
  if (resource === undefined) return undefined
  const record = await readRecord(client, resource, idsOf(call))
  if (record !== undefined)
    return { resource, record, label: describeWithStatus(resource, parameters, record) }
  throw new ActionError(
    `${name} would fail: there is no ${describeRecord(resource, parameters)}`,
    'check the ids and project_id; a list operation shows the existing records',
  )
}

/** The fields of the body without secrets: `cpu_millis 500, memory_gbs 2`. */
function describeFields({ row, parameters }: Call): string {
  return Object.keys(row.body?.shape ?? {})
    .filter(name => !isSecretField(name) && parameters[name] !== undefined)
    .map(name => {
      const value = parameters[name]
      return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`
    })
    .join(', ')
}

/** The summary of a row for one record: `Pause a service` becomes `pause service s1 (shop, READY)`. */
function describeCall(call: Call, addressed: Addressed | undefined): string {
  const summary = call.row.summary.charAt(0).toLowerCase() + call.row.summary.slice(1)
  const kind = addressed && resources[addressed.resource].label
  const mention = new RegExp(`\\ban? (?:\\w+ )?${kind}\\b`)
  const sentence = addressed ? summary.replace(mention, () => addressed.label) : summary
  const owner = addressed && sentence === summary ? ` of ${addressed.label}` : ''
  const fields = describeFields(call)
  return `${sentence}${owner}${fields ? `: ${fields}` : ''}`
}

function describeChange(call: Call, addressed: Addressed | undefined): string {
  const { already } = call.row
  if (addressed && already?.is(addressed.record, call.parameters))
    return `would change nothing: ${addressed.label} ${already.describe(call.parameters)}`
  return `would ${describeCall(call, addressed)}`
}

/** Reports the planned change, without sending the call. @throws ActionError if the record on the path does not exist; ApiError if it is unreadable */
export async function planChange(context: Calls, given: Call): Promise<Outcome> {
  const { name, row } = given
  const addressed = await readAddressed(context, given)
  const pattern = row.creates ? namePatternOf(given) : undefined
  const call = pattern ? { ...given, parameters: { ...given.parameters, name: pattern } } : given
  const isRandom = pattern !== undefined && hasRandomPart(pattern)
  const explanation = isRandom ? ` (each * becomes ${randomPartLength} random characters)` : ''
  // The path names the parent of a new record, which does not exist yet.
  const record = row.creates ? undefined : addressed?.record
  return {
    operation: name,
    ids: idsOf(call),
    resource: resourceOf(row),
    record,
    result: record,
    skipped: `dry run: ${describeChange(call, addressed)}${explanation}`,
  }
}
