/** Writes the state of a preview into the comment on its pull request. */
import type { Service } from '#api/records'
import { messageOf } from '#base/unknown-values'
import {
  type QuarantineReport,
  renderDetails,
  renderProblems,
  renderQuarantine,
} from '#contents/quarantine/report'
import { renderDatabaseUrl } from '#postgres/connection'
import type { PullRequests, Triggered, WithSettings } from '../base/context.ts'
import type { GitHub, PreviewReport, ShownPreview } from '../base/github.ts'
import { outlookOf, reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { renderSize, renderStored } from '../base/services.ts'
import { reportPreview } from './preview-report.ts'

/** The facts of a service for the comment. */
export function describeService(
  service: Service,
  { settings: { login }, consoleUrl }: Triggered & WithSettings<'login'>,
): Partial<PreviewReport> {
  const { endpoint, service_id, status, created } = service
  return {
    serviceId: service_id,
    status,
    createdAt: created,
    size: renderSize(service),
    stored: renderStored(service),
    consoleUrl: consoleUrl && `${consoleUrl}/${service_id}`,
    host: endpoint?.host,
    port: endpoint?.port,
    database: login.database,
    user: login.user,
    url: endpoint && renderDatabaseUrl({ ...login, host: endpoint.host, port: endpoint.port }),
  }
}

export const describeQuarantine = (report: QuarantineReport): Partial<PreviewReport> => ({
  quarantine: renderQuarantine(report),
  quarantineDetails: [...renderProblems(report), ...renderDetails(report)],
})

/** How the section on migrations changes. Its measurement belongs to one database. */
const migrationsIn: Partial<Record<PreviewReport['state'], ShownPreview['migrations']>> = {
  creating: 'goes',
  deleted: 'is folded',
}

/** The clients of GitHub that get no more comments: GitHub refused one for good, or the rate limit is used up. */
const refusingClients = new WeakSet<GitHub>()

/** Writes the state of a preview into its comment, and returns the address of the comment. A failure is only a warning. */
export async function updateComment(
  context: PullRequests & WithSettings<'dryRun'>,
  preview: Pick<Preview, 'base' | 'pullRequest'>,
  state: Omit<PreviewReport, 'name'>,
): Promise<string | undefined> {
  const { pullRequest } = preview
  if (!context.settings.preview.comment || pullRequest === undefined) return undefined
  if (context.settings.dryRun) {
    context.log.info(`would update the comment on pull request ${pullRequest}`)
    return undefined
  }
  if (refusingClients.has(context.github)) return undefined
  try {
    const { event, seam, settings } = context
    const onlyUpdate = state.state === 'deleted' || state.state === 'paused'
    const commit = event.pullRequest?.number === pullRequest ? event.pullRequest.commit : undefined
    const content: PreviewReport = { ...state, name: preview.base, commit }
    const { preview: previewSettings, hasPasswordSecret } = settings
    const facts = { ...event, now: seam.date(), pullRequest, hasPasswordSecret, settings: previewSettings }
    const blocks = reportPreview(content, facts)
    const shown = { ...content, blocks, migrations: migrationsIn[state.state] ?? 'stays' }
    return await context.github.writeComment(pullRequest, shown, { onlyUpdate })
  } catch (failure) {
    if (outlookOf(failure) !== 'passes') refusingClients.add(context.github)
    reportGitHubFailure(context, `the comment on pull request ${pullRequest} is not written`, failure)
    return undefined
  }
}

/**
 * Runs `work`. If the step is cancelled or fails by a defect meanwhile, `write` updates the comment at once, without
 * waiting for the work. The context of `write` stays usable for the remaining seconds.
 */
export async function withFinalComment<Needed extends PullRequests, Result>(
  context: Needed,
  work: () => Promise<Result>,
  write: (final: Needed, reason: unknown) => Promise<unknown>,
): Promise<Result> {
  const { signal, final, log } = context
  let writing: Promise<unknown> | undefined
  const start = () => {
    if (final === undefined) return
    writing = write({ ...context, ...final }, signal.reason).catch(failure =>
      log.debug(`the comment was not updated after the failure: ${messageOf(failure)}`),
    )
  }
  signal.addEventListener('abort', start, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', start)
    await writing
  }
}
