import type { Endpoint } from '../api/endpoint.ts'
import type { EndpointName } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import { type CallOptions, callAny } from '../client/client.ts'
import { UnreadableAnswerError } from '../client/errors.ts'
import type { Context, GivenParameters } from './context.ts'
import { createOnce } from './create-once.ts'
import { firstOutcome, idsOf } from './endpoint-outcome.ts'
import { planIntent } from './intent.ts'
import type { Ids, Outcome } from './outcome.ts'
import { idOf } from './read-record.ts'
import { removeTwins } from './twins.ts'

type CreatingRow = Endpoint & { creates: Resource }

/**
 * Without a name the API would take the parent's + "-fork", which is not unique: then a lost answer is a lost fork.
 * The name that is made up instead is.
 */
function withName(row: Endpoint, parameters: GivenParameters, context: Context) {
  if (row.creates !== 'service' || parameters.name !== undefined) return { parameters, unique: false }
  const suffix = Math.floor(context.seam.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  const name = `${parameters.service_id}-fork-${suffix}`
  context.log.info(`no name given: the fork is named ${name}`)
  return { parameters: { ...parameters, name }, unique: true }
}

/** An answer that names the parent as what was created is no answer: what is done next would be done to the parent. */
function checkNew(operation: EndpointName, row: CreatingRow, ids: Ids, answer: unknown): void {
  const id = idOf(row.creates, answer)
  if (ids[resources[row.creates].id] !== id) return
  throw new UnreadableAnswerError(
    { operation, method: row.method, path: row.path },
    {
      status: row.status,
      contentType: 'application/json',
      problem: `where the id of what was created is the parent's own, ${id}`,
      next: 'report this to the owner of the server; nothing was done to the parent',
    },
  )
}

/** Creates what a row creates, exactly once; what came of it is written down and told before any wait (DESIGN rule 1). */
export async function create(
  operation: EndpointName,
  row: CreatingRow,
  given: GivenParameters,
  context: Context,
): Promise<Outcome> {
  const { client, journal } = context
  const { parameters, unique } = withName(row, given, context)
  // What was addressed; the id of what is created is not known yet.
  const ids = idsOf(row, parameters)
  const plan = await planIntent(client, { operation, resource: row.creates, ids, unique }, parameters)
  const creation = await createOnce(context, plan, async (options: CallOptions) => {
    const answer = await callAny(client)(operation, parameters, options)
    checkNew(operation, row, ids, answer)
    return answer
  })
  const answered = firstOutcome(operation, row, parameters, creation.record)
  const outcome = { ...answered, adopted: creation.adopted }
  journal.created({ resource: row.creates, ids: outcome.ids }, outcome)
  await removeTwins(context, creation)
  if (creation.adopted && !unique)
    context.log.info('names that another job may use in the same moment are safer with github.run_id in them')
  if (creation.adopted && row.creates === 'service') {
    if (!context.settings.wait)
      context.log.warning('its password was in the lost answer: set one with update-password')
    else context.log.info('its password was in the lost answer; a new one is set once it is READY')
  }
  return outcome
}

/**
 * A service whose password was in a lost answer gets one that is derived from its id (DESIGN rule 8): nobody knows
 * the other, and a database without a password is of no use.
 */
export async function withKnownPassword(outcome: Outcome, context: Context): Promise<Outcome> {
  const { project_id, service_id } = outcome.ids
  if (!outcome.adopted || project_id === undefined || service_id === undefined) return outcome
  const password = context.derivePassword(service_id)
  context.mask(password)
  await context.client.call('update-password', { project_id, service_id, password })
  context.log.info(
    `service ${service_id} was given a new password, since its first one was in the lost answer`,
  )
  return { ...outcome, password }
}
