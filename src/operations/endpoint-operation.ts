/** Derives an operation from each row of the contract, and runs it: the API call, and the wait for its result. */
import * as z from 'zod/mini'
import { type Endpoint, isRead, parameterNames, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { fields, pathField } from '#api/field-table'
import { isService, type Resource, resources } from '#api/resource'
import { renderAdvised } from '#base/errors'
import { keysOf } from '#base/table'
import { messageOf } from '#base/unknown-values'
import { reportQuarantine } from '#contents/quarantine/report'
import type {
  Calls,
  Cleanup,
  Context,
  Creating,
  GivenParameters,
  Waiting,
  WithSettings,
} from './base/context.ts'
import { type Call, resourceOf } from './base/endpoint-outcome.ts'
import type { Effect, Operation } from './base/operation.ts'
import type { Outcome } from './base/outcome.ts'
import { readRecord, resolveProjectId, statusOf } from './base/read-record.ts'
import { withholdConnection } from './base/withholding.ts'
import { changeRecord } from './change.ts'
import { deleteDuplicates, reportRepeats } from './cleanup/duplicates.ts'
import { createByRow, replaceLostPassword } from './create/create.ts'
import { isCertain } from './create/create-once.ts'
import { filledLength, randomPartLength } from './create/intent.ts'
import { planChange } from './dry-run.ts'
import { quarantineFork } from './quarantine.ts'
import { waitForConnection } from './wait/connect.ts'
import { publishOnFailure } from './wait/failure-reports.ts'
import { waitUntilSettled } from './wait/settled.ts'

/** Waits while a record that the call needs is being created. If it is unreadable, the call fails with the reason. */
async function waitForNeeded(context: Calls & WithSettings<'wait'>, { row, parameters }: Call) {
  if (row.after === undefined || !context.settings.wait) return
  const { goal, during } = row.after
  const { id } = resources[goal.record]
  const ids = { project_id: String(parameters.project_id), [id]: String(parameters[id]) }
  const record = await readRecord(context.client, goal.record, ids).catch(failure => {
    context.signal.throwIfAborted()
    context.log.debug(`reading the record that the call needs: ${messageOf(failure)}`)
  })
  if (record === undefined || !during.includes(statusOf(record))) return
  await waitUntilSettled(context, { goal, ids, isKnownToExist: true })
}

/** For the error of a new record that was not ready in time: the consequence of `cleanup`. */
const cleanupConsequences: Record<Cleanup, string | undefined> = {
  never: undefined,
  'on-failure':
    'the post step deletes it if the job fails (`cleanup: on-failure`); otherwise it stays, and costs money',
  always: 'the post step deletes it (`cleanup: always`)',
}

/** Reads the record if the answer did not contain it, as after a change of password or name. */
async function readChangedRecord(context: Calls, row: Endpoint, outcome: Outcome): Promise<Outcome> {
  const { resource } = outcome
  if (row.method !== 'POST' || resource === undefined || outcome.record !== undefined) return outcome
  try {
    return { ...outcome, record: await readRecord(context.client, resource, outcome.ids) }
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `the change is done, but reading the record failed: ${renderAdvised(failure)}`,
      'record not read',
    )
    return outcome
  }
}

/** Waits for the goal of the call, if it has one. */
async function finishCall(
  context: Creating & WithSettings<'wait'>,
  { row, parameters }: Call,
  outcome: Outcome,
  cleanup: Cleanup = 'never',
): Promise<Outcome> {
  const { goal } = row
  // Reading the record again is not a wait.
  if (!context.settings.wait && !isRead(row)) return outcome
  if (goal === undefined) return await readChangedRecord(context, row, outcome)
  if (outcome.record && goal.isShown?.(outcome.record) === false) return outcome
  const isNew = row.creates !== undefined
  const wait = { goal, parameters, ids: outcome.ids, isNew, fate: cleanupConsequences[cleanup] }
  const record = await publishOnFailure(context, outcome, () => waitUntilSettled(context, wait))
  return { ...outcome, record, result: record ?? outcome.result }
}

