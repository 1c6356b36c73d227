/** Writes the comment of a preview. */
import type { Seam } from '#base/seam'
import { GitHubRefusalError, isDoubt } from '../ask/errors.ts'
import type { GitHubRequest } from '../ask/exchange.ts'
import type { Repository } from '../ask/repository.ts'
import { type Comment, fromRest, restComment } from './comment-record.ts'
import type { FindOwnComments } from './own-comments.ts'
import {
  hasMarker,
  hasOther,
  hasSection,
  joinSections,
  replaceSection,
  type SectionText,
} from './sections.ts'

const permission = 'pull-requests: write'

/** A new text for a section of a preview's comment. */
export interface CommentText extends SectionText {
  pullRequest: number
  name: string
  /** Does not create a comment. */
  onlyUpdate: boolean
}

type Place = Pick<CommentText, 'pullRequest' | 'name'>

/**
 * Milliseconds after which another job, which read the comment before this write, has written it too: jobs
 * write right after they read.
 */
const overtaking = 2000

/** Upper limit for the writes of a section that other jobs overwrite. */
const mostRounds = 5

const keyOf = ({ pullRequest, name }: Place) => `${pullRequest} ${name}`

const isMissing = (failure: unknown) => failure instanceof GitHubRefusalError && failure.status === 404

export class Comments {
  readonly #repository: Repository
  readonly #findOwn: FindOwnComments
  readonly #rest: () => Promise<void>
  /** The comments that this run has written: reading one of them takes a single request. */
  readonly #written = new Map<string, Comment>()

  constructor(
    repository: Repository,
    findOwn: FindOwnComments,
    { seam, signal }: { seam: Pick<Seam, 'sleep'>; signal: AbortSignal },
  ) {
    this.#repository = repository
    this.#findOwn = findOwn
    this.#rest = () => seam.sleep(overtaking, signal)
  }

  /**
   * The action's comments, oldest first.
   * @param known comments whose text is not read again
   */
  async #findAll({ pullRequest, name }: Place, known: Comment[] = []): Promise<Comment[]> {
    const comments = await this.#findOwn(pullRequest, known)
    return comments.filter(({ body }) => hasMarker(body, name)).sort((one, other) => one.id - other.id)
  }

  async find(place: Place): Promise<Comment | undefined> {
    const written = this.#written.get(keyOf(place))
    return written ? await this.#readAgain(written, place) : (await this.#findAll(place))[0]
  }

  /** Concurrent runs may each have created one: keeps the oldest, with the sections of the younger ones. */
  async #createOnlyOne(text: CommentText): Promise<Comment> {
    const created = await this.#create(text)
    const [oldest, ...younger] = await this.#findAll(text, [created])
    if (oldest === undefined || younger.length === 0) return created
    const all = [oldest, ...younger]
    const body = joinSections(
      text.name,
      all.map(one => one.body),
    )
    const changedAt = all.map(one => one.changedAt).sort()
    const joined = { ...oldest, body, changedAt: changedAt.at(-1) ?? '' }
    const kept = await this.#update(joined, text, oldest.body)
    for (const comment of younger) await this.#remove(comment, text)
    return kept
  }

  /** A request about one comment of the pull request. */
  #about(id: number, doing: string, method: 'GET' | 'PATCH' | 'DELETE'): GitHubRequest {
    const route = `${method} /repos/{owner}/{repo}/issues/comments/{comment_id}`
    return { what: doing, route, parameters: { comment_id: id }, permission }
  }

  async #remove({ id }: Comment, { pullRequest }: CommentText): Promise<void> {
    const request = this.#about(id, `deleting a second comment on pull request ${pullRequest}`, 'DELETE')
    try {
      await this.#repository.send({ ...request, success: 204 })
    } catch (failure) {
      // The other run has deleted it already.
      if (!isMissing(failure)) throw failure
    }
  }

  async #create(text: CommentText): Promise<Comment> {
    const { pullRequest, name } = text
    const what = `writing the comment on pull request ${pullRequest}`
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const body = replaceSection({ body: '', changedAt: '' }, name, text)
    const parameters = { issue_number: pullRequest, body }
    const request = { what, route, parameters, permission, success: 201 } as const
    return fromRest(await this.#repository.read(request, restComment))
  }

  /** @param shown the current text of the comment, if it differs from the text to start from */
  async #update(found: Comment, text: CommentText, shown = found.body): Promise<Comment> {
    const { pullRequest, name } = text
    const body = replaceSection(found, name, text)
    if (body === shown) return found
    const request = this.#about(found.id, `updating the comment on pull request ${pullRequest}`, 'PATCH')
    const parameters = { ...request.parameters, body }
    return fromRest(await this.#repository.read({ ...request, parameters }, restComment))
  }

  async #write(text: CommentText): Promise<Comment | undefined> {
    const written = await this.#updateOrCreate(text)
    if (written) this.#written.set(keyOf(text), written)
    return written
  }

  async #updateOrCreate(text: CommentText): Promise<Comment | undefined> {
    const found = await this.find(text)
    if (found === undefined && text.onlyUpdate) return undefined
    try {
      return await (found ? this.#update(found, text) : this.#createOnlyOne(text))
    } catch (failure) {
      // The comment may have been written nevertheless, or deleted by hand meanwhile; reading it again shows which.
      if (!isDoubt(failure) && !(isMissing(failure) && found)) throw failure
      const [again] = await this.#findAll(text)
      if (again !== undefined) return await this.#update(again, text)
      return text.onlyUpdate ? undefined : await this.#createOnlyOne(text)
    }
  }

  /** The current comment; undefined if it was deleted by hand. Another run may have kept an older one instead. */
  async #readAgain({ id }: Comment, place: Place): Promise<Comment | undefined> {
    const request = this.#about(id, `reading the comment on pull request ${place.pullRequest}`, 'GET')
    try {
      const found = fromRest(await this.#repository.read(request, restComment))
      if (hasMarker(found.body, place.name)) return found
    } catch (failure) {
      if (!isMissing(failure)) throw failure
    }
    return (await this.#findAll(place))[0]
  }

  /**
   * Writes a section of the comment, keeps the other one, and returns the comment's address. GitHub replaces
   * the whole comment with each write. So if another job writes the other section, this one reads the comment
   * again after that job may have overwritten it, and repeats its write.
   */
  async write(text: CommentText): Promise<string | undefined> {
    let written = await this.#write(text)
    const isAlone = text.section === 'database' && !hasOther(written?.body ?? '', text)
    for (let round = 1; written && !isAlone && round < mostRounds; round++) {
      await this.#rest()
      const now = await this.#readAgain(written, text)
      if (now === undefined || hasSection(now.body, text)) break
      written = await this.#write(text)
    }
    return written?.address
  }
}
