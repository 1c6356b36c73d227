import type { Service } from '../api/records.ts'
import { ActionError, renderAdvised } from '../client/errors.ts'
import { Gate } from '../client/gate.ts'
import type { GivenParameters } from '../operations/context.ts'
import { byAge } from '../operations/intent.ts'
import type { Outcome } from '../operations/outcome.ts'
import { resolveProjectId } from '../operations/project.ts'
import { ageOf, timeSince } from './age.ts'
import type { PreviewContext } from './context.ts'
import { waitingTogether } from './departures.ts'
import { reasonToKeep } from './guard.ts'
import { isEnding, ownershipOf } from './identity.ts'
import { listNamed } from './list-services.ts'
import { parsePreviewName, previewBaseOf } from './name.ts'
import { pauseIdle } from './pause.ts'
import { type Decision, decide, describeSparing, sparingLabel } from './prune-decision.ts'
import { removePreview, waitUntilGone } from './remove.ts'
import { report } from './report.ts'
import {
  atOnce,
  describeState,
  pullRequestOf,
  readStanding,
  readStandings,
  type Standing,
} from './subject-states.ts'

const doubt = "GitHub's answer is not conclusive"

type Owner = ReturnType<typeof ownershipOf> & { projectId: string }

/** All services named as previews of this repository (with the given prefix, if any), the oldest first. */
async function findAll(context: PreviewContext, owner: Owner): Promise<Service[]> {
  const { namePrefix } = context.settings.preview
  const hash = `-${owner.repositoryHash}-`
  const services = await listNamed(context, owner.projectId, name => name.includes(hash))
  const isOurs = (service: Service) => {
    const name = parsePreviewName(service.name ?? '')
    return name?.repositoryHash === owner.repositoryHash && (namePrefix ?? name.prefix) === name.prefix
  }
  return services.filter(service => isOurs(service) && !isEnding(service)).sort(byAge('service'))
}

function decideAll(
  context: PreviewContext,
  owner: Owner,
  previews: Service[],
  standings: Map<Service, Standing | undefined>,
): Decision[] {
  const { minAge, maxAge, maxDeletions, keepLabel } = context.settings.preview
  let deletions = 0
  return previews.map(service => {
    const pullRequest = pullRequestOf(service)
    const guarded = reasonToKeep(service, owner)
    if (guarded !== undefined) return { service, pullRequest, verdict: 'kept', reason: guarded }
    const standing = standings.get(service)
    if (standing === undefined) return { service, pullRequest, verdict: 'kept', reason: doubt }
    const { state, closedAt, labels = [] } = standing
    const spared = sparingLabel(labels, keepLabel)
    const age = ageOf(context, service)
    const closedFor = timeSince(context, closedAt)
    const decision = decide({ age, closedFor, minAge, maxAge, state, spared })
    if (!decision.delete) return { service, pullRequest, state, verdict: 'kept', reason: decision.reason }
    deletions += 1
    if (deletions <= maxDeletions)
      return { service, pullRequest, state, verdict: 'deleted', reason: decision.reason }
    return {
      service,
      pullRequest,
      verdict: 'skipped',
      reason: `${decision.reason}, but max_deletions is ${maxDeletions}`,
    }
  })
}

/** What all deletions of a run share: the bound on concurrent requests, and the list that their waits read. */
interface Sweep {
  gate: Gate
  departures: PreviewContext
}

/**
 * Deletes one preview, after a last look at it and at its pull request: minutes may have passed since the decision, and
 * the pull request may have been reopened.
 */
