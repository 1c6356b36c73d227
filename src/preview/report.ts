import type { Service } from '../api/records.ts'
import { renderAdvised } from '../client/errors.ts'
import { timed } from '../operations/parts.ts'
import { renderDatabaseUrl } from '../postgres/connection.ts'
import type { PreviewContext } from './context.ts'
import type { PreviewReport } from './github.ts'
import type { Preview } from './identity.ts'

/** When prune will delete it for its age; undefined where that is not known, or never. */
function expiryOf({ created }: Service, { settings }: PreviewContext): string | undefined {
  const moment = Date.parse(created ?? '') + (settings.preview.maxAge ?? Number.NaN)
  // Beyond the last date that there is, toISOString would throw.
  return Number.isNaN(new Date(moment).getTime()) ? undefined : new Date(moment).toISOString()
}

/** What the comment shows of a service. */
export function describeService(
  service: Service | undefined,
  context: PreviewContext,
): Partial<PreviewReport> {
  if (service === undefined) return {}
  const { endpoint } = service
  const { login } = context.settings
  return {
    serviceId: service.service_id,
    host: endpoint?.host,
    port: endpoint?.port,
    database: login.database,
    user: login.user,
    url: endpoint && renderDatabaseUrl({ ...login, host: endpoint.host, port: endpoint.port }),
    status: service.status,
    createdAt: service.created,
    expiresAt: expiryOf(service, context),
  }
}

/** The commit that the event is about, where it is one of the preview's pull request. */
function commitOf({ github }: PreviewContext, number: number): string | undefined {
  const { pullRequest } = github.event
  return pullRequest?.number === number ? pullRequest.commit : undefined
}

/**
 * Writes the state of a preview into the pull request's one comment; gives its address. A comment that cannot
 * be written is a warning: the database is what matters. An entry of the merge queue has none.
 */
export async function report(
  context: PreviewContext,
  preview: Pick<Preview, 'base' | 'pullRequest'>,
  state: Omit<PreviewReport, 'name'>,
): Promise<string | undefined> {
  const { pullRequest } = preview
  if (!context.settings.preview.comment || pullRequest === undefined) return undefined
  if (context.settings.dryRun) {
    context.log.info(`would bring the comment on pull request ${pullRequest} up to date`)
    return undefined
  }
  try {
    const onlyUpdate = state.state === 'deleted' || state.state === 'paused'
    const commit = commitOf(context, pullRequest)
    const shown = { ...state, ...(commit && { commit }), name: preview.base }
    return await timed(context, 'writing the comment', () =>
      context.github.writeComment(pullRequest, shown, { onlyUpdate }),
    )
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `the comment on pull request ${pullRequest} is not written: ${renderAdvised(failure)}`,
      'no comment',
    )
    return undefined
  }
}
