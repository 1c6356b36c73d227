import type { Service } from '../api/records.ts'
import type { PreviewContext } from './context.ts'
import type { PreviewReport } from './github.ts'
import type { Preview } from './identity.ts'

/** What the comment shows of a service. */
export function describeService(
  service: Service | undefined,
  context: PreviewContext,
): Partial<PreviewReport> {
  if (service === undefined) return {}
  return {
    serviceId: service.service_id,
    host: service.endpoint?.host,
    port: service.endpoint?.port,
    database: context.settings.login.database,
    user: context.settings.login.user,
    status: service.status,
    createdAt: service.created,
  }
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
  try {
    const onlyUpdate = state.state === 'deleted'
    return await context.github.writeComment(pullRequest, { ...state, name: preview.base }, { onlyUpdate })
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `the comment on pull request ${pullRequest} is not written: ${(failure as Error).message}`,
    )
    return undefined
  }
}
