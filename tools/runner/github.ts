/** A stand-in for GitHub: pull requests of one repository, and the comments on them. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readChangedFiles, readTree } from './workspace-files.ts'

export const repository = { full_name: 'acme/shop', id: 1296269 }
/** Requests to this machine must bypass a proxy. */
export const withoutProxy = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
const commit = '4f6c1d0a9b3e57c2846fd1e0b7a95c3d28e41f60'

/** In the form of GitHub's events and answers. */
export const pullRequest = {
  ...{ number: 12, state: 'open', draft: false, labels: [] as { name: string }[] },
  ...{ updated_at: '2026-01-31T12:00:00Z' },
  ...{ head: { sha: commit, repo: repository }, base: { repo: repository } },
}
export type PullRequest = typeof pullRequest

/** The whole state of the stand-in, in JSON's types. */
export interface Memory {
  pullRequests: PullRequest[]
  /** Oldest first. */
  comments: { id: number; pullRequest: number; body: string; updated_at?: string }[]
  /** Oldest first. */
  labelEvents?: (LabelChange & { pullRequest: number; created_at: string })[]
}

/** A label that a person with write access has set or removed. */
export interface LabelChange {
  event: 'labeled' | 'unlabeled'
  label: { name: string }
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>

type Answer = [status: number, body?: unknown]

const now = () => new Date().toISOString()

const bot = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' }
const notFound: Answer = [404, { message: 'Not Found' }]

/** A token with all permissions. */
export const token = 'ghs_0123456789abcdefABCDEF'

const renderComment = ({ id, pullRequest: number, body, updated_at }: Memory['comments'][number]) => ({
  ...{ id, body, updated_at, user: bot },
  html_url: `https://github.com/${repository.full_name}/pull/${number}#issuecomment-${id}`,
})

function answerComment(method: string, id: number, body: string, { comments }: Memory): Answer {
  const comment = comments.find(one => one.id === id)
  if (comment === undefined) return notFound
  if (method === 'DELETE') {
    comments.splice(comments.indexOf(comment), 1)
    return [204]
  }
  if (method === 'PATCH') Object.assign(comment, { body, updated_at: now() })
  return [200, renderComment(comment)]
}

function answerComments(method: string, number: number, body: string, { comments }: Memory): Answer {
  if (method === 'GET') return [200, comments.filter(one => one.pullRequest === number).map(renderComment)]
  const id = Math.max(0, ...comments.map(one => one.id)) + 1
  const comment = { id, pullRequest: number, body, updated_at: now() }
  comments.push(comment)
  return [201, renderComment(comment)]
}

const person = { login: 'octocat', type: 'User' }

const renderEvents = (number: number, { labelEvents = [] }: Memory) =>
  labelEvents.filter(one => one.pullRequest === number).map(one => ({ ...one, actor: person }))

function changeLabels(labels: PullRequest['labels'], { event, label }: LabelChange): PullRequest['labels'] {
  const others = labels.filter(({ name }) => name !== label.name)
  return event === 'labeled' ? [...others, label] : others
}

/** Answers questions about files. Undefined: no such question. */
function answerFiles(path: string, query: URLSearchParams, folder: string): Answer | undefined {
  if (path.startsWith('/git/trees/')) return [200, readTree(folder)]
  if (!/^\/pulls\/\d+\/files$/.test(path)) return undefined
  const size = Number(query.get('per_page'))
  const end = size * Number(query.get('page'))
  return [200, readChangedFiles(folder).slice(end - size, end)]
}

/** A pull request to the default branch, whose changed files can be read. */
const withFiles = (found: PullRequest, folder: string) => ({
  ...found,
  base: { ref: 'main', ...found.base },
  changed_files: readChangedFiles(folder).length,
})

/** Without a folder, it lacks the routes of files: the action treats these as forbidden to the token. */
async function answer(request: IncomingMessage, memory: Memory, folder?: string): Promise<Answer> {
  const { method = 'GET', url = '' } = request
  const { body = '' } = JSON.parse((await text(request)) || '{}') as { body?: string }
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const path = pathname.replace(`/repos/${repository.full_name}`, '')
  const files = folder && answerFiles(path, searchParams, folder)
  if (files) return files
  // The token of a workflow has no user of its own; GraphQL returns one.
  if (path === '/user') return [403, { message: 'Resource not accessible by integration' }]
  if (path === '/graphql') return [200, { data: { viewer: { login: bot.login } } }]
  if (/^\/collaborators\/[^/]+\/permission$/.test(path)) return [200, { permission: 'write' }]
  const [, labeled] = /^\/issues\/(\d+)\/events$/.exec(path) ?? []
  if (labeled !== undefined) return [200, renderEvents(Number(labeled), memory)]
  const [, kind, id] = /^\/(pulls|issues\/comments|issues)\/(\d+)(?:\/comments)?$/.exec(path) ?? []
  const number = Number(id)
  if (kind === 'issues/comments') return answerComment(method, number, body, memory)
  if (kind === 'issues') return answerComments(method, number, body, memory)
  if (path === '') return [200, { ...repository, default_branch: 'main' }]
  if (path === '/pulls') return [200, memory.pullRequests]
  const found = kind === 'pulls' && memory.pullRequests.find(one => one.number === number)
  if (!found) return notFound
  return [200, folder === undefined ? found : withFiles(found, folder)]
}

/**
 * Starts the stand-in on a free port. It reads and changes `memory`; by default that has one open pull request.
 * @param sources the folder whose files every commit has, and every pull request changes
 */
export async function startStandIn(
  memory: Memory = { pullRequests: [pullRequest], comments: [] },
  sources?: string,
) {
  const server = createServer((request, response) => {
    const respond = ([status, body]: Answer) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
    answer(request, memory, sources).then(respond, error => respond([500, { message: String(error) }]))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const environment = {
    ...{ GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_SERVER_URL: 'https://github.com' },
    ...{ GITHUB_REPOSITORY: repository.full_name, GITHUB_REPOSITORY_ID: String(repository.id) },
    ...{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1', GITHUB_SHA: commit },
  }
  return {
    /** The environment variables with which a step uses the stand-in. */
    environment,
    /** Writes an event to a file of the folder. Returns the environment of a step that it starts there. */
    event(folder: string, name: string, payload: object = {}) {
      const file = join(folder, 'event.json')
      writeFileSync(file, JSON.stringify({ repository, ...payload }))
      const event = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file, GITHUB_WORKSPACE: folder }
      return { ...environment, ...event }
    },
    /** Adds a pull request, or replaces the one with its number; its labels stay. Returns it with its present labels. */
    put(given: PullRequest, change?: LabelChange): PullRequest {
      const { number } = given
      const others = memory.pullRequests.filter(one => one.number !== number)
      const known = given.labels.length > 0 ? given : memory.pullRequests.find(one => one.number === number)
      const labels = known?.labels ?? []
      const changed = { ...given, labels: change ? changeLabels(labels, change) : labels }
      memory.pullRequests = [...others, changed]
      memory.labelEvents ??= []
      if (change) memory.labelEvents.push({ ...change, pullRequest: number, created_at: now() })
      return changed
    },
    /** The texts of the comments on a pull request, oldest first. */
    comments: (number = pullRequest.number) =>
      memory.comments.filter(one => one.pullRequest === number).map(({ body }) => body),
    stop: () => server[Symbol.asyncDispose](),
  }
}
