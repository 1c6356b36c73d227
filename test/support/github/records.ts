import { createHash } from 'node:crypto'

/** GitHub's records as its REST API answers them; test/github/fake.test.ts checks them against its OpenAPI. */

export interface Account {
  login: string
  id: number
  type: 'User' | 'Bot' | 'Organization'
}

export interface RepositoryFacts {
  owner: Account
  name: string
  id: number
  fork: boolean
}

/** A file that a pull request changes. */
export interface ChangedFile {
  filename: string
  status?: 'added' | 'removed' | 'modified' | 'renamed'
  previous_filename?: string
}

export interface PullRequestFacts {
  number: number
  state: 'open' | 'closed'
  title: string
  /** The names of its labels. */
  labels?: string[]
  draft?: boolean
  author: Account
  /** Its newest commit; undefined before the first push. */
  commit?: string
  /** The files that it changes. */
  changed?: ChangedFile[]
  /** Null if the fork was deleted. */
  head: RepositoryFacts | null
  base: RepositoryFacts
}

export interface CommentFacts {
  id: number
  issue: number
  author: Account
  body: string
  createdAt: string
  updatedAt: string
}

export interface LabelEvent {
  id: number
  issue: number
  event: 'labeled' | 'unlabeled'
  label: string
  actor: Account
  /** The app through which the actor did it. */
  app: Account | undefined
  at: string
}

/** The addresses that records point to. */
export interface Addresses {
  api: string
  web: string
}

export const date = '2026-01-31T12:00:00Z'
/** The object in Git's own format. */
export const digest = (text: string) => createHash('sha1').update(text).digest('hex')
export const nodeId = (kind: string, id: number) => Buffer.from(`${kind}${id}`).toString('base64url')

/** Fields with the record's own address and a suffix as value. */
export const below = (address: string, tails: Record<string, string>) =>
  Object.fromEntries(Object.entries(tails).map(([name, tail]) => [name, address + tail]))

export function renderAccount({ login, id, type }: Account, { api, web }: Addresses) {
  const url = `${api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${web}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: type === 'Bot' ? `${web}/apps/${login.replace('[bot]', '')}` : `${web}/${login}`,
    ...below(url, {
      followers_url: '/followers',
      following_url: '/following{/other_user}',
      gists_url: '/gists{/gist_id}',
      starred_url: '/starred{/owner}{/repo}',
      subscriptions_url: '/subscriptions',
      organizations_url: '/orgs',
      repos_url: '/repos',
      events_url: '/events{/privacy}',
      received_events_url: '/received_events',
    }),
    type,
    user_view_type: 'public',
    site_admin: false,
  }
}

/** The answer to GET /user. */
export function renderUser(account: Account, addresses: Addresses) {
  return {
    ...renderAccount(account, addresses),
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 1,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: date,
    updated_at: date,
  }
}

export function renderComment(facts: CommentFacts, base: RepositoryFacts, addresses: Addresses) {
  const repository = `${addresses.api}/repos/${base.owner.login}/${base.name}`
  const html = `${addresses.web}/${base.owner.login}/${base.name}/pull/${facts.issue}`
  return {
    url: `${repository}/issues/comments/${facts.id}`,
    html_url: `${html}#issuecomment-${facts.id}`,
    issue_url: `${repository}/issues/${facts.issue}`,
    id: facts.id,
    node_id: nodeId('IssueComment', facts.id),
    user: renderAccount(facts.author, addresses),
    created_at: facts.createdAt,
    updated_at: facts.updatedAt,
    author_association: 'CONTRIBUTOR',
    body: facts.body,
    performed_via_github_app: null,
  }
}

const renderApp = ({ login, id }: Account, { web }: Addresses) => ({
  ...{ id, slug: login.replace('[bot]', ''), node_id: nodeId('Integration', id), name: login },
  ...{ owner: renderAccount({ login: 'octo-org', id: 6811672, type: 'Organization' }, { api: web, web }) },
  ...{ description: null, external_url: web, html_url: web, created_at: date, updated_at: date },
  ...{ permissions: {}, events: [] },
})

export function renderLabelEvent(facts: LabelEvent, base: RepositoryFacts, addresses: Addresses) {
  const { id, event, label, actor, app, at } = facts
  return {
    ...{ id, node_id: nodeId('LabeledEvent', id), event, commit_id: null, commit_url: null },
    url: `${addresses.api}/repos/${base.owner.login}/${base.name}/issues/events/${id}`,
    actor: renderAccount(actor, addresses),
    ...{ created_at: at, label: { name: label, color: 'd93f0b' } },
    performed_via_github_app: app ? renderApp(app, addresses) : null,
  }
}

/** The permissions of an account, in the old words and as roles. */
export function renderPermission(login: string, permission: string, addresses: Addresses) {
  const user = renderAccount({ login, id: 1, type: 'User' }, addresses)
  return { permission, role_name: permission, user: { ...user, role_name: permission } }
}

/** A branch of the merge queue, as an item of the list of references. */
export function renderReference(
  { ref, sha }: { ref: string; sha: string },
  base: RepositoryFacts,
  addresses: Addresses,
) {
  const repository = `${addresses.api}/repos/${base.owner.login}/${base.name}`
  return {
    ref,
    node_id: nodeId('Ref', 1),
    url: `${repository}/git/${ref}`,
    object: { sha, type: 'commit', url: `${repository}/git/commits/${sha}` },
  }
}

/** The hash by which Git knows the content of a file. */
const hashBlob = (content: string) => digest(`blob ${Buffer.byteLength(content)}\0${content}`)

/** All files of a commit: their folders are entries as well. */
export function renderTree(
  commit: string,
  files: Record<string, string>,
  base: RepositoryFacts,
  addresses: Addresses,
) {
  const git = `${addresses.api}/repos/${base.owner.login}/${base.name}/git`
  const parents = Object.keys(files).flatMap(path =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
  )
  const folders = [...new Set(parents)].map(path => {
    const sha = digest(`folder ${path}`)
    return { path, mode: '040000', type: 'tree', sha, url: `${git}/trees/${sha}` }
  })
  const blobs = Object.entries(files).map(([path, content]) => {
    const sha = hashBlob(content)
    return { path, mode: '100644', type: 'blob', size: content.length, sha, url: `${git}/blobs/${sha}` }
  })
  return { sha: commit, url: `${git}/trees/${commit}`, tree: [...folders, ...blobs], truncated: false }
}

export function renderChangedFile(file: ChangedFile, base: RepositoryFacts, addresses: Addresses) {
  const { filename, status = 'modified' } = file
  const repository = `${addresses.web}/${base.owner.login}/${base.name}`
  return {
    ...file,
    sha: hashBlob(filename),
    status,
    additions: 1,
    deletions: 0,
    changes: 1,
    blob_url: `${repository}/blob/main/${filename}`,
    raw_url: `${repository}/raw/main/${filename}`,
    contents_url: `${addresses.api}/repos/${base.owner.login}/${base.name}/contents/${filename}?ref=main`,
    patch: '@@ -0,0 +1 @@\n+x',
  }
}
