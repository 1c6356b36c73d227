/** Records the answers to one process, and its requests. */
import type { Activity } from '#postgres/activity'
import type { PullRequest } from '#preview/base/github'
import type { Outlook } from '#preview/base/github-failure'
import { entryOf, pullRequestOf, readName } from './preview-names.ts'
import type { World } from './world.ts'

const never = Number.NEGATIVE_INFINITY

/** GitHub's last answer about a pull request, and its last conclusive one. */
interface PullRequestAnswers {
  told: PullRequest | undefined
  known: PullRequest | undefined
  at: number
  times: number
}

/** The answers to one process, and its requests. Times in milliseconds of virtual time. */
export class ProcessRecord {
  /** Whether a question to GitHub stayed without an answer. */
  hasMissedGitHub = false
  /** Of its questions about pull requests and the queue: the number of answers, and the last refusal. */
  answers = 0
  refused: Outlook | undefined
  /** Whether a question waited for GitHub's rate limit to reset. */
  hasWaitedForGitHub = false
  /** GitHub's last answers about pull requests; undefined without an answer. */
  readonly #heard = new Map<number, PullRequestAnswers>()
  /** The changed files in GitHub's answer; undefined without a question. */
  files: string[] | 'unanswered' | undefined
  #last: PullRequest | undefined
  #queue: { heads: ReadonlySet<string>; at: number } | undefined
  /** The time of the last login by service id; undefined if the database could not store a usage marker. */
  readonly #logins = new Map<string, number | undefined>()
  readonly #activity = new Map<string, { activity: Activity; at: number }>()
  readonly #by: string
  readonly #world: World

  constructor(by: string, world: World) {
    this.#by = by
    this.#world = world
  }

  /** GitHub's answer about a pull request; undefined for none. */
  notePullRequest(number: number, told: PullRequest | undefined): void {
    if (told === undefined) this.hasMissedGitHub = true
    const { times = 0, known } = this.#heard.get(number) ?? {}
    this.#heard.set(number, { told, known: told ?? known, at: this.#world.time.now, times: times + 1 })
    this.#last = told
  }

  /** The commits in the merge queue. */
  noteQueue(heads: ReadonlySet<string>): void {
    this.#queue = { heads, at: this.#world.time.now }
  }

  /** The use of a service, by its own database. */
  noteActivity(id: string, activity: Activity): void {
    this.#activity.set(id, { activity, at: this.#world.time.now })
  }

  noteLogin(id: string, isNoted: boolean): void {
    this.#logins.set(id, isNoted ? this.#world.time.now : undefined)
  }

  /** The process publishes the connection details of a service. */
  notePublication(id: string): void {
    const at = this.#logins.get(id)
    if (at !== undefined) this.#world.ledger.publications.push({ id, by: this.#by, at })
  }

  noteDeletion(id: string): void {
    const { ledger, pullRequests, time } = this.#world
    const by = this.#by
    if (ledger.requests.some(request => request.id === id && request.by === by)) return
    const names = { ...ledger.shownTo(by, id) }
    const { pullRequest, queueEntry } = readName(names.read ?? ledger.creation(id)?.name ?? '') ?? {}
    const shown = pullRequest === undefined ? undefined : pullRequests.shown(pullRequest)?.state
    const { told: facts, known, at: heardAt = never } = this.#heard.get(pullRequest ?? 0) ?? {}
    const { heads, at: queueHeardAt = never } = this.#queue ?? {}
    const isQueued = heads && [...heads].some(sha => entryOf(sha) === queueEntry)
    const about = { pullRequest, queueEntry, shown, isDuplicate: this.#world.hadDuplicate(id), names }
    const heard = { told: facts?.state, known: known?.state, facts, heardAt, isQueued, queueHeardAt }
    ledger.requests.push({ id, by, sent: time.now, ...about, ...heard })
  }

  notePause(id: string): void {
    const { ledger, time } = this.#world
    const by = this.#by
    if (ledger.pauses.some(request => request.id === id && request.by === by)) return
    const number = pullRequestOf(ledger.creation(id)?.name ?? '')
    const { told: facts, at: heardAt = never, times: heard = 0 } = this.#heard.get(number ?? 0) ?? {}
    const { activity, at: askedAt = never } = this.#activity.get(id) ?? {}
    ledger.pauses.push({ id, by, sent: time.now, facts, heardAt, heard, activity, askedAt })
  }

  /** The process requests a new database. */
  noteCreation(): void {
    const { ledger, time } = this.#world
    ledger.creationRequests.push({ by: this.#by, sent: time.now, facts: this.#last, files: this.files })
  }
}
