/** Creates the record of a plan or of a row of the contract, and saves it before any wait. */
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { AnyRecord, Resource } from '#api/resource'
import { UnreadableAnswerError } from '#base/errors'
import { textOf } from '#base/unknown-values'
import type { CallOptions } from '#client/client'
import type { Calls, Context, Creating, GivenParameters, WithSettings } from '../base/context.ts'
import { type Call, idsOf, outcomeOfAnswer } from '../base/endpoint-outcome.ts'
import type { Plan } from '../base/journaled.ts'
import type { Outcome } from '../base/outcome.ts'
import { idOf, withId } from '../base/read-record.ts'
import { type Creation, createOnce, isCertain, type Post } from './create-once.ts'
import { describePlan, fillRandomPart, hasRandomPart, planCreation } from './intent.ts'

export interface Created<Kind extends AnyRecord = AnyRecord> extends Creation<Kind> {
  outcome: Outcome
}

/** @throws UnreadableAnswerError if the answer has the parent's id: every later call would change the parent */
function assertNotParent(plan: Plan, answer: AnyRecord): void {
  const id = idOf(plan.resource, answer)
  if (plan.resource !== 'service' || id !== plan.parentId) return
  const row: Endpoint = endpoints[plan.operation]
  throw new UnreadableAnswerError(
    { operation: plan.operation, method: row.method, path: row.path },
    {
      status: row.status,
      contentType: 'application/json',
      problem: `with the parent's id ${id} as the id of the new record`,
      next: 'report this to the owner of the server; the parent is unchanged',
    },
  )
}

/**
 * Executes a plan once; every creation uses this function. Saves and announces the record before any wait, so that
 * neither a failed wait nor a killed step loses it. `describe` returns the outcome known right after the answer;
 * `maxRequests` is the upper limit for requests.
 * @throws ActionError if the answer was lost, or the journal cannot be written; the call's failure if nothing was created
 */
export async function createPlanned<Kind extends AnyRecord>(
  context: Creating,
  plan: Plan,
  post: Post<Kind>,
  describe: (creation: Creation<Kind>) => Outcome,
  maxRequests?: number,
): Promise<Created<Kind>> {
  // Logged before the request: if the step is killed right after it, the log names the possible record.
  context.log.info(`${plan.operation}: creating ${describePlan(plan)}`)
  const postChecked: Post<Kind> = async options => {
    const answer = await post(options)
    assertNotParent(plan, answer)
    return answer
  }
  const creation = await context.timeline.time(`creating ${describePlan(plan)}`, () =>
    createOnce(context, plan, postChecked, maxRequests),
  )
  const { resource, ids } = plan
  const outcome = describe(creation)
  const record = { resource, ids: withId(ids, resource, creation.record), certain: isCertain(creation) }
  context.journal.announce(record, outcome)
  return { ...creation, outcome }
}

/** Of operations that create a named record: a peering has no name. */
const defaultNames: Partial<Record<EndpointName, (given: GivenParameters) => string>> = {
  'fork-service': ({ service_id }) => `${service_id}-fork-*`,
  'create-service': () => 'service-*',
  'create-replica': () => 'replica-set-*',
  'create-vpc': () => 'vpc-*',
}

/** The name for the new record: the given one, or the default, which contains a `*`. */
export const namePatternOf = ({ name, parameters }: Call) =>
  textOf(parameters.name) ?? defaultNames[name]?.(parameters)

/** Creates the record of a call, with a random part in its name if the name has a `*`. */
export async function createByRow(context: Creating, given: Call, resource: Resource): Promise<Created> {
  const operation = given.name
  const pattern = namePatternOf(given)
  const isUniqueName = pattern !== undefined && hasRandomPart(pattern)
  const name = isUniqueName ? { name: fillRandomPart(pattern, context.seam) } : {}
  const parameters = { ...given.parameters, ...name }
  // The ids on the path; the id of the new record is still unknown.
  const ids = idsOf(given)
  const parentId = operation === 'fork-service' ? ids.service_id : undefined
  const call = { operation, resource, ids, isUniqueName, parentId }
  const plan = await planCreation(context.client, call, parameters)
  return await createPlanned(
    context,
    plan,
    (options: CallOptions) => context.client.callAny(operation, parameters, options) as Promise<AnyRecord>,
    ({ record, adopted }) => ({ ...outcomeOfAnswer({ ...given, parameters }, record), adopted }),
  )
}

/** Sets a derived password on an adopted service: its first password was in the lost answer. */
export async function replaceLostPassword(
  context: Calls & Pick<Context, 'derivePassword'> & WithSettings<'wait'>,
  outcome: Outcome,
): Promise<Outcome> {
  const { project_id, service_id } = outcome.ids
  if (!outcome.adopted || outcome.resource !== 'service') return outcome
  if (project_id === undefined || service_id === undefined) return outcome
  if (!context.settings.wait) {
    context.log.warning(
      'the password of the new service was in the lost answer: set one with update-password',
      'the password is unknown',
    )
    return outcome
  }
  const password = context.derivePassword(service_id)
  await context.client.call('update-password', { project_id, service_id, password })
  context.log.info(`service ${service_id} has a new password, because its first one was in the lost answer`)
  return { ...outcome, password }
}
