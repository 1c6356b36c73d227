import type { Block } from '#base/report'
import type { ShownLoss } from '#contents/rehearsal/result/losses'
import type { Origin } from './origin.ts'

/** What previews need to know of the workflow's event. */
export interface WorkflowEvent {
  /** `pull_request`, `schedule`, …: GITHUB_EVENT_NAME. */
  name: string
  /** Of a pull request event: `opened`, `closed`, … */
  action: string | undefined
  /** The pull request of the event, as it was when the event was sent. */
  pullRequest:
    | {
        number: number
        state: 'open' | 'closed'
        fromFork: boolean
        /** The names of its labels. */
        labels: string[]
        draft: boolean
        /** Its newest commit, if the payload names it. */
        commit?: string | undefined
      }
    | undefined
  /** Of a merge_group event: the commit that the merge queue checks. */
  mergeGroup?: { headSha: string } | undefined
  /** `owner/name`. */
  repository: string
  /** Stays the same when the repository is renamed or moved. */
  repositoryId: string
  /** The host of the server that the repository is on; undefined for github.com. */
  server?: string | undefined
  actor: string
  /** The page of this run. */
  runUrl: string
  /** Where npm finds the release of the action that runs: `github:acme/managed-database-action#v1`. */
  packageSource?: string | undefined
  /** The page that explains the comment. */
  explanation?: string | undefined
  /** Everybody can read the repository, and with it the comment. */
  isPublic?: boolean
}

/** `missing` is certain: the repository can be read, and has no such pull request. */
export type PullRequestState = 'open' | 'closed' | 'missing'

export interface PullRequest {
  state: PullRequestState
  /**
   * When it was closed: milliseconds since 1970, by GitHub's clock. Undefined if it is open, or GitHub does not say.
   */
  closedAt?: number | undefined
  /**
   * When it was last updated, by the same clock: never before its last push. (A push has no date of its own, and the
   * date of a commit is set by its author.) Undefined if GitHub does not say.
   */
  updatedAt?: number | undefined
  /** The names of its labels at this moment; empty when it is missing. */
  labels: string[]
  /** Whether it is a draft at this moment. */
  draft: boolean
}

/** What the comment on the pull request shows. Holds no secret. */
export interface PreviewReport {
  state: 'creating' | 'ready' | 'paused' | 'failed' | 'deleted'
  name: string
  serviceId?: string | undefined
  host?: string | undefined
  port?: number | undefined
  database?: string | undefined
  user?: string | undefined
  /** The connection, without the password. */
  url?: string | undefined
  status?: string | undefined
  /** What it was made from. */
  data?: Origin['data'] | undefined
  parentId?: string | undefined
  parentName?: Origin['parentName']
  maskedAt?: Origin['maskedAt']
  /** When the service was created, as the API says. */
  createdAt?: string | undefined
  /** What it was made for: the newest commit of the pull request. */
  commit?: string | undefined
  /** How large it is: `0.5 CPU, 2 GB`. */
  size?: string | undefined
  /** How much storage it takes: `35 MB`. */
  stored?: string | undefined
  /** Its page in the console of the service. */
  consoleUrl?: string | undefined
  /** When prune will delete it at the latest; ISO 8601. */
  expiresAt?: string | undefined
  /** What was made harmless in it, in one line, and in lines of their own. */
  quarantine?: string | undefined
  quarantineDetails?: string[] | undefined
  /** Why it was made anew, where nobody asked for it. */
  resetReason?: string | undefined
  /** Migrations with a lower number than one that the base branch has gained, one line each. */
  overtaken?: string[] | undefined
  /** Why it failed, in one line, and what to do next. */
  problem?: string | undefined
  next?: string | undefined
}

/** The section of the comment on the database of a preview. */
export interface ShownPreview extends PreviewReport {
  blocks: readonly Block[]
  /** A measurement belongs to one database, and ends with it. */
  migrations: 'stays' | 'is folded' | 'goes'
}

/** The section on migrations. */
export interface ShownMigrations {
  blocks: readonly Block[]
  /** The lost data that a person has to approve, with the preview that lost it. */
  loss?: ShownLoss | undefined
}

/** Whether the loss of data was approved. */
export interface ApprovalQuestion {
  pullRequest: number
  /** The name of the preview, by which its comment is found. */
  preview: string
  /** The label that stands for the approval. */
  label: string
  /** Of what is lost. */
  hash: string
}

/** The answer, in one line; what to do next where it is not approved. */
export interface Approval {
  isApproved: boolean
  message: string
  next?: string
}

/** A pull request by its number, the branch that it is to be merged into, or the default branch. */
export type FilesOf = number | { baseOf: number } | 'default branch'

/**
 * GitHub, as previews need it. Every method rejects on any doubt, with a GitHubFailure where it knows what to expect of
 * asking again: nothing is ever deleted on a guess.
 */
export interface GitHub {
  readPullRequest(number: number): Promise<PullRequest>
  /**
   * The first of these pull requests by their numbers, as many as GitHub tells in one go; never none. The others are to
   * be asked for again.
   */
  readPullRequests(numbers: number[]): Promise<Map<number, PullRequest>>
  /**
   * All files at the newest commit of a pull request, or of the default branch: the hash of each one's content by its path.
   */
  readFiles(of: FilesOf): Promise<Map<string, string>>
  /** Every path that a pull request changes, with both paths of a renamed file. Rejects if GitHub does not list all. */
  readChangedFiles(pullRequest: number): Promise<string[]>
  /** The commits of all entries of the merge queues, over all branches. */
  listQueueHeads(): Promise<Set<string>>
  /**
   * Writes the one comment of a preview, in place if it exists already, and returns its address. With `onlyUpdate`, a
   * pull request without the comment gets none, and the answer is undefined.
   */
  writeComment(
    pullRequest: number,
    report: ShownPreview,
    options: { onlyUpdate: boolean },
  ): Promise<string | undefined>
  /** Writes the section on migrations into the comment of a preview, which it makes where there is none yet. */
  writeMigrations(pullRequest: number, preview: string, report: ShownMigrations): Promise<string | undefined>
  /** The loss that the comment of a preview shows; undefined if it shows none. */
  readShownLoss(pullRequest: number, preview: string): Promise<ShownLoss | undefined>
  /** Whether a person with write access has set the label since the comment shows the hash. */
  readApproval(question: ApprovalQuestion): Promise<Approval>
}
