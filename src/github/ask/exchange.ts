/** The types of a request to GitHub and its answer. */
import type * as z from 'zod/mini'
import { GitHubUnclearError } from './errors.ts'

export interface GitHubRequest {
  /** The purpose, as the start of an error message: `reading pull request 7`. */
  what: string
  /** A method and a path template. */
  route: string
  parameters?: Record<string, unknown>
  /** The required permission, in the syntax of a workflow. */
  permission: string
  /** The status of success. Default: 200. */
  success?: 201 | 204
  /** Whether it is idempotent, so that it may be repeated. Default: unless it is a POST. */
  repeatable?: boolean
  /** Whether the step succeeds without it. Then it waits less long for the end of a rate limit. */
  isOptional?: boolean
}

export interface GitHubAnswer {
  /** Names in lower case. */
  headers: Record<string, string>
  data: unknown
}

/**
 * Parses the data of an answer.
 * @throws GitHubUnclearError if it does not have the expected shape
 */
export function readShape<Schema extends z.ZodMiniType>(
  what: string,
  { data }: Pick<GitHubAnswer, 'data'>,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubUnclearError(what, 'without the expected fields')
}
