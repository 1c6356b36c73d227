/** Reads the event that started the workflow. */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { WorkflowEvent } from '#preview/base/github'

const repository = z.looseObject({ id: z.int() })

/** The used fields: https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
const pullRequestSchema = z.looseObject({
  number: z.int().check(z.positive()),
  state: z.enum(['open', 'closed']),
  labels: z.catch(z.array(z.looseObject({ name: z.string() })), []),
  draft: z.catch(z.boolean(), false),
  /** The repository is null if the fork was deleted. */
  head: z.optional(z.looseObject({ repo: z.nullish(repository), sha: z.optional(z.unknown()) })),
  base: z.optional(z.looseObject({ repo: z.nullish(repository) })),
})

/** https://docs.github.com/webhooks/webhook-events-and-payloads#merge_group */
const mergeGroupSchema = z.looseObject({ head_sha: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) })

/** A field of a payload; undefined if it does not have the expected shape. */
const ifReadable = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const payloadSchema = z.object({
  action: ifReadable(z.string()),
  pull_request: ifReadable(pullRequestSchema),
  merge_group: ifReadable(mergeGroupSchema),
  repository: ifReadable(z.looseObject({ private: z.boolean() })),
})

type PayloadPullRequest = z.infer<typeof pullRequestSchema>

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/**
 * Whether the head is in another repository, or in a deleted fork. A payload without this information counts
 * as no fork, so that the step reports missing secrets.
 */
function isFromFork({ head, base }: PayloadPullRequest): boolean {
  const repository = head?.repo
  return repository === null || (repository !== undefined && repository.id !== base?.repo?.id)
}

/** The newest commit of the pull request; undefined if it does not look like a commit id. */
function commitOf({ head }: PayloadPullRequest): string | undefined {
  const sha = String(head?.sha ?? '')
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? sha : undefined
}

const toPullRequest = (pullRequest: PayloadPullRequest): WorkflowEvent['pullRequest'] => ({
  number: pullRequest.number,
  state: pullRequest.state,
  fromFork: isFromFork(pullRequest),
  labels: pullRequest.labels.map(({ name }) => name),
  draft: pullRequest.draft,
  commit: commitOf(pullRequest),
})

/** The address of the run, with its attempt if known, because each attempt has its own log. Empty if unknown. */
function renderRunUrl(environment: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT } = environment
  if (!GITHUB_REPOSITORY || !GITHUB_RUN_ID) return ''
  const run = `${GITHUB_SERVER_URL || 'https://github.com'}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`
  return GITHUB_RUN_ATTEMPT ? `${run}/attempts/${GITHUB_RUN_ATTEMPT}` : run
}

/** The host of the server; undefined for github.com. */
function serverOf({ GITHUB_SERVER_URL }: NodeJS.ProcessEnv): string | undefined {
  const host = URL.parse(GITHUB_SERVER_URL ?? '')?.host
  return host === undefined || host === '' || host === 'github.com' ? undefined : host
}

/**
 * The repository and the ref of the running action. Undefined if the runner does not name the repository, as for an
 * action in the workspace, and on other servers than github.com: a GitHub Enterprise Server also runs actions of
 * github.com (GitHub, "Enabling automatic access to GitHub.com actions using GitHub Connect").
 */
function actionOf(environment: NodeJS.ProcessEnv) {
  const { GITHUB_ACTION_REPOSITORY: repository = '', GITHUB_ACTION_REF: ref = '' } = environment
  if (serverOf(environment) !== undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined
  return { repository, ref: /^[\w./-]+$/.test(ref) ? ref : undefined }
}

/** The address of this action's files at the running ref; undefined if it is uncertain. */
export function filesOfAction(environment: NodeJS.ProcessEnv): string | undefined {
  const action = actionOf(environment)
  return action && `https://github.com/${action.repository}/blob/${action.ref ?? 'HEAD'}`
}

/** The event of the workflow. With a missing or malformed payload, it has no pull request. */
export function parseEvent(environment: NodeJS.ProcessEnv, payloadText: string | undefined): WorkflowEvent {
  const payload = payloadSchema.safeParse(parseJson(payloadText)).data
  const { pull_request: pullRequest, merge_group: mergeGroup } = payload ?? {}
  const action = actionOf(environment)
  const files = filesOfAction(environment)
  return {
    name: environment.GITHUB_EVENT_NAME ?? '',
    action: payload?.action,
    pullRequest: pullRequest && toPullRequest(pullRequest),
    mergeGroup: mergeGroup && { headSha: mergeGroup.head_sha },
    repository: environment.GITHUB_REPOSITORY ?? '',
    repositoryId: environment.GITHUB_REPOSITORY_ID ?? '',
    server: serverOf(environment),
    actor: environment.GITHUB_ACTOR ?? '',
    runUrl: renderRunUrl(environment),
    packageSource: action && `github:${action.repository}${action.ref === undefined ? '' : `#${action.ref}`}`,
    explanation: files && `${files}/docs/previews.md#the-comment`,
    isPublic: payload?.repository?.private === false,
  }
}

/** Like `parseEvent`, with the payload from the file in GITHUB_EVENT_PATH, which the runner wrote. */
export function readEvent(environment: NodeJS.ProcessEnv): WorkflowEvent {
  const file = environment.GITHUB_EVENT_PATH
  try {
    return parseEvent(environment, file ? readFileSync(file, 'utf8') : undefined)
  } catch {
    return parseEvent(environment, undefined)
  }
}
