/** Queries GitHub's GraphQL API. */
import * as z from 'zod/mini'
import type { GitHubCall } from './call.ts'
import { readShape } from './exchange.ts'

const shape = z.looseObject({
  data: z.nullish(z.unknown()),
  errors: z.optional(
    z.array(
      z.looseObject({
        message: z.string(),
        type: z.optional(z.string()),
        path: z.optional(z.array(z.union([z.string(), z.number()]))),
      }),
    ),
  ),
})

export interface GraphqlQuestion {
  what: string
  query: string
  variables?: Record<string, string | string[]>
  permission: string
}

export interface GraphqlAnswer {
  data: unknown
  /** The missing data, each with its place in `data`: an answer may be incomplete. */
  errors: { message: string; type?: string | undefined; path?: (string | number)[] | undefined }[]
}

/** Sends a query, which must only read. */
export type AskGraphql = (question: GraphqlQuestion) => Promise<GraphqlAnswer>

export function createGraphql(call: GitHubCall, baseUrl: string): AskGraphql {
  return async ({ what, query, variables, permission }) => {
    const parameters = { baseUrl, query, ...(variables && { variables }) }
    const request = { what, route: 'POST /graphql', parameters, permission, repeatable: true }
    const answer = await call(request)
    const { data, errors = [] } = readShape(what, answer, shape)
    return { data, errors }
  }
}
