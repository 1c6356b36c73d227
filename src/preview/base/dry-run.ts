import { DryRunError, readOnly } from '../../client/read-only-client.ts'
import type { GivenParameters } from '../../operations/base/context.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import type { PreviewContext } from './context.ts'
import type { GitHub } from './github.ts'

/** The methods that change nothing. */
const reads = new Set<string>([
  'readPullRequest',
  'readPullRequests',
  'listQueueHeads',
] satisfies (keyof GitHub)[])

/** GitHub in a dry run: what is not named as reading is refused. */
function readOnlyGitHub(github: GitHub): GitHub {
  const members = Object.entries(github).map(([name, member]) => [
    name,
    reads.has(name) ? member : () => Promise.reject(new DryRunError(name)),
  ])
  return Object.fromEntries(members)
}

/** A context in which nothing can be changed, not even by an operation's mistake. */
export function withoutChanges(context: PreviewContext): PreviewContext {
  const refuse = () => {
    throw new DryRunError('a note of what it creates')
  }
  return {
    ...context,
    client: readOnly(context.client),
    github: readOnlyGitHub(context.github),
    quarantine: () => Promise.reject(new DryRunError('quarantine')),
    // Without a mark.
    probe: (connection, timeout) => context.probe(connection, timeout),
    withSession: () => Promise.reject(new DryRunError('a session')),
    journal: { intend: refuse, withdraw: () => {}, announce: refuse, tell: () => {} },
  }
}

/** Wraps an operation: in a dry run, it gets a context in which nothing can be changed. */
export function withDryRun(run: (given: GivenParameters, context: PreviewContext) => Promise<Outcome>) {
  return (given: GivenParameters, context: PreviewContext): Promise<Outcome> =>
    run(given, context.settings.dryRun ? withoutChanges(context) : context)
}
