import { ActionError } from '../client/errors.ts'
import type { GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { PreviewContext } from './context.ts'
import { createPreview } from './create.ts'
import { deletePreview } from './delete.ts'
import type { WorkflowEvent } from './github.ts'
import { prunePreviews } from './prune.ts'

const creating = ['opened', 'reopened', 'synchronize', 'ready_for_review']

/** The operation that fits an event. */
export function operationFor({
  name,
  action,
}: Pick<WorkflowEvent, 'name' | 'action'>): 'create-preview' | 'delete-preview' | 'prune-previews' {
  if (name === 'schedule' || name === 'workflow_dispatch') return 'prune-previews'
  if (name === 'pull_request' || name === 'pull_request_target') {
    if (action === 'closed') return 'delete-preview'
    if (creating.includes(action ?? '')) return 'create-preview'
  }
  if (name.startsWith('pull_request') && action === undefined) {
    throw new ActionError(
      `the payload of the event ${name} cannot be read (GITHUB_EVENT_PATH)`,
      'run the step on a GitHub Actions runner, or name create-preview or delete-preview with pull_request',
    )
  }
  throw new ActionError(
    `preview does not know what to do on the event ${name || '(none)'}${action ? ` (${action})` : ''}`,
    `run it on pull_request (${creating.join(', ')}, closed), schedule or workflow_dispatch, or name create-preview, delete-preview or prune-previews`,
  )
}

/** Whether the event calls for a preview to be made or found; one that calls for nothing does not. */
export function makesPreview(event: Pick<WorkflowEvent, 'name' | 'action'>): boolean {
  try {
    return operationFor(event) === 'create-preview'
  } catch {
    return false
  }
}

const runs = {
  'create-preview': createPreview,
  'delete-preview': deletePreview,
  'prune-previews': prunePreviews,
}

/** Does what the event calls for: creates, deletes or prunes. */
export async function previewByEvent(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const operation = operationFor(context.github.event)
  context.log.info(
    `on ${context.github.event.name}${context.github.event.action ? ` (${context.github.event.action})` : ''}: ${operation}`,
  )
  return await runs[operation](given, context)
}
