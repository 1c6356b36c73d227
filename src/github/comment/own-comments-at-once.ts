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
 * The first answer shows the number of pages, the second query reads them all, and a third reads comments added
 * meanwhile.
 */
const mostRounds = 3

const permission = 'pull-requests: read'

/** One page of a query. `skip` selects the page, so one query reads all pages. No field of a node has a long text. */
const renderPage = (_: unknown, index: number) =>
  `p${index}: timelineItems(first: ${largestPage}, skip: ${index * largestPage}, itemTypes: [ISSUE_COMMENT]) { nodes { ... on IssueComment { id fullDatabaseId viewerDidAuthor } } }`

/** The authors of all comments, and the texts of the oldest ones, which usually include the preview's comment. */
const renderQuery = (number: number, pages: number) =>
  `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { pullRequest(number: ${number}) { comments(first: ${textsPerPage}) { totalCount nodes { ${graphqlFields} } } ${Array.from({ length: pages }, renderPage).join(' ')} } } }`

const commentsShape = z.looseObject({
  repository: z.looseObject({
    pullRequest: z.looseObject({
      comments: z.looseObject({ totalCount: z.int(), nodes: z.array(graphqlComment) }),
    }),
  }),
})
const pageShape = z.looseObject({ nodes: z.array(graphqlAuthor) })

type Author = z.infer<typeof graphqlAuthor>

interface CommentList {
  total: number
  oldest: z.infer<typeof graphqlComment>[]
  pages: Author[][]
}

const splitIntoChunks = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

export class OwnCommentsAtOnce {
  readonly #ask: AskGraphql
  readonly #repository: Repository
  /** Ids of comments by the same account without a marker, as of other workflows. They are not read again. */
  readonly #unmarked = new Set<number>()
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
    const own = pages.flat().filter(({ viewerDidAuthor }) => viewerDidAuthor)
    const texts = new Map([...known, ...oldest.map(fromGraphql)].map(comment => [comment.id, comment]))
    const unread = own.filter(({ fullDatabaseId: id }) => !texts.has(id) && !this.#unmarked.has(id))
    for (const comment of await this.#readTexts(what, unread)) texts.set(comment.id, comment)
    const all = own.flatMap(({ fullDatabaseId: id }) => texts.get(id) ?? [])
    for (const { id, body } of all) if (!hasAnyMarker(body)) this.#unmarked.add(id)
    return all.filter(({ body }) => hasAnyMarker(body))
  }

  /** Reads the authors of all comments, with more pages if the first answer shows that there are more. */
  async #readAuthors(what: string, number: number): Promise<CommentList> {
    for (let round = 1; round <= mostRounds; round++) {
      const pages = this.#pages.get(number) ?? 1
      const list = await this.#query(what, number, pages)
      const end = list.pages.findIndex(({ length }) => length < largestPage)
      const count = list.pages.flat().length
      const isWhole = end >= 0 && list.pages.slice(end + 1).every(({ length }) => length === 0)
      if (isWhole && count >= list.total) return list
      // Only the last page may be short: an incomplete list must never pass for a complete one.
      if (end >= 0) break
      this.#pages.set(number, Math.max(pages, Math.floor(list.total / largestPage)) + 1)
    }
    throw new GitHubUnclearError(what, 'without some of the comments')
  }

  async #query(what: string, number: number, pages: number): Promise<CommentList> {
    const { owner, repo: name } = this.#repository.path
    const query = renderQuery(number, pages)
    const answer = await this.#ask({ what, query, variables: { owner, name }, permission })
    const found = readShape(what, answer, commentsShape).repository.pullRequest
    const nodes = (index: number) => readShape(what, { data: found[`p${index}`] }, pageShape).nodes
    return {
      total: found.comments.totalCount,
      oldest: found.comments.nodes,
      pages: Array.from({ length: pages }, (_, index) => nodes(index)),
    }
  }

  /** Reads the texts of comments. If they are too large for one answer, reads them in two halves. */
  async #readTexts(what: string, authors: Author[]): Promise<Comment[]> {
    if (authors.length === 0) return []
    try {
      return await this.#askTexts(what, authors)
    } catch (failure) {
      const isTooLarge = failure instanceof GitHubUnreachableError && failure.isTooLarge
      if (!isTooLarge || authors.length <= textsPerPage) throw failure
      const half = Math.ceil(authors.length / 2)
      const read = await this.#readTexts(what, authors.slice(0, half))
      return [...read, ...(await this.#readTexts(what, authors.slice(half)))]
    }
  }

  async #askTexts(what: string, authors: Author[]): Promise<Comment[]> {
    const lists = splitIntoChunks(
      authors.map(({ id }) => id),
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
    const found = nodes.filter(node => node !== null)
    if (nodes.length !== authors.length || found.length + deleted < authors.length)
      throw new GitHubUnclearError(what, 'without some of the texts')
    return found.map(fromGraphql)
  }
}
