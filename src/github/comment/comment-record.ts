/** A comment, and its form in GitHub's API. */
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
