/**
 * Reads the comments that the token's account wrote on a pull request, by GraphQL: a few queries for any
 * number of comments.
 */
import * as z from 'zod/mini'
import { GitHubUnclearError, GitHubUnreachableError } from '../ask/errors.ts'
import { readShape } from '../ask/exchange.ts'
import type { AskGraphql } from '../ask/graphql.ts'
import { largestPage, type Repository, textsPerPage } from '../ask/repository.ts'
import { type Comment, fromGraphql, graphqlAuthor, graphqlComment, graphqlFields } from './comment-record.ts'
import { hasAnyMarker } from './sections.ts'

/**
 * The second query has as many pages as the first answer shows; the third is for comments that were added meanwhile.
 */
const mostRounds = 3

const permission = 'pull-requests: read'

/** Pages are addressed by their position (`skip`), so one query reads them all. Each node has only short text. */
const renderPage = (_: unknown, index: number) =>
  `p${index}: timelineItems(first: ${largestPage}, skip: ${index * largestPage}, itemTypes: [ISSUE_COMMENT]) { nodes { ... on IssueComment { id fullDatabaseId viewerDidAuthor } } }`

/** The authors of all comments, and the texts of the oldest ones, which usually include the preview's comment. */
const renderQuestion = (number: number, pages: number) =>
  `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { pullRequest(number: ${number}) { comments(first: ${textsPerPage}) { totalCount nodes { ${graphqlFields} } } ${Array.from({ length: pages }, renderPage).join(' ')} } } }`

const question = z.looseObject({
  repository: z.looseObject({
    pullRequest: z.looseObject({
      comments: z.looseObject({ totalCount: z.int(), nodes: z.array(graphqlComment) }),
    }),
  }),
})
const page = z.looseObject({ nodes: z.array(graphqlAuthor) })

type Author = z.infer<typeof graphqlAuthor>

interface Seen {
  total: number
  oldest: z.infer<typeof graphqlComment>[]
  pages: Author[][]
}

const cut = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

export class OwnCommentsAtOnce {
  readonly #ask: AskGraphql
  readonly #repository: Repository
  /** Comments of other workflows with the same account, which are not read again. */
  readonly #strangers = new Set<number>()
  /** The number of pages at the last read, by pull request. */
  readonly #pages = new Map<number, number>()

  constructor(ask: AskGraphql, repository: Repository) {
    this.#ask = ask
    this.#repository = repository
  }

  /**
   * The comments of all previews on a pull request.
   * @param known comments whose text is not read again
   * @throws GitHubFailure on any doubtful answer: an overlooked comment would be written twice
   */
  async read(number: number, known: Comment[]): Promise<Comment[]> {
    const what = `reading the comments of pull request ${number}`
    const { oldest, pages } = await this.#readAuthors(what, number)
    const own = pages.flat().filter(one => one.viewerDidAuthor)
    const texts = new Map([...known, ...oldest.map(fromGraphql)].map(one => [one.id, one]))
    const unread = own.filter(
      one => !texts.has(one.fullDatabaseId) && !this.#strangers.has(one.fullDatabaseId),
    )
    for (const comment of await this.#readTexts(what, unread)) texts.set(comment.id, comment)
    const all = own.flatMap(one => texts.get(one.fullDatabaseId) ?? [])
    for (const { id, body } of all) if (!hasAnyMarker(body)) this.#strangers.add(id)
    return all.filter(({ body }) => hasAnyMarker(body))
  }

  /** Queries more pages, if the first answer shows that there are more. */
  async #readAuthors(what: string, number: number): Promise<Seen> {
    for (let round = 1; round <= mostRounds; round++) {
      const pages = this.#pages.get(number) ?? 1
      const seen = await this.#look(what, number, pages)
      const end = seen.pages.findIndex(({ length }) => length < largestPage)
      const count = seen.pages.flat().length
      const isWhole = end >= 0 && seen.pages.slice(end + 1).every(({ length }) => length === 0)
      if (isWhole && count >= seen.total) return seen
      // Only the last page may be short: an incomplete list must never pass for a complete one.
      if (end >= 0) break
      this.#pages.set(number, Math.max(pages, Math.floor(seen.total / largestPage)) + 1)
    }
    throw new GitHubUnclearError(what, 'without some of the comments')
  }

  async #look(what: string, number: number, pages: number): Promise<Seen> {
    const { owner, repo: name } = this.#repository.path
    const query = renderQuestion(number, pages)
    const answer = await this.#ask({ what, query, variables: { owner, name }, permission })
    const found = readShape(what, answer, question).repository.pullRequest
    const nodes = (index: number) => readShape(what, { data: found[`p${index}`] }, page).nodes
    return {
      total: found.comments.totalCount,
      oldest: found.comments.nodes,
      pages: Array.from({ length: pages }, (_, index) => nodes(index)),
    }
  }

  /** Texts have any length: if an answer is too large, queries half of them at a time. */
  async #readTexts(what: string, some: Author[]): Promise<Comment[]> {
    if (some.length === 0) return []
    try {
      return await this.#askTexts(what, some)
    } catch (failure) {
      const isTooLarge = failure instanceof GitHubUnreachableError && failure.isTooLarge
      if (!isTooLarge || some.length <= textsPerPage) throw failure
      const half = Math.ceil(some.length / 2)
      const read = await this.#readTexts(what, some.slice(0, half))
      return [...read, ...(await this.#readTexts(what, some.slice(half)))]
    }
  }

  async #askTexts(what: string, some: Author[]): Promise<Comment[]> {
    const lists = cut(
      some.map(({ id }) => id),
      largestPage,
    )
    const variables = Object.fromEntries(lists.map((ids, index) => [`t${index}`, ids]))
    const names = Object.keys(variables)
    const asked = names.map(
      name => `${name}: nodes(ids: $${name}) { ... on IssueComment { ${graphqlFields} } }`,
    )
    const query = `query(${names.map(name => `$${name}: [ID!]!`).join(', ')}) { ${asked.join(' ')} }`
    const answer = await this.#ask({ what, query, variables, permission })
    const answered = readShape(what, answer, z.record(z.string(), z.array(z.nullable(graphqlComment))))
    const nodes = names.flatMap(name => answered[name] ?? [])
    // A comment that was deleted meanwhile is null, with its own error.
    const deleted = answer.errors.filter(({ type }) => type === 'NOT_FOUND').length
    const found = nodes.filter(one => one !== null)
    if (nodes.length !== some.length || found.length + deleted < some.length)
      throw new GitHubUnclearError(what, 'without some of the texts')
    return found.map(fromGraphql)
  }
}
