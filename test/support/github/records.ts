/** GitHub's records as its REST API answers them. */
import { createHash } from 'node:crypto'
import { complete, date } from './complete.ts'

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

/** The newest commit of a pull request before the first push. */
export const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

/** The object in Git's own format. */
export const digest = (text: string) => createHash('sha1').update(text).digest('hex')

/** The facts of a repository, as part of other records too. */
export const repositoryFields = (facts: RepositoryFacts) => ({
  ...facts,
  ...{ full_name: `${facts.owner.login}/${facts.name}`, private: true, default_branch: 'main' },
})

const branch = (ref: string, commit: string, repository: RepositoryFacts | null) => ({
  ...{ ref, sha: commit, repo: repository && repositoryFields(repository) },
})

/** The facts of a pull request, in lists and in events too. */
export const pullRequestFields = (facts: PullRequestFacts) => ({
  ...{ number: facts.number, state: facts.state, title: facts.title, draft: facts.draft ?? false },
  labels: (facts.labels ?? []).map(name => ({ name })),
  user: facts.author,
  closed_at: facts.state === 'closed' ? date : null,
  head: branch('feature', facts.commit ?? sha, facts.head),
  base: branch('main', sha, facts.base),
  changed_files: facts.changed?.length ?? 1,
})

/** @param web the address of GitHub's pages */
export const renderComment = (facts: CommentFacts, { owner, name }: RepositoryFacts, web: string) =>
  complete('issue-comment', {
    ...{ id: facts.id, body: facts.body, user: facts.author },
    html_url: `${web}/${owner.login}/${name}/pull/${facts.issue}#issuecomment-${facts.id}`,
    ...{ created_at: facts.createdAt, updated_at: facts.updatedAt },
  })

export const renderLabelEvent = ({ id, event, label, actor, app, at }: LabelEvent) =>
  complete('labeled-issue-event', {
    ...{ id, event, actor, created_at: at, label: { name: label } },
    performed_via_github_app: app ? { id: app.id, slug: app.login.replace('[bot]', '') } : null,
  })

/** The permissions of an account, in the old words and as roles. */
export const renderPermission = (login: string, permission: string) =>
  complete('repository-collaborator-permission', { permission, role_name: permission, user: { login } })

/** The hash by which Git knows the content of a file. */
const hashBlob = (content: string) => digest(`blob ${Buffer.byteLength(content)}\0${content}`)

/** All files of a commit: their folders are entries as well. */
export function renderTree(commit: string, files: Record<string, string>) {
  const parents = Object.keys(files).flatMap(path =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
  )
  const folders = [...new Set(parents)].map(path => ({ path, type: 'tree', sha: digest(`folder ${path}`) }))
  const blobs = Object.entries(files).map(([path, content]) => ({
    path,
    type: 'blob',
    sha: hashBlob(content),
  }))
  return complete('git-tree', { sha: commit, tree: [...folders, ...blobs] })
}
