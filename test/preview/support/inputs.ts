/** Events, inputs and durations for tests. */
import { expect } from 'vitest'
import type { WorkflowEvent } from '#preview/base/github'
import { pullRequest, repositoryId } from '../../simulator/preview-names.ts'

export const second = 1000
export const minute = 60 * second

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

const unrelated = { action: undefined, pullRequest: undefined }
export const scheduleEvent = { name: 'schedule', ...unrelated }
export const pushEvent = { name: 'push', ...unrelated }

/** An event of the merge queue about a commit. */
export const queueEvent = (headSha: string, action = 'checks_requested'): Partial<WorkflowEvent> => ({
  ...{ name: 'merge_group', action, pullRequest: undefined, mergeGroup: { headSha } },
})

export function completeEvent(parts: Partial<WorkflowEvent>): WorkflowEvent {
  return {
    ...{ name: '', action: undefined, pullRequest: undefined, repository: 'octo/shop', repositoryId },
    ...{ actor: 'octocat', runUrl: 'https://github.example/run' },
    ...parts,
  }
}

/** Checks a duration in milliseconds: at least `from`, and less than `to`. */
export function expectBetween(duration: number, from: number, to: number): void {
  expect(duration).toBeGreaterThanOrEqual(from)
  expect(duration).toBeLessThan(to)
}
