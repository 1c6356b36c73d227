/** Access to GitHub for previews: builds the clients, and implements each method with them. */
import { once } from '#base/once'
import { renderMarkdown } from '#base/render-markdown'
import { createSend } from '#client/network/transport'
import type { GitHub, WorkflowEvent } from '#preview/base/github'
import { readApproval } from './approval.ts'
import { createCall, type GitHubCall, type GitHubCallOptions } from './ask/call.ts'
import { GitHubUnavailableError } from './ask/errors.ts'
import { Repository } from './ask/repository.ts'
import { apiAddressOf, graphqlAddressOf, openOctokit } from './ask/request.ts'
import { Comments } from './comment/comment.ts'
import { commentStyle } from './comment/comment-style.ts'
import { createFindOwnComments, readAuthor } from './comment/own-comments.ts'
import { parseShownLoss, renderShownLoss } from './comment/sections.ts'
import { readChangedFiles, readFiles } from './files.ts'
import { listPullRequests, listQueueHeads, readPullRequest } from './pull-requests.ts'

export interface GitHubOptions extends Omit<GitHubCallOptions, 'octokit' | 'send' | 'timeout'> {
  /** If empty or undefined, every call rejects. */
  token: string | undefined
  event: WorkflowEvent
  /** For GITHUB_API_URL and GITHUB_GRAPHQL_URL. Proxies are those of the process. */
  environment: NodeJS.ProcessEnv
  redact: (text: string) => string
}

function throwNoToken(): never {
  throw new GitHubUnavailableError(
    'there is no token for GitHub',
    'set the input github_token, or remove it: GitHub then sets it, and act does with --secret GITHUB_TOKEN',
  )
}

/** Upper limits for each section, in characters. GitHub's limit for a comment is 65,536. */
const sectionLimits = { database: 20_000, migrations: 36_000 }

export function openGitHub(options: GitHubOptions): GitHub {
  const { token, event, seam, signal, redact } = options
  const apiAddress = apiAddressOf(options.environment)
  const graphqlAddress = graphqlAddressOf(options.environment)
  const octokit = once(async () => (token ? await openOctokit(token, apiAddress) : throwNoToken()))
  const call = createCall({ ...options, octokit, send: createSend() })
  const repository = new Repository(call, event)
  const openComments = (commentCall: GitHubCall) => {
    const readAuthorOnce = once(() => readAuthor(commentCall, graphqlAddress))
    const commented = new Repository(commentCall, event)
    const findOwn = createFindOwnComments(commented, readAuthorOnce)
    return new Comments(commented, findOwn, { seam, signal })
  }
  // Reading a comment may be required. Writing one never is, so it waits less long for rate limits.
  const comments = openComments(call)
  const writtenComments = openComments(request => call({ ...request, isOptional: true }))
  return {
    readPullRequest: number => readPullRequest(repository, number),
    listPullRequests: oldest => listPullRequests(repository, oldest),
    readFiles: of => readFiles(repository, of),
    readChangedFiles: number => readChangedFiles(repository, number),
    listQueueHeads: () => listQueueHeads(repository),
    async writeComment(pullRequest, report, { onlyUpdate }) {
      const { name, blocks, migrations } = report
      const text = renderMarkdown(blocks, commentStyle(redact, sectionLimits.database))
      const section = { section: 'database', text, migrations } as const
      return await writtenComments.write({ ...section, pullRequest, name, onlyUpdate })
    },
    async writeMigrations(pullRequest, preview, report) {
      const shown = renderMarkdown(report.blocks, commentStyle(redact, sectionLimits.migrations))
      const text = report.loss === undefined ? shown : `${renderShownLoss(report.loss)}\n${shown}`
      const section = { section: 'migrations', text } as const
      return await writtenComments.write({ ...section, pullRequest, name: preview, onlyUpdate: false })
    },
    async readShownLoss(pullRequest, preview) {
      const comment = await comments.find({ pullRequest, name: preview })
      const { hash, serviceId } = (comment && parseShownLoss(comment.body, comment.changedAt)) ?? {}
      return hash === undefined ? undefined : { hash, serviceId }
    },
    readApproval: question => readApproval(repository, comments, question),
  }
}
