/** The operation prune-previews: deletes previews that are no longer needed, and pauses unused ones. */
import type { Service } from '#api/records'
import { ActionError } from '#base/errors'
import { line, table } from '#base/report'
import type { Outcome } from '#operations/base/outcome'
import { resolveProjectId } from '#operations/base/read-record'
import type { PreviewContext } from '../base/context.ts'
import { ownershipOf } from '../base/guard.ts'
import { listPreviews } from '../base/identity.ts'
import { parsePreviewName } from '../base/name.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { renderStored } from '../base/services.ts'
import { type Decision, verdicts } from '../on-github/prune-decision.ts'
import { inconclusive, pullRequestOf, SubjectReader } from '../on-github/subject-states.ts'
import { pauseIdle, pauseMasked } from './pause.ts'
import { sweep } from './sweep.ts'

function deletionError(decisions: Decision[]): ActionError | undefined {
  const failed = decisions.filter(({ verdict }) => verdict === 'failed')
  if (failed.length === 0) return undefined
  const tried = decisions.filter(({ verdict }) => verdict === 'failed' || verdict === 'deleted')
  const names = failed.map(({ service, reason }) => `${service.name}: ${reason}`).join('; ')
  const advice = new Set(failed.flatMap(({ next }) => next ?? []))
  return new ActionError(
    `${failed.length} of ${tried.length} previews could not be deleted: ${names}`,
    [...advice, 'the next prune tries again'].join('; '),
  )
}

/** The failure of the step. A refusal by GitHub comes first: the failed deletions have warnings of their own. */
function problemOfPrune(decisions: Decision[], refusal: unknown): ActionError | undefined {
  if (!(refusal instanceof ActionError)) return deletionError(decisions)
  const count = decisions.filter(({ reason }) => reason === inconclusive).length
  return new ActionError(
    `${count} ${count === 1 ? 'preview is' : 'previews are'} kept, because GitHub refuses the request: ${refusal.message}`,
    `${refusal.next}; until then prune fails each time`,
  )
}

function renderTally(decisions: Decision[]): string {
  const counts = Object.entries(verdicts).flatMap(([verdict, word]) => {
    const count = decisions.filter(decision => decision.verdict === verdict).length
    return count > 0 ? [`${count} ${word}`] : []
  })
  return counts.join(', ') || 'there are no previews'
}

export function outcomeOfPrune(
  projectId: string,
  decisions: Decision[],
  { isDryRun, problem }: { isDryRun: boolean; problem?: ActionError | undefined },
): Outcome {
  const rows = decisions.map(({ service, verdict, reason }) => ({
    service_id: service.service_id,
    name: service.name ?? '',
    pull_request: pullRequestOf(service),
    verdict,
    reason,
  }))
  const idsOf = (chosen: Decision[]) => chosen.map(({ service }) => service.service_id)
  const deletedIds = idsOf(decisions.filter(({ verdict }) => verdict === 'deleted'))
  const kept = decisions.filter(({ verdict }) => verdict !== 'deleted' && verdict !== 'would delete')
  const stored = renderStored(...kept.map(({ service }) => service))
  const deleted = deletedIds.length > 0
  return {
    operation: 'prune-previews',
    ids: { project_id: projectId },
    deleted,
    changed: deleted || rows.some(({ verdict }) => verdict === 'paused'),
    deletedIds,
    keptIds: idsOf(kept),
    report: [
      line(
        stored ? `The previews that are left store ${stored}. Storage is billed while they are paused.` : '',
      ),
      table(
        ['preview', 'service', 'pull request', 'outcome', 'reason', 'stored'],
        decisions.map(({ service, verdict, reason }) => [
          service.name ?? '',
          service.service_id,
          String(pullRequestOf(service) ?? 'merge queue'),
          verdict,
          reason,
          renderStored(service) ?? '',
        ]),
        { noun: 'previews' },
      ),
    ],
    result: rows,
    problem,
    done: renderTally(decisions),
    skipped: isDryRun ? 'dry run' : undefined,
  }
}

/**
 * Deletes previews that are too old, or whose pull request is closed or entry has left the merge queue. Pauses unused
 * ones. A doubt keeps the preview. A lasting refusal fails the step, since warnings of a scheduled run stay unread.
 */
export async function prunePreviews(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  const owner = { ...ownershipOf(context, given.service_id), projectId: await resolveProjectId(context) }
  const { namePrefix } = context.settings.preview
  const hasPrefix = ({ name }: Service) =>
    namePrefix === undefined || parsePreviewName(name)?.prefix === namePrefix
  const previews = (await listPreviews(context, owner)).filter(hasPrefix)
  const subjects = new SubjectReader(context)
  const swept = await sweep(context, owner, subjects, previews)
  const decisions = await pauseIdle(context, owner, swept, subjects)
  const isAnyPaused = await pauseMasked(context, owner)
  for (const { service, verdict, reason } of decisions) {
    context.log.info(`${service.name} (${service.service_id}): ${verdict}, ${reason}`)
  }
  const outcome = outcomeOfPrune(owner.projectId, decisions, {
    isDryRun: context.settings.dryRun,
    problem: problemOfPrune(decisions, subjects.refusal),
  })
  return { ...outcome, changed: outcome.changed === true || isAnyPaused }
}
