/** Requests about the repository of the workflow: single ones, and lists over all their pages. */
import * as z from 'zod/mini'
import type { WorkflowEvent } from '#preview/base/github'
import type { GitHubCall } from './call.ts'
import { GitHubUnavailableError, GitHubUnclearError } from './errors.ts'
import { type GitHubAnswer, type GitHubRequest, readShape } from './request.ts'

/** GitHub's largest page. */
const largestPage = 100
const maxItems = 10_000

/** The next page in the Link header. The address in it is not used: the token goes only to the API. */
function nextPageOf({ headers }: GitHubAnswer): number | undefined {
  const [, address] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(headers.link ?? '') ?? []
  return address === undefined ? undefined : Number(URL.parse(address)?.searchParams.get('page'))
}

/** A repository record, reduced to the id that proves its identity. */
export const identity = z.looseObject({ id: z.int() })

export interface PageOptions<Item> {
  perPage?: number
  isEnough?: ((page: Item[]) => Promise<boolean>) | undefined
}

export class Repository {
  readonly #call: GitHubCall
  readonly #event: WorkflowEvent

  constructor(call: GitHubCall, event: WorkflowEvent) {
    this.#call = call
    this.#event = event
  }

  /** The parts of `owner/name`. @throws GitHubUnavailableError if it does not have that form */
  get path(): { owner: string; repo: string } {
    const { repository } = this.#event
    const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
    // `..` would address another path.
    if (owner !== undefined && repo !== undefined && !/^\.+$/.test(owner) && !/^\.+$/.test(repo))
      return { owner, repo }
    throw new GitHubUnavailableError(
      `GITHUB_REPOSITORY (${repository || 'not set'}) is not the name of a repository`,
      'run the step on a GitHub runner',
    )
  }

  async send(request: GitHubRequest): Promise<GitHubAnswer> {
    return await this.#call({ ...request, parameters: { ...this.path, ...request.parameters } })
  }

  /** @throws GitHubUnclearError if the answer does not have the expected shape */
  async read<Schema extends z.ZodMiniType>(request: GitHubRequest, schema: Schema): Promise<z.infer<Schema>> {
    return readShape(request.what, await this.send(request), schema)
  }

  /**
   * Reads all items of a list, over all its pages. Rejects if any page is missing or malformed: an incomplete
   * list must never pass for a complete one.
   * @param options.isEnough whether a page has the wanted item, so that the others are not read
   */
  async readPages<Item extends z.ZodMiniType>(
    request: GitHubRequest,
    item: Item,
    { perPage = largestPage, isEnough }: PageOptions<z.infer<Item>> = {},
  ): Promise<z.infer<Item>[]> {
    const { what } = request
    const items: z.infer<Item>[] = []
    const maxPages = Math.ceil(maxItems / perPage)
    for (let page = 1; page <= maxPages; page++) {
      const parameters = { ...request.parameters, per_page: perPage, page }
      const answer = await this.send({ ...request, parameters })
      const read = z.array(item).safeParse(answer.data)
      if (!read.success) throw new GitHubUnclearError(what, `not the expected list (page ${page})`)
      items.push(...read.data)
      if (await isEnough?.(read.data)) return items
      const next = nextPageOf(answer)
      if (next !== undefined && next !== page + 1)
        throw new GitHubUnclearError(what, `a list whose page ${page} links to a wrong next page`)
      // A proxy may have removed the header of a full page, so the next page is requested anyway.
      if (next === undefined && read.data.length < perPage) return items
    }
    throw new GitHubUnclearError(what, `a list of more than ${maxPages} pages`)
  }

  /** Rejects another repository, whose owner may have taken an old name. @throws GitHubUnclearError */
  assertSame(what: string, id: number): void {
    const { repositoryId } = this.#event
    if (String(id) === repositoryId) return
    const expected = repositoryId || 'one that GITHUB_REPOSITORY_ID names'
    throw new GitHubUnclearError(what, `about repository ${id}, not ${expected}`)
  }

  /** Reads the repository itself, and verifies its id. @throws GitHubUnclearError if it is another repository */
  async readItself<Found extends { id: number }>(
    permission: string,
    schema: z.ZodMiniType<Found>,
  ): Promise<Found> {
    const what = `reading repository ${this.#event.repository}`
    const record = await this.read({ what, route: 'GET /repos/{owner}/{repo}', permission }, schema)
    this.assertSame(what, record.id)
    return record
  }
}
