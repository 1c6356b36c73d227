/** Writes the comment of a preview. */
import type { Seam } from '#base/seam'
import { isNotFound, mayHaveTakenEffect } from '../ask/errors.ts'
import type { Repository } from '../ask/repository.ts'
import { type Comment, type FindOwnComments, fromRest, restComment } from './own-comments.ts'
import {
  hasMarker,
  hasOtherSection,
  hasSection,
  joinSections,
  replaceSection,
  type SectionText,
} from './sections.ts'

const permission = 'pull-requests: write'

export interface CommentText extends SectionText {
  pullRequest: number
  name: string
  /** Does not create a comment. */
  onlyUpdate: boolean
}

type Place = Pick<CommentText, 'pullRequest' | 'name'>

/**
 * Milliseconds. A job writes the comment right after it read it. So after this time, a job that read the comment before
 * this write has overwritten it, or does not write.
 */
const overwriteDelay = 2000

/** Milliseconds. The search for an earlier comment takes less time, even over all pages and with repeated requests. */
const searchTime = 3_600_000

/** Upper limit for the writes of a section that other jobs overwrite each time. */
const mostWrites = 5

const keyOf = ({ pullRequest, name }: Place) => `${pullRequest} ${name}`

export class Comments {
  readonly #repository: Repository
  readonly #findOwn: FindOwnComments
  readonly #waitForOverwrite: () => Promise<void>
  /** The comments that this run has written, since reading a known comment takes a single request. */
  readonly #written = new Map<string, Comment>()

  constructor(
    repository: Repository,
    findOwn: FindOwnComments,
    { seam, signal }: { seam: Pick<Seam, 'sleep'>; signal: AbortSignal },
  ) {
    this.#repository = repository
    this.#findOwn = findOwn
    this.#waitForOverwrite = () => seam.sleep(overwriteDelay, signal)
  }

  /** The comments that runs have written at the same time as this one, oldest first. Earlier ones would have been found. */
  async #findConcurrent({ pullRequest, name }: Place, { changedAt }: Comment): Promise<Comment[]> {
    const created = Date.parse(changedAt)
    const since = Number.isNaN(created)
      ? {}
      : { since: new Date(created - searchTime).toISOString().replace(/\.\d+/, '') }
    const comments = await this.#findOwn(pullRequest, since)
    return comments.filter(({ body }) => hasMarker(body, name)).sort((one, other) => one.id - other.id)
  }

  /** Reads only up to the page with the first comment of the preview, because GitHub lists comments by age. */
  async #findOldest({ pullRequest, name }: Place): Promise<Comment | undefined> {
    const isOfPreview = ({ body }: Comment) => hasMarker(body, name)
    return (await this.#findOwn(pullRequest, { until: isOfPreview })).find(isOfPreview)
  }

  async find(place: Place): Promise<Comment | undefined> {
    const written = this.#written.get(keyOf(place))
    return written ? await this.#readAgain(written, place) : await this.#findOldest(place)
  }

  /** Creates the comment. Of those by concurrent runs, keeps the oldest, with the sections of the younger ones. */
  async #createOnlyOne(text: CommentText): Promise<Comment> {
    const created = await this.#create(text)
    const [oldest, ...younger] = await this.#findConcurrent(text, created)
    if (oldest === undefined || younger.length === 0) return created
    const all = [oldest, ...younger]
    const bodies = all.map(comment => comment.body)
    const body = joinSections(text.name, bodies)
    const changedAt = all.map(comment => comment.changedAt).sort()
    const joined = { ...oldest, body, changedAt: changedAt.at(-1) ?? '' }
    const kept = await this.#update(joined, text, oldest.body)
    for (const comment of younger) await this.#delete(comment, text)
    return kept
  }

  #buildRequest(method: 'GET' | 'PATCH' | 'DELETE', id: number, work: string, { pullRequest }: Place) {
    const what = `${work} on pull request ${pullRequest}`
    const route = `${method} /repos/{owner}/{repo}/issues/comments/{comment_id}`
    return { what, route, parameters: { comment_id: id }, permission }
  }

  async #delete({ id }: Comment, place: Place): Promise<void> {
    const request = this.#buildRequest('DELETE', id, 'deleting a second comment', place)
    try {
      await this.#repository.send({ ...request, success: 204 })
    } catch (failure) {
      // Another run has deleted it already.
      if (!isNotFound(failure)) throw failure
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

  /** @param shown the text that GitHub shows now, if `comment` has another one to start from */
  async #update(comment: Comment, text: CommentText, shown = comment.body): Promise<Comment> {
    const body = replaceSection(comment, text.name, text)
    if (body === shown) return comment
    const request = this.#buildRequest('PATCH', comment.id, 'updating the comment', text)
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
      // GitHub may have written the comment, or a person may have deleted it. Reading it again shows which.
      if (!mayHaveTakenEffect(failure) && !(isNotFound(failure) && found)) throw failure
      const current = await this.#findOldest(text)
      if (current !== undefined) return await this.#update(current, text)
      return text.onlyUpdate ? undefined : await this.#createOnlyOne(text)
    }
  }

  /** The current comment; undefined if it was deleted by hand. Another run may have kept an older one instead. */
  async #readAgain({ id }: Comment, place: Place): Promise<Comment | undefined> {
    const request = this.#buildRequest('GET', id, 'reading the comment', place)
    try {
      const found = fromRest(await this.#repository.read(request, restComment))
      if (hasMarker(found.body, place.name)) return found
    } catch (failure) {
      if (!isNotFound(failure)) throw failure
    }
    return await this.#findOldest(place)
  }

  /**
   * Writes a section of the comment, keeps the other one, and returns the address of the comment. Each write replaces
   * the whole comment. So if another job writes the other section, it may overwrite this one: then this job reads the
   * comment again after a pause, and repeats its write.
   */
  async write(text: CommentText): Promise<string | undefined> {
    let written = await this.#write(text)
    const isAlone = text.section === 'database' && !hasOtherSection(written?.body ?? '', text)
    for (let round = 1; written && !isAlone && round < mostWrites; round++) {
      await this.#waitForOverwrite()
      const current = await this.#readAgain(written, text)
      if (current === undefined || hasSection(current.body, text)) break
      written = await this.#write(text)
    }
    return written?.address
  }
}
