/** The loop that brings a preview to its desired state: observe, decide, perform one step, observe again. */
import { renderDuration } from '#base/duration'
import { WaitError } from '#operations/wait/wait-error'
import { pauseAfterLine } from '#operations/wait/wait-log'
import { PreviewError } from '../base/preview-error.ts'
import { readReasonAgainst } from '../on-github/reason-for-none.ts'
import * as changes from './changes.ts'
import * as contents from './contents.ts'
import { mostInterruptions, nextStep, type PreviewStep, type ServiceStep } from './next-step.ts'
import * as replacement from './replacement.ts'
import type { Run } from './run.ts'
import * as waits from './waits.ts'

/** Reads the list. After several interruptions it waits first, because another run is at work. */
async function readList({ context, observer, preview }: Run): Promise<void> {
  const { interruptions, isInterrupted } = observer
  if (isInterrupted && interruptions > 1) {
    const milliseconds = Math.min(1000 * (interruptions - 1), 5000)
    const line = `reading the list of ${preview.base} again in ${renderDuration(milliseconds)}: it is being changed`
    await pauseAfterLine(context, { line, name: 'waiting to read the list again', milliseconds })
  }
  await observer.readList()
}

async function giveUp({ preview }: Run): Promise<never> {
  throw new PreviewError(
    `gave up on the preview ${preview.base} after ${mostInterruptions} attempts: other runs keep changing it`,
    'use `concurrency` in the workflow, one group per pull request',
  )
}

const onPreview: Record<Exclude<PreviewStep, 'finish without'>, (run: Run) => Promise<void>> = {
  'list services': readList,
  'check pull request': changes.checkPullRequest,
  'check changed files': changes.checkChangedFiles,
  'check replacement': replacement.checkReplacement,
  create: changes.create,
  'wait for successor': waits.waitForSuccessor,
  'wait for creation': waits.waitForCreation,
  'give up': giveUp,
}

const onService: Record<Exclude<ServiceStep, 'publish'>, (run: Run, id: string) => Promise<void>> = {
  'delete duplicate': changes.deleteDuplicate,
  'delete replaced': replacement.deleteReplaced,
  'delete refused': changes.deleteRefused,
  'delete unmasked': changes.deleteUnmasked,
  'wait until gone': waits.waitUntilDeleted,
  'wait until ready': waits.waitUntilReady,
  'wait for parent': waits.waitForParent,
  'set password': changes.setPassword,
  quarantine: changes.quarantine,
  'wait for complete lists': waits.waitForCompleteLists,
  'read kept': waits.readKept,
  prepare: contents.prepare,
  'replace outdated': replacement.replaceOutdated,
  connect: contents.connect,
  refuse: changes.refuseNotOwned,
}

/** Whether the step failed because another run deleted the preview of a closed pull request: that is no failure. */
async function isRefusedNow(run: Run, failure: unknown): Promise<boolean> {
  const { context, observer, preview, desired } = run
  context.signal.throwIfAborted()
  const mayBeGone =
    failure instanceof PreviewError || failure instanceof WaitError || replacement.isHalfway(run)
  const creates = desired.databases === 'one' && !desired.onlyConnects
  if (!mayBeGone || !creates || observer.refusal !== undefined) return false
  const reason = await readReasonAgainst(context, preview)
  if (reason !== undefined) run.refuse(reason)
  return reason !== undefined
}

/**
 * Brings the preview to its desired state, and returns the last step: a database to publish, or none.
 * @throws PreviewError if another owner has a service of that name, or other runs keep changing the preview;
 * WaitError if it does not become READY; the errors of preparing and connecting
 */
export async function reconcile(
  run: Run,
): Promise<{ do: 'publish'; id: string } | { do: 'finish without'; reason: string }> {
  const { context, observer } = run
  for (;;) {
    const step = nextStep(observer, run.desired)
    context.log.debug(`next: ${step.do} (${step.reason})`)
    if (step.do === 'publish') return { do: step.do, id: step.id }
    if (step.do === 'finish without') return { do: step.do, reason: step.reason }
    try {
      await ('id' in step ? onService[step.do](run, step.id) : onPreview[step.do](run))
      observer.isPullRequestFresh = step.do === 'check pull request'
      observer.isKeptFresh = step.do === 'read kept'
    } catch (failure) {
      if (!(await isRefusedNow(run, failure))) throw failure
    }
  }
}
