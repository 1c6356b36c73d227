import type { Service } from '../../api/records.ts'
import type { PreviewContext } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import { type Origin, renderOrigin } from '../base/origin.ts'
import { checkConnection } from '../connect/login.ts'
import { givePooler } from '../connect/pooler.ts'
import { checkRules } from '../prepare/mask-file.ts'
import { readMigrations } from '../prepare/migrations.ts'
import type { Preparation } from '../prepare/preparation.ts'
import type { PreviewState } from '../prepare/state.ts'
import type { Converged } from './converge.ts'
import { type Made, outcomeOf } from './made.ts'

/** The preview's database no longer fits the migrations of its pull request. */
export class OutdatedError extends Error {
  override name = 'OutdatedError'
}

/** A database that may be handed out, with what is told of it. */
export interface HandedOver {
  service: Service
  outcome: Made
  state: PreviewState | undefined
  origin: Origin
}

/** Tells where the data of the preview comes from, and warns when the workflow now asks for an empty one. */
function tellOrigin({ log }: PreviewContext, preview: Preview, service: Service, origin: Origin): void {
  const { parentId, maskedFrom } = preview
  const { service_id } = service
  log.info(`the preview, service ${service_id}, is ${origin.parentId ? 'a ' : ''}${renderOrigin(origin)}`)
  if (parentId === undefined && maskedFrom === undefined && origin.parentId !== undefined)
    log.warning(
      `empty: true is asked for, but service ${service_id} was forked from ${origin.parentId} before — run \`operation: reset-preview\` to make it anew`,
      'not empty',
    )
}

/** Tells the workflow and the comment how to connect, once the preview is READY. */
async function present(
  context: PreviewContext,
  preview: Preview,
  { service, password, created, hasWaited }: Converged,
  origin: Origin,
): Promise<Made> {
  const record = context.settings.preview.pooler ? await givePooler(context, preview, service) : service
  const changed = created || hasWaited || record !== service
  const data = renderOrigin(origin)
  const outcome = { ...outcomeOf(preview, record), data, password, created, changed }
  tellOrigin(context, preview, service, origin)
  await checkConnection(context, outcome)
  return outcome
}

/**
 * All that is done in the database, and said of it, before anybody gets the way in.
 *
 * @throws OutdatedError; what preparing it and connecting to it throws
 */
export async function handOver(
  context: PreviewContext,
  preview: Preview,
  preparation: Preparation,
  converged: Converged,
  origin: Origin,
  fork: PreviewState['fork'],
): Promise<HandedOver> {
  const { service, password } = converged
  const migrations = await readMigrations(context, preview)
  const finished = await preparation.finish(service, password, { migrations, fork })
  if ('outdated' in finished) throw new OutdatedError(finished.outdated)
  await checkRules(context, service.service_id, finished.mark)
  const told = { ...origin, maskedAt: finished.mark?.at }
  const outcome = await present(context, preview, converged, told)
  return { service, outcome, state: finished.state, origin: told }
}
