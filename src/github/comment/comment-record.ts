/** A comment, and its two forms in GitHub's APIs. */
import * as z from 'zod/mini'

export interface Comment {
  id: number
  body: string
  address: string
  /** By GitHub's clock. */
  changedAt: string
}

export const restComment = z.looseObject({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  updated_at: z.nullish(z.string()),
  /** Null if the account was deleted. */
  user: z.nullish(z.looseObject({ login: z.string() })),
})

export const fromRest = ({ id, html_url, body, updated_at }: z.infer<typeof restComment>): Comment => ({
  id,
  address: html_url,
  body: body ?? '',
  changedAt: updated_at ?? '',
})

/** The fields of a comment in GraphQL. `databaseId` is an Int, which is too small for ids of comments. */
export const graphqlFields = 'fullDatabaseId viewerDidAuthor url updatedAt body'

const bigInt = z.coerce.number().check(z.int(), z.positive())

export const graphqlAuthor = z.looseObject({
  id: z.string(),
  fullDatabaseId: bigInt,
  viewerDidAuthor: z.boolean(),
})

export const graphqlComment = z.looseObject({
  fullDatabaseId: bigInt,
  viewerDidAuthor: z.boolean(),
  url: z.string(),
  updatedAt: z.string(),
  body: z.string(),
})

export const fromGraphql = (found: z.infer<typeof graphqlComment>): Comment => ({
  id: found.fullDatabaseId,
  address: found.url,
  body: found.body,
  changedAt: found.updatedAt,
})
