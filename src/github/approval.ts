/** Checks whether a person has approved a loss of data. */
import * as z from 'zod/mini'
import { parseTimestamp } from '#base/timestamp'
import type { Approval, ApprovalQuestion } from '#preview/base/github'
import { GitHubRefusalError } from './ask/errors.ts'
import type { Repository } from './ask/repository.ts'
import type { Comments } from './comment/comment.ts'
import { readShownHash } from './comment/sections.ts'
import type { PullRequests } from './pull-requests.ts'

const labelEvent = z.looseObject({
  event: z.string(),
  created_at: z.nullish(z.string()),
  label: z.nullish(z.looseObject({ name: z.string() })),
  /** Null if the account was deleted. */
  actor: z.nullish(z.looseObject({ login: z.string(), type: z.optional(z.string()) })),
  /** The app that acted for the actor. */
  performed_via_github_app: z.nullish(z.looseObject({})),
})

type LabelEvent = z.infer<typeof labelEvent>

const permissionOfUser = z.looseObject({ permission: z.string() })

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export interface Asked {
  repository: Repository
  comments: Comments
  pullRequests: PullRequests
}

/** The event that last set the label; undefined if the pull request does not have the label now. */
async function findSetting(
  { repository, pullRequests }: Asked,
  { pullRequest, label }: ApprovalQuestion,
): Promise<LabelEvent | undefined> {
  const { labels } = await pullRequests.readOne(pullRequest)
  if (!labels.some(name => isSame(name, label))) return undefined
  const request = {
    what: `reading the label events of pull request ${pullRequest}`,
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/events',
    parameters: { issue_number: pullRequest },
    permission: 'pull-requests: read',
  }
  const events = await repository.readPages(request, labelEvent)
  const last = events.findLast(
    one => /^(?:un)?labeled$/.test(one.event) && isSame(one.label?.name ?? '', label),
  )
  return last?.event === 'labeled' ? last : undefined
}

async function mayWrite({ repository }: Asked, username: string): Promise<boolean> {
  const request = {
    what: `reading the permission of ${username}`,
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    parameters: { username },
    permission: 'metadata: read',
  }
  try {
    const { permission } = await repository.read(request, permissionOfUser)
    return permission === 'write' || permission === 'admin'
  } catch (failure) {
    if (failure instanceof GitHubRefusalError && failure.status === 404) return false
    throw failure
  }
}

/**
 * Whether a person with write access has set the label since the comment showed the hash. GitHub stores the
 * comment: code of the pull request cannot change it without a token that may write.
 */
export async function readApproval(asked: Asked, question: ApprovalQuestion): Promise<Approval> {
  const { label, hash } = question
  const refuse = (message: string, next: string): Approval => ({ isApproved: false, message, next })
  const again = `remove the label ${label}, set it again, then run the failed job again`
  const comment = await asked.comments.find({ pullRequest: question.pullRequest, name: question.preview })
  const shown = comment && readShownHash(comment.body, comment.changedAt)
  if (shown?.hash !== hash)
    return refuse(
      'the comment has not shown this loss before',
      `check the loss, set the label ${label}, then run the failed job again`,
    )
  const setting = await findSetting(asked, question)
  if (setting === undefined)
    return refuse(
      `the label ${label} is not set`,
      'check the loss, set the label, then run the failed job again',
    )
  const since = parseTimestamp(shown.since)
  const at = parseTimestamp(setting.created_at)
  if (since === undefined || at === undefined || at <= since)
    return refuse(`the label ${label} was set before the comment showed this loss`, again)
  const { actor } = setting
  if (actor?.type !== 'User' || setting.performed_via_github_app)
    return refuse(`the label ${label} was not set by a person`, again)
  return (await mayWrite(asked, actor.login))
    ? { isApproved: true, message: `${actor.login} set the label ${label}` }
    : refuse(
        `${actor.login} set the label ${label}, but has no write access to the repository`,
        'ask a person with write access to set it',
      )
}
