import type { Endpoint } from '../api/endpoint.ts'
import type { EndpointName } from '../api/endpoints.ts'
import type { Resource } from '../api/resource.ts'
import { type CallOptions, callAny } from '../client/client.ts'
import type { Context, GivenParameters } from './context.ts'
import { type Created, createPlanned } from './create.ts'
import { firstOutcome, idsOf } from './endpoint-outcome.ts'
import { planCreation } from './intent.ts'
import type { Outcome } from './outcome.ts'
import { fillOwnPart, hasOwnPart } from './own-name.ts'

type CreatingRow = Endpoint & { creates: Resource }

/** Default names by operation; a peering has no name. */
function defaultName(operation: EndpointName, { service_id }: GivenParameters): string | undefined {
  if (operation === 'fork-service') return `${service_id}-fork-*`
  if (operation === 'create-service') return 'service-*'
  if (operation === 'create-replica') return 'replica-set-*'
  return operation === 'create-vpc' ? 'vpc-*' : undefined
}

/** The name for the new record: the given one, or the default, which has a `*` in it. */
export const namePatternOf = (operation: EndpointName, given: GivenParameters) =>
  (given.name as string | undefined) ?? defaultName(operation, given)

/** The parameters with a name whose random part is filled in; an exact name stays as it is. */
function withName(operation: EndpointName, given: GivenParameters, context: Context) {
  const pattern = namePatternOf(operation, given)
  if (pattern === undefined || !hasOwnPart(pattern)) return { parameters: given, isOwnName: false }
  const name = fillOwnPart(pattern, context.seam)
  return { parameters: { ...given, name }, isOwnName: true }
}

/** Creates what a row of the contract creates. */
export async function createByRow(
  operation: EndpointName,
  row: CreatingRow,
  given: GivenParameters,
  context: Context,
): Promise<Created<unknown>> {
  const { parameters, isOwnName } = withName(operation, given, context)
  // The ids on the path; that of the new record is not known yet.
  const ids = idsOf(row, parameters)
  const parentId = operation === 'fork-service' ? ids.service_id : undefined
  const call = { operation, resource: row.creates, ids, isOwnName, parentId }
  const plan = await planCreation(context.client, call, parameters)
  return await createPlanned(
    context,
    plan,
    (options: CallOptions) => callAny(context.client)(operation, parameters, options),
    ({ record, adopted }): Outcome => ({
      ...firstOutcome(operation, row, parameters, record),
      adopted,
    }),
  )
}

/**
 * A service whose password was in a lost answer gets a new one, derived from its id: nobody knows the first, and
 * without a password the database is of no use.
 */
export async function withKnownPassword(outcome: Outcome, context: Context): Promise<Outcome> {
  const { project_id, service_id } = outcome.ids
  if (!outcome.adopted || outcome.resource !== 'service') return outcome
  if (project_id === undefined || service_id === undefined) return outcome
  if (!context.settings.wait) {
    context.log.warning(
      'its password was in the lost answer: set one with update-password',
      'the password is not known',
    )
    return outcome
  }
  const password = context.derivePassword(service_id)
  context.mask(password)
  await context.client.call('update-password', { project_id, service_id, password })
  context.log.info(
    `service ${service_id} was given a new password, since its first one was in the lost answer`,
  )
  return { ...outcome, password }
}
