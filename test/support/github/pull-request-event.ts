/** Builds the events of pull requests. */
import { complete } from './complete.ts'
import { pullRequestFields, type RepositoryFacts, repositoryFields } from './records.ts'
import { octocat } from './tokens.ts'

export const pullRequestActions = [
  ...(['opened', 'reopened', 'synchronize', 'ready_for_review', 'converted_to_draft'] as const),
  ...(['labeled', 'unlabeled', 'edited', 'closed'] as const),
]
export type PullRequestAction = (typeof pullRequestActions)[number]

export interface EventOptions {
  number?: number
  fromFork?: boolean
  /** The fork is gone: its repository is null. */
  deletedFork?: boolean
  /** As they are after the event. */
  labels?: string[]
  draft?: boolean
  /** `owner/name`. */
  repository?: string
  repositoryId?: number
}

/** The payload of a `pull_request` event as GitHub writes it to GITHUB_EVENT_PATH. */
export function pullRequestEvent(action: PullRequestAction, options: EventOptions = {}) {
  const { number = 7, fromFork = false, deletedFork = false } = options
  const [owner = '', name = ''] = (options.repository ?? 'octo-org/shop').split('/')
  const id = options.repositoryId ?? 1296269
  const base: RepositoryFacts = {
    owner: { login: owner, id: 6811672, type: 'Organization' },
    name,
    id,
    fork: false,
  }
  const head = fromFork ? { ...base, owner: octocat, id: id + 1, fork: true } : base
  const pull_request = pullRequestFields({
    number,
    state: action === 'closed' ? 'closed' : 'open',
    title: 'Add a column',
    labels: options.labels ?? [],
    draft: options.draft ?? action === 'converted_to_draft',
    author: octocat,
    head: deletedFork ? null : head,
    base,
  })
  return complete(`webhook-pull-request-${action.replaceAll('_', '-')}`, {
    ...{ action, number, pull_request, repository: repositoryFields(base), sender: octocat },
  })
}
