// Creates records by rows of the contract.

import type { EndpointName } from '#api/endpoints'
import type { AnyRecord, Resource } from '#api/resource'
import { textOf } from '#base/unknown-values'
import { type CallOptions, callAny } from '#client/client'
import type { Calls, Context, Creating, GivenParameters, Waiting, WithSettings } from '../base/context.ts'
import { type Call, firstOutcome, idsOf } from '../base/endpoint-outcome.ts'
import type { Outcome } from '../base/outcome.ts'
import { fillOwnPart, hasOwnPart } from '../base/own-name.ts'
import { type Created, createPlanned } from './create.ts'
import { planCreation } from './intent.ts'

/** A call that creates a record. */
export type CreatingCall = Call & { row: { creates: Resource } }

/** Default names by operation; a peering has no name. */
function defaultName(operation: EndpointName, { service_id }: GivenParameters): string | undefined {
  if (operation === 'fork-service') return `${service_id}-fork-*`
  if (operation === 'create-service') return 'service-*'
  if (operation === 'create-replica') return 'replica-set-*'
  return operation === 'create-vpc' ? 'vpc-*' : undefined
}

/** The name for the new record: the given one, or the default, which contains a `*`. */
export const namePatternOf = ({ name, parameters }: Call) =>
  textOf(parameters.name) ?? defaultName(name, parameters)

/** Replaces `*` in the name of the call; an exact name stays unchanged. */
function withName({ seam }: Waiting, given: CreatingCall): { call: CreatingCall; isOwnName: boolean } {
  const pattern = namePatternOf(given)
  if (pattern === undefined || !hasOwnPart(pattern)) return { call: given, isOwnName: false }
  const parameters = { ...given.parameters, name: fillOwnPart(pattern, seam) }
  return { call: { ...given, parameters }, isOwnName: true }
}

/** Creates the record of a row of the contract. */
export async function createByRow(context: Creating, given: CreatingCall): Promise<Created> {
  const { call, isOwnName } = withName(context, given)
  const { name: operation, row, parameters } = call
  // The ids on the path; the id of the new record is still unknown.
  const ids = idsOf(call)
  const parentId = operation === 'fork-service' ? ids.service_id : undefined
  const about = { operation, resource: row.creates, ids, isOwnName, parentId }
  const plan = await planCreation(context.client, about, parameters)
  return await createPlanned(
    context,
    plan,
    (options: CallOptions) => callAny(context.client)(operation, parameters, options) as Promise<AnyRecord>,
    ({ record, adopted }): Outcome => ({
      ...firstOutcome(call, record),
      adopted,
    }),
  )
}

/**
 * Sets a derived password on a service whose password was in a lost answer: without a password the database is useless.
 */
export async function withKnownPassword(
  context: Calls & Pick<Context, 'derivePassword' | 'mask'> & WithSettings<'wait'>,
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
  context.mask(password)
  await context.client.call('update-password', { project_id, service_id, password })
  context.log.info(`service ${service_id} has a new password, because its first one was in the lost answer`)
  return { ...outcome, password }
}
