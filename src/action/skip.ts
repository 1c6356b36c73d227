/** Skips a step that has no secrets. */
import type { WorkflowEvent } from '#preview/base/github'
import type { Edge } from './host/edge.ts'
import { RunnerFileError } from './host/runner-files.ts'
import { writeOutputs } from './outputs/write-outputs.ts'

/** Whether GitHub withholds secrets from the run: pull requests of forks, and all of Dependabot. */
export function isUntrusted({ pullRequest, actor }: WorkflowEvent): boolean {
  return pullRequest?.fromFork === true || actor === 'dependabot[bot]'
}

/** Ends the step without a request, and logs the reason (docs/internals/guarantees.md, "Skipped without secrets"). */
export function skipStep(edge: Edge, { pullRequest }: WorkflowEvent): void {
  const author = pullRequest?.fromFork ? 'a pull request from a fork' : 'Dependabot'
  edge.log.notice(`skipped: this run is for ${author}, and GitHub gives it no secrets`)
  const outcome = { operation: '', ids: {}, skipped: 'no secrets' }
  const unwritten = writeOutputs({ outcome, login: { user: '', database: '', sslmode: '' } }, edge)
  if (unwritten.length > 0) throw new RunnerFileError('nothing was done', unwritten, 'run the step again')
}