async function runCreating(
  context: Creating & Pick<Context, 'derivePassword'> & WithSettings<'cleanup' | 'wait'>,
  call: Call,
  resource: Resource,
): Promise<Outcome> {
  const creation = await createByRow(context, call, resource)
  // A record that may belong to another job is not deleted by this one's post step.
  const cleanup = isCertain(creation) ? context.settings.cleanup : 'never'
  try {
    const finished = await finishCall(context, call, creation.outcome, cleanup)
    const outcome = await replaceLostPassword(context, finished)
    await deleteDuplicates(context, creation)
    return outcome
  } catch (failure) {
    if (!context.signal.aborted) await reportRepeats(context, creation)
    throw failure
  }
}

async function runChanging(context: Creating & WithSettings<'wait'>, call: Call): Promise<Outcome> {
  const { outcome, isDone } = await changeRecord(context, call)
  return isDone ? outcome : await finishCall(context, call, outcome)
}

/** Warns about a service type that the API has deprecated (docs/internals/api.md, "Services"). */
function warnOfDeprecatedType({ log }: Waiting, { resource, record, ids }: Outcome): void {
  if (!isService(resource, record) || record.service_type !== 'VECTOR') return
  log.warning(
    `service ${ids.service_id ?? record.service_id} has the deprecated type VECTOR: move its data to a new service, and run CREATE EXTENSION vector there`,
    'deprecated service type',
  )
}

/** Runs one row of the contract: the call, and the wait for its result if the call only starts the work. */
export async function runEndpoint(
  name: EndpointName,
  given: GivenParameters,
  context: Context,
): Promise<Outcome> {
  const row: Endpoint = endpoints[name]
  const { settings } = context
  const needsProject = row.path.includes('{project_id}')
  const parameters = needsProject ? { ...given, project_id: await resolveProjectId(context) } : given
  const call = { name, row, parameters }
  const { creates } = row
  if (settings.dryRun && !isRead(row)) return await planChange(context, call)
  await waitForNeeded(context, call)
  if (name === 'fork-service' && settings.quarantine) {
    const outcome = await runCreating(withholdConnection(context), call, 'service')
    return { ...outcome, report: reportQuarantine(await quarantineFork(context, outcome)) }
  }
  const outcome = creates ? await runCreating(context, call, creates) : await runChanging(context, call)
  warnOfDeprecatedType(context, outcome)
  if (settings.wait && settings.waitForConnection && row.goal?.serves)
    await publishOnFailure(context, outcome, () => waitForConnection(context, outcome))
  return outcome
}

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

/** The name of a new record is optional, and may have a `*`, which is replaced with a random part. */
const newName = z.optional(
  fields.name.check(
    z.refine(name => filledLength(name) <= longestName, {
      error: `a name of at most ${longestName} characters, once each * is filled in with ${randomPartLength}`,
    }),
  ),
)

function effectOf(row: Endpoint): Effect {
  if (isRead(row)) return 'reads'
  return row.creates ? 'creates' : 'changes'
}

function fieldsOf(row: Endpoint): Operation['fields'] {
  const ids = pathParameters(row.path).map(id => [id, pathField(id)])
  const body = row.body?.shape ?? {}
  const name = row.creates && 'name' in body ? { name: newName } : {}
  return { ...Object.fromEntries(ids), ...row.query?.shape, ...body, ...name }
}

function operationOfRow(name: EndpointName): Operation {
  const row: Endpoint = endpoints[name]
  const run = (parameters: GivenParameters, context: Context) => runEndpoint(name, parameters, context)
  return {
    name,
    summary: row.summary,
    effect: effectOf(row),
    renamed: row.renamed,
    defaults: row.goal && { wait_timeout: `${row.goal.minutes}m` },
    // Without a wait, the fork's connection would be published before the quarantine.
    findContradiction: ({ quarantine, wait }) =>
      quarantine && !wait && isFork(row)
        ? { input: 'wait', expected: 'true, because the quarantine starts when the fork is READY' }
        : undefined,
    run,
    fields: fieldsOf(row),
    rules: row.body,
    inputs: inputsOf(row),
  }
}

export const rowOperations: Operation[] = keysOf(endpoints).map(operationOfRow)
