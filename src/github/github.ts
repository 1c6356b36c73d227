/** GitHub as previews need it: each method with the calls and texts that it takes. */
import { once } from '../base/once.ts'
import { renderMarkdown } from '../base/render-markdown.ts'
import type { Seam } from '../base/seam.ts'
import { createSend } from '../client/network/transport.ts'
import type { GitHub, PreviewReport, WorkflowEvent } from '../preview/base/github.ts'
import { type CallOptions, createCall } from './ask/call.ts'
import { GitHubUnavailableError } from './ask/errors.ts'
import { createGraphql } from './ask/graphql.ts'
import { apiAddressOf, graphqlAddressOf, openOctokit } from './ask/octokit.ts'
import { readAuthor } from './comment/author.ts'
import { Comments } from './comment/comment.ts'
import { commentStyle } from './comment/comment-style.ts'
import { renderDatabaseSection } from './comment/database-section.ts'
import { createFindOwnComments } from './comment/own-comments.ts'
import { visibleText } from './comment/plain-code.ts'
import { readShownHash, renderShownLoss, type SectionText } from './comment/sections.ts'
import { readFiles } from './files.ts'
import { listQueueHeads } from './merge-queue.ts'
import { PullRequests } from './pull-requests.ts'

export interface GitHubOptions {
  /** Empty or undefined: every call rejects. */
  token: string | undefined
  event: WorkflowEvent
  /** GITHUB_API_URL and GITHUB_GRAPHQL_URL are read from it. Proxies are those of the process. */
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  /** When the operation must be over: a moment of the seam's `now`. */
  deadline: number
  seam: Pick<Seam, 'now' | 'date' | 'sleep' | 'random'>
  onRetry?: CallOptions['onRetry']
  onHold?: CallOptions['onHold']
  /** Takes known secrets out of a text, before it goes into the comment. */
  redact: (text: string) => string
}

function noToken(): never {
  throw new GitHubUnavailableError(
    'there is no token for GitHub',
    'set the input github_token; left out, it is filled in by GitHub, and by act with --secret GITHUB_TOKEN',
  )
}

/** Redacts twice: taking out invisible characters may join two halves of a secret. */
function redactReport(report: PreviewReport, redact: (text: string) => string): PreviewReport {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean)
    return typeof value === 'string' ? redact(visibleText(redact(value))) : value
  }
  const entries = Object.entries(report).map(([name, value]) => [
    name,
    ['state', 'name', 'data'].includes(name) ? value : clean(value),
  ])
  return Object.fromEntries(entries)
}

/** Characters of the section on migrations: with the other one, the comment stays below 60,000. */
const migrationsRoom = 36_000

/** What becomes of the section on migrations: what was measured belongs to one database, and ends with it. */
const fates: Partial<Record<PreviewReport['state'], SectionText['migrations']>> = {
  creating: 'goes',
  deleted: 'is folded',
}

/** GitHub as previews need it, with the token of the workflow. */
export function openGitHub(options: GitHubOptions): GitHub {
  const { token, event, seam, signal, deadline, onRetry, onHold, redact } = options
  const apiAddress = apiAddressOf(options.environment)
  const octokit = once(async () => (token ? await openOctokit(token, apiAddress) : noToken()))
  const call = createCall({ octokit, seam, signal, deadline, onRetry, onHold, send: createSend() })
  const graphql = createGraphql(call, graphqlAddressOf(options.environment))
  const pullRequests = new PullRequests(call, event, graphql)
  const comments = new Comments(
    call,
    event,
    createFindOwnComments(call, event, {
      ask: graphql,
      readAuthor: once(() => readAuthor(call, graphql)),
    }),
    { seam, signal },
  )
  return {
    readPullRequest: number => pullRequests.readOne(number),
    readPullRequests: numbers => pullRequests.readSome(numbers),
    readFiles: of => readFiles(call, event, of),
    listQueueHeads: () => listQueueHeads(call, event),
    async writeComment(pullRequest, report, { onlyUpdate }) {
      const text = renderDatabaseSection(
        redactReport(report, redact),
        event.runUrl,
        seam.date(),
        event.packageSource,
      )
      const migrations = fates[report.state] ?? 'stays'
      const section = { section: 'database', text, migrations } as const
      return await comments.write({ ...section, pullRequest, name: report.name, onlyUpdate })
    },
    async writeMigrations(pullRequest, preview, report) {
      const shown = renderMarkdown(report.blocks, commentStyle(event.runUrl, redact, migrationsRoom))
      const text = report.loss === undefined ? shown : `${renderShownLoss(report.loss)}\n${shown}`
      const section = { section: 'migrations', text, pullRequest, name: preview } as const
      return await comments.write({ ...section, onlyUpdate: false })
    },
    async readShownLoss(pullRequest, preview) {
      const comment = await comments.find({ pullRequest, name: preview })
      const { hash, serviceId } = (comment && readShownHash(comment.body, comment.changedAt)) ?? {}
      return hash === undefined ? undefined : { hash, serviceId }
    },
    async readApproval(question) {
      const { readApproval } = await import('./approval.ts')
      return await readApproval({ call, event, comments, pullRequests }, question)
    },
  }
}
