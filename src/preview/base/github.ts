/** The interface to GitHub that previews need: the event, pull requests, and comments. */
import type { Block } from '#base/report'
import type { Approval, ShownLoss } from '#contents/rehearsal/result/losses'
import type { Origin } from './origin.ts'

export interface WorkflowEvent {
  /** GITHUB_EVENT_NAME, such as `pull_request` or `schedule`. */
  name: string
  action: string | undefined
  /** The pull request of the event, as of when the event was sent. */
  pullRequest:
    | {
        number: number
        state: 'open' | 'closed'
        fromFork: boolean
        labels: string[]
        draft: boolean
        commit?: string | undefined
      }
    | undefined
  /** Of a merge_group event: the commit that the merge queue checks. */
  mergeGroup?: { headSha: string } | undefined
  /** `owner/name`. */
  repository: string
  /** Stays the same when the repository is renamed or moved. */
  repositoryId: string
  /** The host of the GitHub server; undefined for github.com. */
  server?: string | undefined
  actor: string
  runUrl: string
  /** The source from which npm installs the running release: `github:acme/managed-database-action#v1`. */
  packageSource?: string | undefined
  /** The address of the page that explains the comment. */
  explanation?: string | undefined
  /** Everyone can read the repository, and so the comment. */
  isPublic?: boolean
}

/** `missing` is certain: the repository is readable and has no such pull request. */
export type PullRequestState = 'open' | 'closed' | 'missing'

export interface PullRequest {
  state: PullRequestState
  /** Milliseconds since 1970, by GitHub's clock. Undefined for an open pull request, or if GitHub gives no date. */
  closedAt?: number | undefined
  /** The last update, by the same clock: never before the last push, which has no date of its own. */
  updatedAt?: number | undefined
  /** Current label names; empty if the pull request is missing. */
  labels: string[]
  draft: boolean
}

export interface Fact {
  label: string
  text: string
}

/** The content of the comment on the pull request. Holds no secret. */
export interface PreviewReport extends Partial<Omit<Origin, 'data'>> {
  state: 'creating' | 'ready' | 'paused' | 'failed' | 'deleted'
  name: string
  serviceId?: string | undefined
  host?: string | undefined
  port?: number | undefined
  database?: string | undefined
  user?: string | undefined
  url?: string | undefined
  status?: string | undefined
  data?: Origin['data'] | undefined
  /** The newest commit of the pull request at the time of creation. */
  commit?: string | undefined
  size?: string | undefined
  stored?: string | undefined
  consoleUrl?: string | undefined
  /** The disabled objects, as one line and as a list. */
  quarantine?: string | undefined
  quarantineDetails?: string[] | undefined
  /** Further facts about a ready preview, one line each, such as why it was recreated without a request. */
  facts?: readonly Fact[] | undefined
  /** Why it failed, in one line, and the next instruction. */
  problem?: string | undefined
  next?: string | undefined
}

/** The comment of a preview: its facts, and the blocks to show. */
export interface ShownPreview extends PreviewReport {
  blocks: readonly Block[]
  /** How the section on migrations changes: its measurement belongs to one database. */
  migrations: 'stays' | 'is folded' | 'goes'
}

export interface ShownMigrations {
  blocks: readonly Block[]
  /** The data loss that a person must approve, with the preview that showed it. */
  loss?: ShownLoss | undefined
}

/** Identifies the data loss and the label that approves it. */
export interface ApprovalQuestion {
  pullRequest: number
  preview: string
  label: string
  hash: string
}

/** A pull request by number, its base branch, or the default branch. */
export type FilesOf = number | { baseOf: number } | 'default branch'

/** Every method rejects on doubt, so that nothing is deleted on a guess. A GitHubFailure shows when to retry. */
export interface GitHub {
  readPullRequest(number: number): Promise<PullRequest>
  /** The newest pull requests by number, down to `oldest` if the list is not too long. */
  listPullRequests(oldest: number): Promise<Map<number, PullRequest>>
  /** All files at the newest commit of a pull request or branch: the content hash of each file by its path. */
  readFiles(of: FilesOf): Promise<Map<string, string>>
  /** Every changed path, including both paths of a renamed file. Rejects if GitHub does not list all. */
  readChangedFiles(pullRequest: number): Promise<string[]>
  /** The commits of all entries in all merge queues. */
  listQueueHeads(): Promise<Set<string>>
  /** Creates or updates the comment, and returns its address. With `onlyUpdate`, no comment is created. */
  writeComment(
    pullRequest: number,
    report: ShownPreview,
    options: { onlyUpdate: boolean },
  ): Promise<string | undefined>
  /** Writes the section on migrations into the comment of a preview, and creates the comment if necessary. */
  writeMigrations(pullRequest: number, preview: string, report: ShownMigrations): Promise<string | undefined>
  /** The data loss that the comment of a preview shows; undefined if it shows none. */
  readShownLoss(pullRequest: number, preview: string): Promise<ShownLoss | undefined>
  /** Whether a person with write access has set the label since the comment shows the hash. */
  readApproval(question: ApprovalQuestion): Promise<Approval>
}
