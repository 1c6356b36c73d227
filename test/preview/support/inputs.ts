import type { StepSettings } from '../../../src/preview/context.ts'
import type { WorkflowEvent } from '../../../src/preview/github.ts'
import { pullRequest, repositoryId } from '../../simulator/preview-names.ts'
import { projectId } from '../../simulator/world.ts'

export const second = 1000
export const minute = 60 * second

/** An event of the pull request. */
export function eventOf(
  action: string,
  number = pullRequest,
  facts: Partial<NonNullable<WorkflowEvent['pullRequest']>> = {},
): Partial<WorkflowEvent> {
  const state = action === 'closed' ? 'closed' : 'open'
  return {
    name: 'pull_request',
    action,
    pullRequest: { number, state, fromFork: false, labels: [], draft: false, ...facts },
  }
}

/** An event of the merge queue about a commit. */
export const queueEvent = (headSha: string, action = 'checks_requested'): Partial<WorkflowEvent> => ({
  ...{ name: 'merge_group', action, pullRequest: undefined, mergeGroup: { headSha } },
})

/** The defaults of the inputs, without a connection to a database. */
export const defaults: StepSettings = {
  projectId,
  wait: true,
  waitForConnection: false,
  cleanup: 'never',
  dryRun: false,
  listLag: 10 * second,
  login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
  preview: {
    namePrefix: 'preview',
    pullRequest: undefined,
    previewName: undefined,
    empty: false,
    label: undefined,
    drafts: true,
    comment: true,
    pooler: false,
    maxAge: undefined,
    pauseAfter: undefined,
    keepLabel: 'keep-preview',
    maxPreviews: undefined,
    minAge: 30 * minute,
    maxDeletions: 10,
  },
}

/** An event of this repository. */
export function completeEvent(parts: Partial<WorkflowEvent>): WorkflowEvent {
  return {
    ...{ name: '', action: undefined, pullRequest: undefined, repository: 'octo/shop', repositoryId },
    ...{ actor: 'octocat', runUrl: 'https://github.example/run' },
    ...parts,
  }
}
