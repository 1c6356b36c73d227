/** Reads many pull requests with one GraphQL query. */
import * as z from 'zod/mini'
import { parseTimestamp } from '#base/timestamp'
import type { PullRequest } from '#preview/base/github'
import { GitHubUnclearError } from './ask/errors.ts'
import { readShape } from './ask/exchange.ts'
import type { AskGraphql, GraphqlAnswer } from './ask/graphql.ts'
import type { Repository } from './ask/repository.ts'

/**
 * Upper limit for the pull requests of one query. A query costs a single point of the rate limit, which is 1,000 an
 * hour for a job's token.
 */
const mostPerQuery = 100

/** A larger number is not an Int of GraphQL, and would make the query fail for all. */
const largestNumber = 2 ** 31 - 1

/** GitHub allows a hundred labels; `totalCount` shows whether there are more. */
const facts =
  'number state closedAt updatedAt isDraft labels(first: 100) { totalCount nodes { name } } repository { databaseId }'

/**
 * The total proves that the token may read pull requests. Without this proof, a pull request that is not found may
 * exist.
 */
const head = 'databaseId pullRequests(first: 1) { totalCount }'

const aliasOf = (number: number) => `p${number}`

function renderQuery(numbers: number[]): string {
  const fields = numbers.map(number => `${aliasOf(number)}: pullRequest(number: ${number}) { ...facts }`)
  return `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${head} ${fields.join(' ')} } } fragment facts on PullRequest { ${facts} }`
}

const answerShape = z.looseObject({
  repository: z.looseObject({
    databaseId: z.int(),
    pullRequests: z.looseObject({ totalCount: z.int() }),
  }),
})

const pullRequestShape = z.looseObject({
  number: z.int(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  closedAt: z.nullish(z.string()),
  updatedAt: z.nullish(z.string()),
  isDraft: z.boolean(),
  labels: z.looseObject({ totalCount: z.int(), nodes: z.array(z.looseObject({ name: z.string() })) }),
  repository: z.looseObject({ databaseId: z.int() }),
})

const toPullRequest = (pullRequest: z.infer<typeof pullRequestShape>): PullRequest => ({
  state: pullRequest.state === 'OPEN' ? 'open' : 'closed',
  closedAt: parseTimestamp(pullRequest.closedAt),
  updatedAt: parseTimestamp(pullRequest.updatedAt),
  labels: pullRequest.labels.nodes.map(({ name }) => name),
  draft: pullRequest.isDraft,
})

/** Whether GitHub reports that the pull request does not exist. Any other reason for its absence is doubtful. */
const isMissing = ({ errors }: GraphqlAnswer, alias: string) =>
  errors.some(({ type, path }) => type === 'NOT_FOUND' && path?.join() === `repository,${alias}`)

/**
 * Reads the first of these pull requests, as many as fit one query; none if the first number is too large for
 * it. All requested fields have a limited length, so that no answer is too long.
 * @throws GitHubFailure on any doubtful answer, since the action deletes databases based on it
 */
export async function readAtOnce(
  ask: AskGraphql,
  repository: Repository,
  numbers: number[],
): Promise<Map<number, PullRequest>> {
  const end = numbers.findIndex(number => number > largestNumber)
  const requested = numbers.slice(0, Math.min(mostPerQuery, end < 0 ? numbers.length : end))
  if (requested.length === 0) return new Map()
  const what =
    requested.length === 1
      ? `reading pull request ${requested[0]}`
      : `reading ${requested.length} pull requests`
  const { owner, repo: name } = repository.path
  const permission = 'pull-requests: read'
  const answer = await ask({ what, query: renderQuery(requested), variables: { owner, name }, permission })
  const answered = readShape(what, answer, answerShape).repository
  repository.assertSame(what, answered.databaseId)
  return new Map(
    requested.map(number => {
      const alias = aliasOf(number)
      if (answered[alias] === null && isMissing(answer, alias))
        return [number, { state: 'missing', labels: [], draft: false }]
      const pullRequest = pullRequestShape.safeParse(answered[alias]).data
      if (pullRequest?.number !== number)
        throw new GitHubUnclearError(what, `without the expected fields of pull request ${number}`)
      repository.assertSame(what, pullRequest.repository.databaseId)
      if (pullRequest.labels.nodes.length !== pullRequest.labels.totalCount)
        throw new GitHubUnclearError(what, `without all labels of pull request ${number}`)
      return [number, toPullRequest(pullRequest)]
    }),
  )
}
