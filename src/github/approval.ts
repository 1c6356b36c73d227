/** Checks whether a person has approved a loss of data. */
import * as z from 'zod/mini'
import { parseTimestamp } from '#base/timestamp'
import type { Approval } from '#contents/rehearsal/result/losses'
import type { ApprovalQuestion } from '#preview/base/github'
import { isNotFound } from './ask/errors.ts'
import type { Repository } from './ask/repository.ts'
import type { Comments } from './comment/comment.ts'
import { parseShownLoss } from './comment/sections.ts'
import { readPullRequest } from './pull-requests.ts'

const labelEventShape = z.looseObject({
  event: z.string(),
  created_at: z.nullish(z.string()),
  label: z.nullish(z.looseObject({ name: z.string() })),
  /** Null if the account was deleted. */
  actor: z.nullish(z.looseObject({ login: z.string(), type: z.optional(z.string()) })),
  /** Set if an app acted for the actor. */
  performed_via_github_app: z.nullish(z.looseObject({})),
})

type LabelEvent = z.infer<typeof labelEventShape>

const permissionOfUser = z.looseObject({ permission: z.string() })

/** GitHub ignores the letter case of labels. */
const isSameLabel = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The event that last set the label; undefined if the pull request does not have the label now. */
async function findLabelEvent(
  repository: Repository,
  { pullRequest, label }: ApprovalQuestion,
): Promise<LabelEvent | undefined> {
  const { labels } = await readPullRequest(repository, pullRequest)
  if (!labels.some(name => isSameLabel(name, label))) return undefined
  const request = {
    what: `reading the label events of pull request ${pullRequest}`,
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/events',
    parameters: { issue_number: pullRequest },
    permission: 'pull-requests: read',
  }
  const events = await repository.readPages(request, labelEventShape)
  const last = events.findLast(
    ({ event, label: changed }) => /^(?:un)?labeled$/.test(event) && isSameLabel(changed?.name ?? '', label),
  )
  return last?.event === 'labeled' ? last : undefined
}

async function mayWrite(repository: Repository, username: string): Promise<boolean> {
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
    if (isNotFound(failure)) return false
    throw failure
  }
}

/**
 * Whether a person with write access has set the label since the comment first showed the loss. The comment is
 * evidence, because code of the pull request cannot change it without a token with write access.
 */
export async function readApproval(
  repository: Repository,
  comments: Comments,
  question: ApprovalQuestion,
): Promise<Approval> {
  const { label, hash } = question
  const disapprove = (message: string, next: string): Approval => ({ isApproved: false, message, next })
  const setAgain = `remove the label ${label}, set it again, then run the failed job again`
  const comment = await comments.find({ pullRequest: question.pullRequest, name: question.preview })
  const shown = comment && parseShownLoss(comment.body, comment.changedAt)
  if (shown?.hash !== hash)
    return disapprove(
      'the comment has not shown this loss before',
      `check the loss, set the label ${label} (again, if it is set), then run the failed job again`,
    )
  const labelEvent = await findLabelEvent(repository, question)
  if (labelEvent === undefined)
    return disapprove(
      `the label ${label} is not set`,
      'check the loss, set the label, then run the failed job again',
    )
  const since = parseTimestamp(shown.since)
  const at = parseTimestamp(labelEvent.created_at)
  if (since === undefined || at === undefined || at <= since)
    return disapprove(`the label ${label} was set before the comment showed this loss`, setAgain)
  const { actor } = labelEvent
  if (actor?.type !== 'User' || labelEvent.performed_via_github_app)
    return disapprove(`the label ${label} was not set by a person`, setAgain)
  if (await mayWrite(repository, actor.login))
    return { isApproved: true, message: `${actor.login} set the label ${label}` }
  return disapprove(
    `${actor.login} set the label ${label}, but has no write access to the repository`,
    'ask a person with write access to set it',
  )
}
