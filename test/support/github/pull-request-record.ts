/** Renders pull requests as GitHub's API does. */
import {
  type Account,
  type Addresses,
  date,
  nodeId,
  type PullRequestFacts,
  type RepositoryFacts,
  renderAccount,
} from './records.ts'
import { renderRepository } from './repository-record.ts'

/** The newest commit of a pull request before the first push. */
export const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

function renderBranch(
  { ref, commit = sha }: { ref: string; commit?: string | undefined },
  owner: Account,
  repository: RepositoryFacts | null,
  addresses: Addresses,
) {
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha: commit,
    user: renderAccount(owner, addresses),
    repo: repository && renderRepository(repository, addresses),
  }
}

const renderLabel = (name: string, index: number, repository: string) => ({
  id: 208_045_946 + index,
  node_id: nodeId('Label', index),
  url: `${repository}/labels/${encodeURIComponent(name)}`,
  name,
  description: 'A label',
  color: 'f29513',
  default: false,
})

/** An item of the list of pull requests. */
export function renderPullRequest(facts: PullRequestFacts, addresses: Addresses) {
  const { number, state, author, base, head, labels = [], draft = false } = facts
  const repository = `${addresses.api}/repos/${base.owner.login}/${base.name}`
  const html = `${addresses.web}/${base.owner.login}/${base.name}/pull/${number}`
  const url = `${repository}/pulls/${number}`
  const issue = `${repository}/issues/${number}`
  const links = {
    self: url,
    html,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repository}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${repository}/statuses/${sha}`,
  }
  return {
    url,
    id: 1_000_000 + number,
    node_id: nodeId('PullRequest', number),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number,
    state,
    locked: false,
    active_lock_reason: null,
    title: facts.title,
    user: renderAccount(author, addresses),
    body: null,
    labels: labels.map((name, index) => renderLabel(name, index, repository)),
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    created_at: date,
    updated_at: date,
    closed_at: state === 'closed' ? date : null,
    merged_at: null,
    merge_commit_sha: null,
    head: renderBranch({ ref: 'feature', commit: facts.commit }, head?.owner ?? author, head, addresses),
    base: renderBranch({ ref: 'main' }, base.owner, base, addresses),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    draft,
  }
}

/** The answer to GET /repos/{owner}/{repo}/pulls/{pull_number}, and the pull request of an event. */
export function renderFullPullRequest(facts: PullRequestFacts, addresses: Addresses) {
  return {
    ...renderPullRequest(facts, addresses),
    merged: false,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    merged_by: null,
    maintainer_can_modify: false,
    comments: 0,
    review_comments: 0,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: facts.changed?.length ?? 1,
  }
}
