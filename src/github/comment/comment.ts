import * as z from 'zod/mini'
import type { Seam } from '../../base/seam.ts'
import type { WorkflowEvent } from '../../preview/base/github.ts'
import type { GitHubCall } from '../ask/call.ts'
import { GitHubRefusalError, isDoubt } from '../ask/errors.ts'
import { readShape } from '../ask/exchange.ts'
import { readPages, textsPerPage } from '../ask/pages.ts'
import { parseRepository } from '../ask/repository.ts'
import {
  hasMarker,
  hasOther,
  hasSection,
  joinSections,
  replaceSection,
  type SectionText,
} from './sections.ts'

const permission = 'pull-requests: write'

const comment = z.looseObject({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  /** By GitHub's clock. */
  updated_at: z.nullish(z.string()),
  /** Null if the account was deleted. */
  user: z.nullish(z.looseObject({ login: z.string() })),
})

type Comment = z.infer<typeof comment>

/** What a section of the comment of a preview is to show. */
export interface CommentText extends SectionText {
  pullRequest: number
  /** The preview's name, by which its comment is found. */
  name: string
  /** Writes nothing if the pull request has no such comment yet. */
  onlyUpdate: boolean
}

type Place = Pick<CommentText, 'pullRequest' | 'name'>

/**
 * Milliseconds after which another job that read the comment before it was written here has written it, too: it writes
 * right after it has read.
 */
const overtaking = 2000

/** How often a section is written again that another job has overwritten. */
const mostRounds = 5

const describe = ({ body, updated_at }: Comment) => ({ body: body ?? '', changedAt: updated_at ?? '' })

/** The one comment of each preview, recognised by its marker and its author. */
export class Comments {
  readonly #call: GitHubCall
  readonly #event: WorkflowEvent
  readonly #author: () => Promise<string>
  readonly #rest: () => Promise<void>

  constructor(
    call: GitHubCall,
    event: WorkflowEvent,
    author: () => Promise<string>,
    { seam, signal }: { seam: Pick<Seam, 'sleep'>; signal: AbortSignal },
  ) {
    this.#call = call
    this.#event = event
    this.#author = author
    this.#rest = () => seam.sleep(overtaking, signal)
  }

  /** Our comments, the oldest first. Anybody can copy our marker, so the author is compared too. */
  async #findAll({ pullRequest, name }: Place): Promise<Comment[]> {
    const author = (await this.#author()).toLowerCase()
    const comments = await readPages(
      this.#call,
      {
        what: `reading the comments of pull request ${pullRequest}`,
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { ...parseRepository(this.#event.repository), issue_number: pullRequest },
        permission,
      },
      comment,
      textsPerPage,
    )
    return comments
      .filter(({ body, user }) => user?.login.toLowerCase() === author && hasMarker(body ?? '', name))
      .sort((one, other) => one.id - other.id)
  }

  /** The comment as it stands now. */
  async find(place: Place): Promise<{ body: string; changedAt: string } | undefined> {
    const [oldest] = await this.#findAll(place)
    return oldest && describe(oldest)
  }

  /** Concurrent runs may have written one each: keeps the oldest, with what others have written into the younger ones. */
  async #createOnlyOne(text: CommentText): Promise<Comment> {
    const created = await this.#create(text)
    const [oldest, ...younger] = await this.#findAll(text)
    if (oldest === undefined || younger.length === 0) return created
    const all = [oldest, ...younger].map(describe)
    const body = joinSections(
      text.name,
      all.map(one => one.body),
    )
    const changedAt = all
      .map(one => one.changedAt)
      .sort()
      .at(-1)
    const joined = { ...oldest, body, updated_at: changedAt }
    const kept = await this.#update(joined, text, oldest.body)
    for (const comment of younger) await this.#remove(comment, text)
    return kept
  }

  async #remove({ id }: Comment, { pullRequest }: CommentText): Promise<void> {
    const what = `deleting a second comment on pull request ${pullRequest}`
    const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}'
    const parameters = { ...parseRepository(this.#event.repository), comment_id: id }
    try {
      await this.#call({ what, route, parameters, permission, success: 204, repeatable: true })
    } catch (failure) {
      // The other run has deleted it already.
      if (!(failure instanceof GitHubRefusalError && failure.status === 404)) throw failure
    }
  }

  async #create(text: CommentText): Promise<Comment> {
    const { pullRequest, name } = text
    const what = `writing the comment on pull request ${pullRequest}`
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const body = replaceSection({ body: '', changedAt: '' }, name, text)
    const parameters = { ...parseRepository(this.#event.repository), issue_number: pullRequest, body }
    const answer = await this.#call({ what, route, parameters, permission, success: 201, repeatable: false })
    return readShape(what, answer, comment)
  }

  /** @param shown what the comment shows at present, if that is another text than the one to start from */
  async #update(found: Comment, text: CommentText, shown = found.body): Promise<Comment> {
    const { pullRequest, name } = text
    const body = replaceSection(describe(found), name, text)
    if (body === shown) return found
    const what = `updating the comment on pull request ${pullRequest}`
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    const parameters = { ...parseRepository(this.#event.repository), comment_id: found.id, body }
    const answer = await this.#call({ what, route, parameters, permission, success: 200, repeatable: true })
    return readShape(what, answer, comment)
  }

  /** Updates the comment, or writes a new one. */
  async #write(text: CommentText): Promise<Comment | undefined> {
    const [found] = await this.#findAll(text)
    if (found === undefined && text.onlyUpdate) return undefined
    try {
      return await (found ? this.#update(found, text) : this.#createOnlyOne(text))
    } catch (failure) {
      // The comment may have been written all the same, or deleted by hand meanwhile: a second look tells.
      const vanished = failure instanceof GitHubRefusalError && failure.status === 404 && found !== undefined
      if (!vanished && !isDoubt(failure)) throw failure
      return await this.#writeAgain(text)
    }
  }

  async #writeAgain(text: CommentText): Promise<Comment | undefined> {
    const [found] = await this.#findAll(text)
    if (found !== undefined) return await this.#update(found, text)
    return text.onlyUpdate ? undefined : await this.#createOnlyOne(text)
  }

  /** The comment as it stands now; undefined if it was deleted by hand. Another run may have kept an older one in its place. */
  async #readAgain({ id }: Comment, text: CommentText): Promise<Comment | undefined> {
    const what = `reading the comment on pull request ${text.pullRequest}`
    const route = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}'
    const parameters = { ...parseRepository(this.#event.repository), comment_id: id }
    try {
      const answer = await this.#call({ what, route, parameters, permission, success: 200, repeatable: true })
      return readShape(what, answer, comment)
    } catch (failure) {
      if (!(failure instanceof GitHubRefusalError && failure.status === 404)) throw failure
      return (await this.#findAll(text))[0]
    }
  }

  /**
   * Writes a section of the comment, and leaves the other as it is; returns the comment's address. GitHub takes a comment
   * only as a whole, from whoever comes last. So where another job writes the other section, this one looks again once
   * that job can have overwritten it, and writes once more.
   */
  async write(text: CommentText): Promise<string | undefined> {
    let written = await this.#write(text)
    const isAlone = text.section === 'database' && !hasOther(written?.body ?? '', text)
    for (let round = 1; written && !isAlone && round < mostRounds; round++) {
      await this.#rest()
      const now = await this.#readAgain(written, text)
      if (now === undefined || hasSection(now.body ?? '', text)) break
      written = await this.#write(text)
    }
    return written?.html_url
  }
}
