/** The routes of the fake GitHub and their handlers. */
import { type Answer, byApp, byToken, notFound, paginate, refuse, refuseField } from './answer.ts'
import { complete } from './complete.ts'
import {
  pullRequestFields,
  renderComment,
  renderLabelEvent,
  renderPermission,
  renderTree,
  repositoryFields,
} from './records.ts'
import type { Grant } from './tokens.ts'
import type { World } from './world.ts'

export interface Asked {
  url: URL
  body: unknown
  grant: Grant
  world: World
}

type Handler = (asked: Asked, number: number) => Answer

/** GitHub's limit of a comment, in characters. */
const longestBody = 65_536

const refuseAccess = ({ kind }: Grant) => (kind === 'app' ? byApp : byToken)

function readBody(body: unknown): string | Answer {
  const text = typeof body === 'object' && body !== null && 'body' in body ? body.body : undefined
  if (typeof text !== 'string') return refuse(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
  if (text.trim() === '') return refuseField('body', "body can't be blank")
  return text.length > longestBody
    ? refuseField('body', `Body is too long (maximum is ${longestBody} characters)`)
    : text
}

/** Checks the token's access before the handler looks for the comment, as GitHub does. */
const guarded =
  (needed: 'read' | 'write', handler: Handler): Handler =>
  (asked, number) => {
    const { access } = asked.grant
    return access === 'write' || access === needed ? handler(asked, number) : refuseAccess(asked.grant)
  }

const readUser: Handler = ({ grant }) =>
  grant.kind === 'app' ? byApp : { status: 200, body: complete('public-user', grant.account) }

/** The only query of the action, which an app's token may send too. */
const askGraphql: Handler = ({ grant, body }) =>
  typeof body === 'object' && body !== null && 'query' in body && body.query === '{ viewer { login } }'
    ? { status: 200, body: { data: { viewer: { login: grant.account.login } } } }
    : { status: 200, body: { errors: [{ message: 'Parse error' }] } }

const readRepository: Handler = ({ world }) => ({
  status: 200,
  body: complete('full-repository', repositoryFields(world.repository)),
})

const listPullRequests = guarded('read', ({ world, url }) => {
  const state = url.searchParams.get('state') ?? 'open'
  const newestFirst = [...world.pullRequests.values()].sort((one, other) => other.number - one.number)
  const found = newestFirst.filter(pullRequest => state === 'all' || pullRequest.state === state)
  const { items, headers } = paginate(found, url)
  return {
    status: 200,
    headers,
    body: items.map(item => complete('pull-request-simple', pullRequestFields(item))),
  }
})

const readPullRequest = guarded('read', ({ world }, number) => {
  const found = world.pullRequests.get(number)
  return found ? { status: 200, body: complete('pull-request', pullRequestFields(found)) } : notFound
})

const listComments = guarded('read', ({ world, url }, number) => {
  if (!world.pullRequests.has(number)) return notFound
  const since = url.searchParams.get('since') ?? ''
  const found = world.commentsOf(number).filter(({ updatedAt }) => updatedAt >= since)
  const { items, headers } = paginate(found, url)
  const body = items.map(item => renderComment(item, world.repository, world.addresses.web))
  return { status: 200, headers, body }
})

const createComment = guarded('write', ({ world, body, grant }, number) => {
  if (!world.pullRequests.has(number)) return notFound
  const text = readBody(body)
  if (typeof text !== 'string') return text
  const created = world.addComment(number, text, grant.account)
  return { status: 201, body: renderComment(created, world.repository, world.addresses.web) }
})

const listMatchingReferences: Handler = ({ world, url, grant }) => {
  if (grant.contents === 'none') return refuseAccess(grant)
  const asked = `refs/${decodeURIComponent(url.pathname.replace(/^.*\/matching-refs\//, ''))}`
  const { items, headers } = paginate(
    world.queue.filter(({ ref }) => ref.startsWith(asked)),
    url,
  )
  const body = items.map(entry => complete('git-ref', { ref: entry.ref, object: { sha: entry.sha } }))
  return { status: 200, headers, body }
}

const mostChangedFiles = 3000

/** GitHub lists 3,000 changed files at most. */
const listChangedFiles = guarded('read', ({ world, url }, number) => {
  const pullRequest = world.pullRequests.get(number)
  if (!pullRequest) return notFound
  const { items, headers } = paginate((pullRequest.changed ?? []).slice(0, mostChangedFiles), url)
  const body = items.map(file => complete('diff-entry', { status: 'modified', ...file }))
  return { status: 200, headers, body }
})

const readTree: Handler = ({ world, url, grant }) => {
  if (grant.contents === 'none') return refuseAccess(grant)
  const commit = url.pathname.replace(/^.*\//, '')
  const files = world.commits.get(commit)
  if (files === undefined) return notFound
  return { status: 200, body: renderTree(commit, files) }
}

const readComment = guarded('read', ({ world }, number) => {
  const found = world.comments.find(({ id }) => id === number)
  return found ? { status: 200, body: renderComment(found, world.repository, world.addresses.web) } : notFound
})

const listEvents = guarded('read', ({ world, url }, number) => {
  if (!world.pullRequests.has(number)) return notFound
  const { items, headers } = paginate(
    world.labelEvents.filter(({ issue }) => issue === number),
    url,
  )
  const body = items.map(item => renderLabelEvent(item))
  return { status: 200, headers, body }
})

/** Readable by every token (`metadata`). */
const readPermission: Handler = ({ world, url }) => {
  const [, login = ''] = /\/collaborators\/([^/]+)\//.exec(decodeURIComponent(url.pathname)) ?? []
  const permission = world.permissions.get(login) ?? 'read'
  return { status: 200, body: renderPermission(login, permission) }
}

/** A token that may write may change everybody's comments. */
const updateComment = guarded('write', ({ world, body }, number) => {
  const found = world.comments.find(({ id }) => id === number)
  if (!found) return notFound
  const text = readBody(body)
  if (typeof text !== 'string') return text
  Object.assign(found, { body: text, updatedAt: world.now })
  return { status: 200, body: renderComment(found, world.repository, world.addresses.web) }
})

const deleteComment = guarded('write', ({ world }, number) => {
  const index = world.comments.findIndex(({ id }) => id === number)
  if (index < 0) return notFound
  world.comments.splice(index, 1)
  return { status: 204, body: '' }
})

/** The routes of the fake, as GitHub's documentation names them. */
export const routes: Record<string, Handler> = {
  'GET /user': readUser,
  'POST /graphql': askGraphql,
  'GET /repos/{owner}/{repo}': readRepository,
  'GET /repos/{owner}/{repo}/pulls': listPullRequests,
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': readPullRequest,
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': listChangedFiles,
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref}': listMatchingReferences,
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': readTree,
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': listComments,
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': createComment,
  'GET /repos/{owner}/{repo}/issues/comments/{comment_id}': readComment,
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': updateComment,
  'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}': deleteComment,
  'GET /repos/{owner}/{repo}/issues/{issue_number}/events': listEvents,
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': readPermission,
}

const patterns = Object.keys(routes).map(route => {
  const pattern = route.replace(/\{(\w+)\}/g, (_, name) =>
    ['owner', 'repo', 'ref', 'tree_sha', 'username'].includes(name) ? `(?<${name}>[^/]+)` : '(?<number>\\d+)',
  )
  return { route, pattern: new RegExp(`^${pattern}$`) }
})

/** The route of a request, undefined if the fake has none, with the ids of its path. */
export function findRoute(method: string, path: string) {
  for (const { route, pattern } of patterns) {
    const groups = pattern.exec(`${method} ${path}`)?.groups
    const matches = groups !== undefined || pattern.test(`${method} ${path}`)
    const repository = groups?.owner && `${groups.owner}/${groups.repo}`
    if (matches) return { route, repository, number: Number(groups?.number ?? 0) }
  }
  return undefined
}
