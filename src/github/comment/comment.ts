import * as z from 'zod/mini'
import type { WorkflowEvent } from '../../preview/base/github.ts'
import type { GitHubCall } from '../ask/call.ts'
import { GitHubRefusalError, isDoubt } from '../ask/errors.ts'
import { readShape } from '../ask/exchange.ts'
import { readPages, textsPerPage } from '../ask/pages.ts'
import { parseRepository } from '../ask/repository.ts'
import { hasMarker } from './comment-body.ts'

const permission = 'pull-requests: write'

const comment = z.looseObject({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  /** Null if the account was deleted. */
  user: z.nullish(z.looseObject({ login: z.string() })),
})

type Comment = z.infer<typeof comment>

/** What the comment of a preview is to show. */
export interface CommentText {
  pullRequest: number
  /** The preview's name, by which its comment is found. */
  name: string
  body: string
  /** Writes nothing if the pull request has no such comment yet. */
  onlyUpdate: boolean
}

/** The one comment of each preview, recognised by its marker and its author. */
export class Comments {
  readonly #call: GitHubCall
  readonly #event: WorkflowEvent
  readonly #author: () => Promise<string>

  constructor(call: GitHubCall, event: WorkflowEvent, author: () => Promise<string>) {
    this.#call = call
    this.#event = event
    this.#author = author
  }

  /** Our comments, the oldest first. Anybody can copy our marker, so the author is compared too. */
  async #findAll({ pullRequest, name }: CommentText): Promise<Comment[]> {
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

  async #find(text: CommentText): Promise<Comment | undefined> {
    return (await this.#findAll(text))[0]
  }

  /** Concurrent runs may have written one each: keeps the oldest, with the newest text. */
  async #createOnlyOne(text: CommentText): Promise<string> {
    const address = await this.#create(text)
    const [oldest, ...younger] = await this.#findAll(text)
    if (oldest === undefined || younger.length === 0) return address
    const kept = await this.#update(oldest, text)
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

  async #create({ pullRequest, body }: CommentText): Promise<string> {
    const what = `writing the comment on pull request ${pullRequest}`
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const parameters = { ...parseRepository(this.#event.repository), issue_number: pullRequest, body }
    const answer = await this.#call({ what, route, parameters, permission, success: 201, repeatable: false })
    return readShape(what, answer, comment).html_url
  }

  async #update({ id }: Comment, { pullRequest, body }: CommentText): Promise<string> {
    const what = `updating the comment on pull request ${pullRequest}`
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    const parameters = { ...parseRepository(this.#event.repository), comment_id: id, body }
    const answer = await this.#call({ what, route, parameters, permission, success: 200, repeatable: true })
    return readShape(what, answer, comment).html_url
  }

  /** Updates the comment, or writes a new one; returns its address. */
  async write(text: CommentText): Promise<string | undefined> {
    const found = await this.#find(text)
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

  async #writeAgain(text: CommentText): Promise<string | undefined> {
    const found = await this.#find(text)
    if (found !== undefined) return await this.#update(found, text)
    return text.onlyUpdate ? undefined : await this.#createOnlyOne(text)
  }
}
