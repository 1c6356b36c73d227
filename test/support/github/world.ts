/** The state of the fake GitHub. */
import {
  type Account,
  type ChangedFile,
  type CommentFacts,
  digest,
  type LabelEvent,
  type PullRequestFacts,
  type RepositoryFacts,
} from './records.ts'
import { actionsBot, octocat } from './tokens.ts'

const organization: Account = { login: 'octo-org', id: 6811672, type: 'Organization' }
const outsider: Account = { login: 'outsider', id: 9001, type: 'User' }

export interface PullRequestOptions {
  number?: number
  fromFork?: boolean
  title?: string
  labels?: string[]
  draft?: boolean
  changed?: ChangedFile[]
}

/** An entry of the merge queue: the branch that GitHub creates for it, and its commit. */
export interface QueueEntry {
  /** `refs/heads/gh-readonly-queue/<base>/pr-<number>-<sha>`. */
  ref: string
  sha: string
}

export class World {
  /** The addresses of its API and of its pages. */
  addresses = { api: '', web: 'https://github.example' }
  readonly repository: RepositoryFacts
  readonly pullRequests = new Map<number, PullRequestFacts>()
  readonly comments: CommentFacts[] = []
  readonly queue: QueueEntry[] = []
  /** Added and removed labels, the oldest first. */
  readonly labelEvents: LabelEvent[] = []
  /** The permissions of accounts in the repository, by name; others may read. */
  readonly permissions = new Map<string, 'admin' | 'write' | 'read' | 'none'>([[octocat.login, 'admin']])
  /** Milliseconds since 1970. */
  clock: () => number = Date.now
  /** The files of each commit: their contents by their paths. */
  readonly commits = new Map<string, Record<string, string>>()
  #lastNumber = 0
  #lastEntry = 0
  /** Beyond 32 bits, as on GitHub. */
  #lastComment = 3_000_000_000
  #lastPush = 0

  constructor(repository: { name: string; id: number }) {
    const [owner, name] = repository.name.split('/')
    if (!owner || !name) throw new Error(`${repository.name} is not owner/name`)
    this.repository = { owner: { ...organization, login: owner }, name, id: repository.id, fork: false }
  }

  /** Opens the next pull request, or the one of that number; returns its number. */
  openPullRequest(options: PullRequestOptions = {}): number {
    const { number = this.#lastNumber + 1, fromFork = false, title = 'Add a column', ...facts } = options
    this.#lastNumber = Math.max(this.#lastNumber, number)
    const { repository } = this
    const author = fromFork ? outsider : octocat
    const head = fromFork ? { ...repository, owner: outsider, id: repository.id + 1, fork: true } : repository
    this.pullRequests.set(number, { number, state: 'open', title, author, head, base: repository, ...facts })
    return number
  }

  /** Pushes these files; returns the commit. With `force`, the previous commits are gone. */
  push(number: number, files: Record<string, string>, { force = false } = {}): string {
    this.#lastPush += 1
    const commit = digest(`push ${this.#lastPush}`)
    if (force) this.commits.delete(this.pullRequests.get(number)?.commit ?? '')
    this.commits.set(commit, files)
    this.changePullRequest(number, { commit })
    return commit
  }

  /** Changes a pull request, such as its labels or its draft state, as a person does. */
  changePullRequest(number: number, change: Partial<PullRequestFacts>): void {
    const found = this.pullRequests.get(number)
    if (!found) throw new Error(`there is no pull request ${number}`)
    Object.assign(found, change)
  }

  closePullRequest(number: number): void {
    this.changePullRequest(number, { state: 'closed' })
  }

  reopenPullRequest(number: number): void {
    this.changePullRequest(number, { state: 'open' })
  }

  /** Each entry has a new commit, even if the same pull request enters again. */
  enqueue(number: number): QueueEntry {
    this.#lastEntry += 1
    const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${digest('main')}`
    const entry = { ref, sha: digest(`${number} ${this.#lastEntry}`) }
    this.queue.push(entry)
    return entry
  }

  /** It is merged, or fails its checks: its branch is deleted. */
  dequeue(entry: QueueEntry): void {
    this.queue.splice(this.queue.indexOf(entry), 1)
  }

  get now(): string {
    return new Date(this.clock()).toISOString().replace(/\.\d+/, '')
  }

  label(
    issue: number,
    event: 'labeled' | 'unlabeled',
    label: string,
    actor: Account = octocat,
    app?: Account,
  ) {
    const { labels = [] } = this.pullRequests.get(issue) ?? {}
    const others = labels.filter(name => name !== label)
    this.changePullRequest(issue, { labels: event === 'labeled' ? [...others, label] : others })
    this.labelEvents.push({ id: this.labelEvents.length + 1, issue, event, label, actor, app, at: this.now })
  }

  addComment(issue: number, body: string, author: Account = actionsBot): CommentFacts {
    this.#lastComment += 1
    const createdAt = this.now
    const comment = { id: this.#lastComment, issue, author, body, createdAt, updatedAt: createdAt }
    this.comments.push(comment)
    return comment
  }

  /** The comments of a pull request, the oldest first. */
  commentsOf(number: number): CommentFacts[] {
    return this.comments.filter(({ issue }) => issue === number)
  }
}
