/** Reads from GitHub the states of pull requests and merge queue entries. */
import type { Service } from '#api/records'
import type { PullRequests } from '../base/context.ts'
import type { PullRequest } from '../base/github.ts'
import { outlookOf, reportGitHubFailure } from '../base/github-failure.ts'
import { parsePreviewName, previewBaseOf, queueEntryOf } from '../base/name.ts'
import type { SubjectFacts } from './prune-decision.ts'

/** Previews that a prune works on at the same time: it reads, decides about and deletes as many. */
export const concurrency = 12

/** Of more previews, the pull requests are listed: a token has a thousand requests an hour. */
const mostReadOneByOne = 100

/** Undefined for a merge queue entry. */
export const pullRequestOf = ({ name }: Service) => parsePreviewName(name)?.pullRequest

/** The preview of a service, for its comment. */
export const previewOf = (service: Service) => ({
  base: previewBaseOf(service.name) ?? '',
  pullRequest: pullRequestOf(service),
})

const queueEntry = ({ name }: Service) => parsePreviewName(name)?.queueEntry

/** Why a preview is kept without a conclusive answer from GitHub. */
export const inconclusive = "GitHub's answer is not conclusive"
const rateLimited = "GitHub's rate limit is used up"

/** Reads the facts of subjects, and counts the failures of GitHub. */
export class SubjectReader {
  /** The first refusal that lasts until a person changes something. It must fail the step. */
  refusal: unknown
  readonly #context: PullRequests
  #listed: Map<number, PullRequest> | undefined

  constructor(context: PullRequests) {
    this.#context = context
  }

  /** Records a failure; one that passes is only a warning. Returns why the previews `kept` are kept. */
  noteFailure(kept: string, failure: unknown): string {
    const outlook = outlookOf(failure)
    const consequence = outlook === 'limit' ? `${kept} for the next prune` : `${kept}: ${inconclusive}`
    if (outlook === 'lasts') this.refusal ??= failure
    else reportGitHubFailure(this.#context, consequence, failure)
    return outlook === 'limit' ? rateLimited : inconclusive
  }

  /** The commits in the merge queue, read only if a preview belongs to it; undefined if GitHub does not answer. */
  async #tryToReadQueue(previews: Service[]): Promise<Set<string> | undefined> {
    if (!previews.some(service => queueEntry(service) !== undefined)) return new Set()
    try {
      return new Set([...(await this.#context.github.listQueueHeads())].map(queueEntryOf))
    } catch (failure) {
      this.noteFailure('the previews of the merge queue are kept', failure)
      return undefined
    }
  }

  /** The states of the first previews. An unknown merge queue gives none. @throws on any doubt about a pull request */
  async readSome(previews: Service[]): Promise<Map<Service, SubjectFacts | undefined>> {
    const numbers = previews.flatMap(service => pullRequestOf(service) ?? [])
    this.#listed ??=
      numbers.length > mostReadOneByOne
        ? await this.#context.github.listPullRequests(Math.min(...numbers))
        : new Map<number, PullRequest>()
    return await this.#readFacts(previews.slice(0, concurrency), this.#listed)
  }

  /** The state of one preview now, in the same way. */
  async readNow(service: Service): Promise<SubjectFacts | undefined> {
    return (await this.#readFacts([service], new Map())).get(service)
  }

  async #readFacts(
    previews: Service[],
    listed: Map<number, PullRequest>,
  ): Promise<Map<Service, SubjectFacts | undefined>> {
    const queue = await this.#tryToReadQueue(previews)
    const readOne = async (service: Service): Promise<SubjectFacts | undefined> => {
      const number = pullRequestOf(service)
      if (number === undefined)
        return queue && { state: queue.has(queueEntry(service) ?? '') ? 'queued' : 'left' }
      return listed.get(number) ?? (await this.#context.github.readPullRequest(number))
    }
    return new Map(
      await Promise.all(previews.map(async service => [service, await readOne(service)] as const)),
    )
  }
}
