// Reads pull requests.

import * as z from 'zod/mini'
import { runEach } from '#base/semaphore'
import { SharedRead } from '#base/shared-read'
import { parseTimestamp } from '#base/timestamp'
import type { PullRequest, WorkflowEvent } from '#preview/base/github'
import type { GitHubCall } from './ask/call.ts'
import { GitHubRefusalError, GitHubUnclearError } from './ask/errors.ts'
import { type GitHubAnswer, type GitHubRequest, readShape } from './ask/exchange.ts'
import type { AskGraphql } from './ask/graphql.ts'
import { checkItIsOurs, checkRepository, parseRepository } from './ask/repository.ts'
import { readAtOnce } from './pull-requests-at-once.ts'

/** Concurrent requests, if each pull request takes one. */
const singlesAtOnce = 12

const permission = 'pull-requests: read'

const pullRequest = z.looseObject({
  number: z.int().check(z.positive()),
  state: z.enum(['open', 'closed']),
  closed_at: z.nullish(z.string()),
  updated_at: z.nullish(z.string()),
  labels: z.array(z.looseObject({ name: z.string() })),
  /** Optional in GitHub's description; a pull request without it is not a draft. */
  draft: z.optional(z.boolean()),
  base: z.looseObject({ repo: z.looseObject({ id: z.int() }) }),
})

const describe = ({
  state,
  closed_at,
  updated_at,
  labels,
  draft,
}: z.infer<typeof pullRequest>): PullRequest => ({
  state,
  closedAt: parseTimestamp(closed_at),
  updatedAt: parseTimestamp(updated_at),
  labels: labels.map(({ name }) => name),
  draft: draft ?? false,
})

type Asked = Pick<GitHubRequest, 'what' | 'route' | 'parameters'>

/** Reads pull requests. Rejects on any doubtful answer, since the action deletes databases based on it. */
export class PullRequests {
  readonly #call: GitHubCall
  readonly #event: WorkflowEvent
  readonly #graphql: AskGraphql
  /** Whether this GitHub has rejected a query for many pull requests. Then only single ones follow. */
  #takesSingles = false
  /** The check of the repository, shared by all concurrent requests for missing pull requests. */
  readonly #readable = new SharedRead(() => this.#checkReadable())

  constructor(call: GitHubCall, event: WorkflowEvent, graphql: AskGraphql) {
    this.#call = call
    this.#event = event
    this.#graphql = graphql
  }

  #get(asked: Asked): Promise<GitHubAnswer> {
    return this.#call({ ...asked, permission, success: 200, repeatable: true })
  }

  /**
   * Verifies that the token can read this repository and its pull requests. GitHub also answers 404 if the
   * token has no access. So a 404 means a missing pull request only if the token can read others.
   */
  async #checkReadable(): Promise<void> {
    await checkItIsOurs(this.#call, this.#event, permission)
    const what = 'listing pull requests'
    const route = 'GET /repos/{owner}/{repo}/pulls'
    const parameters = { ...parseRepository(this.#event.repository), state: 'all', per_page: 1 }
    readShape(what, await this.#get({ what, route, parameters }), z.array(pullRequest))
  }

  async readOne(number: number): Promise<PullRequest> {
    const what = `reading pull request ${number}`
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
    const parameters = { ...parseRepository(this.#event.repository), pull_number: number }
    let answer: GitHubAnswer
    try {
      answer = await this.#get({ what, route, parameters })
    } catch (failure) {
      if (!(failure instanceof GitHubRefusalError && failure.status === 404)) throw failure
      await this.#readable.ask()
      return { state: 'missing', labels: [], draft: false }
    }
    const found = readShape(what, answer, pullRequest)
    checkRepository(this.#event, what, found.base.repo.id)
    if (found.number === number) return describe(found)
    throw new GitHubUnclearError(what, { status: 200, problem: `about pull request ${found.number}` })
  }

  /**
   * Reads the first of these pull requests, at least one. Uses GraphQL if the server and the token allow it;
   * otherwise one request for each.
   */
  async readSome(numbers: number[]): Promise<Map<number, PullRequest>> {
    try {
      const found = this.#takesSingles ? new Map() : await readAtOnce(this.#graphql, this.#event, numbers)
      if (found.size > 0) return found
    } catch (failure) {
      if (!(failure instanceof GitHubRefusalError || failure instanceof GitHubUnclearError)) throw failure
      this.#takesSingles = true
    }
    const found = new Map<number, PullRequest>()
    await runEach(numbers.slice(0, singlesAtOnce), singlesAtOnce, async number => {
      found.set(number, await this.readOne(number))
    })
    return found
  }
}