async function deleteOne(
  context: PreviewContext,
  owner: Owner,
  decision: Decision,
  { gate, departures }: Sweep,
): Promise<Decision> {
  const { service, pullRequest } = decision
  const remove = () =>
    removePreview(context, service, owner, {
      wait: false,
      async reasonNow() {
        const { state, labels = [] } = await readStanding(context, service)
        const spared = state === 'open' ? sparingLabel(labels, context.settings.preview.keepLabel) : undefined
        if (spared !== undefined) return describeSparing(spared)
        return state === decision.state ? undefined : describeState(state)
      },
    })
  const removal = await gate.run(remove)
  if (!removal.deleted) {
    if (removal.isDryRun) return { ...decision, verdict: 'would delete' }
    return { ...decision, verdict: 'kept', reason: removal.reason }
  }
  const ids = { project_id: owner.projectId, service_id: service.service_id }
  if (context.settings.wait) await waitUntilGone(departures, ids)
  const base = previewBaseOf(service.name ?? '') ?? ''
  await gate.run(() => report(context, { base, pullRequest }, { state: 'deleted' }), { first: true })
  return decision
}

async function carryOut(context: PreviewContext, owner: Owner, decisions: Decision[]): Promise<Decision[]> {
  const gate = new Gate(atOnce)
  const sweep = { gate, departures: waitingTogether(context, gate, owner.projectId) }
  const carryOutOne = async (decision: Decision): Promise<Decision> => {
    if (decision.verdict !== 'deleted') return decision
    try {
      return await deleteOne(context, owner, decision, sweep)
    } catch (failure) {
      context.signal.throwIfAborted()
      context.log.warning(
        `${decision.service.name} is not deleted: ${renderAdvised(failure)}`,
        'a preview is not deleted',
      )
      const next = failure instanceof ActionError ? failure.next : undefined
      return { ...decision, verdict: 'failed', reason: (failure as Error).message, next }
    }
  }
  return await Promise.all(decisions.map(carryOutOne))
}

function outcomeOf(context: PreviewContext, projectId: string, made: Decision[]): Outcome {
  const decisions = made.map(({ service, pullRequest, verdict, reason }) => ({
    service_id: service.service_id,
    name: service.name ?? '',
    pull_request: pullRequest,
    verdict,
    reason,
  }))
  const deletedIds = decisions
    .filter(({ verdict }) => verdict === 'deleted')
    .map(({ service_id }) => service_id)
  const keptIds = decisions.filter(({ verdict }) => verdict !== 'deleted').map(({ service_id }) => service_id)
  const deleted = deletedIds.length > 0
  return {
    operation: 'prune-previews',
    ids: { project_id: projectId },
    deleted,
    changed: deleted || decisions.some(({ verdict }) => verdict === 'paused'),
    deletedIds,
    keptIds,
    decisions,
    result: decisions,
    problem: problemOf(made),
    ...(context.settings.dryRun && { skipped: 'dry run' }),
  }
}

function problemOf(decisions: Decision[]): ActionError | undefined {
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

const inDoubt = (previews: Service[]) =>
  previews.map(
    (service): Decision => ({
      service,
      pullRequest: pullRequestOf(service),
      verdict: 'kept',
      reason: doubt,
    }),
  )

/**
 * Deletes previews of this repository that are too old, or whose pull request is closed, or whose entry has left the
 * merge queue; pauses those that nobody uses. Any doubt about GitHub's answer keeps everything. A failed deletion does
 * not stop the others.
 */
export async function prunePreviews(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const owner = { ...ownershipOf(context, given), projectId: await resolveProjectId(context) }
  const previews = await findAll(context, owner)
  let standings: Map<Service, Standing | undefined>
  try {
    standings = await readStandings(context, previews)
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `all previews are kept: GitHub's answer is not conclusive: ${renderAdvised(failure)}`,
      'all previews are kept',
    )
    return outcomeOf(context, owner.projectId, inDoubt(previews))
  }
  const left = await carryOut(context, owner, decideAll(context, owner, previews, standings))
  const decisions = await pauseIdle(context, owner, left, standings)
  for (const { service, verdict, reason } of decisions) {
    context.log.info(`${service.name} (${service.service_id}): ${verdict}, ${reason}`)
  }
  return outcomeOf(context, owner.projectId, decisions)
}
