/** Renders repositories as GitHub's API does. */
import { type Addresses, below, date, nodeId, type RepositoryFacts, renderAccount } from './records.ts'

const repositoryTails = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
}

const flags = {
  private: true,
  archived: false,
  disabled: false,
  is_template: false,
  has_issues: true,
  has_projects: true,
  has_wiki: false,
  has_pages: false,
  has_downloads: true,
  has_discussions: false,
  allow_forking: true,
  web_commit_signoff_required: false,
}

const counts = {
  size: 108,
  forks: 0,
  forks_count: 0,
  stargazers_count: 0,
  watchers: 0,
  watchers_count: 0,
  open_issues: 1,
  open_issues_count: 1,
}

export function renderRepository({ owner, name, id, fork }: RepositoryFacts, addresses: Addresses) {
  const fullName = `${owner.login}/${name}`
  const url = `${addresses.api}/repos/${fullName}`
  const html = `${addresses.web}/${fullName}`
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullName,
    owner: renderAccount(owner, addresses),
    html_url: html,
    description: null,
    fork,
    url,
    ...below(url, repositoryTails),
    clone_url: `${html}.git`,
    git_url: `git:${html.replace(/^https?:/, '')}.git`,
    ssh_url: `git@${new URL(html).hostname}:${fullName}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    topics: [],
    visibility: 'private',
    default_branch: 'main',
    ...flags,
    ...counts,
    pushed_at: date,
    created_at: date,
    updated_at: date,
  }
}

/** The answer to GET /repos/{owner}/{repo}: a little more than where a repository is part of another record. */
export function renderFullRepository(facts: RepositoryFacts, addresses: Addresses) {
  return { ...renderRepository(facts, addresses), network_count: 0, subscribers_count: 1 }
}
