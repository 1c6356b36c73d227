import type * as z from 'zod/mini'
import { GitHubUnclearError } from './errors.ts'

export interface GitHubRequest {
  /** What it is for, to start an error's message: `reading pull request 7`. */
  what: string
  /** A method and a path template. */
  route: string
  parameters: Record<string, unknown>
  /** The permission it needs, as written in a workflow. */
  permission: string
  /** The status of a successful answer; any other is an error. */
  success: 200 | 201 | 204
  /** Whether it is idempotent, so that it may be sent again. */
  repeatable: boolean
  /** Whether the step succeeds without it. Then it waits less long for a rate limit. */
  isOptional?: boolean
}

export interface GitHubAnswer {
  /** Names in lower case. */
  headers: Record<string, string>
  data: unknown
}

/**
 * What an answer holds.
 *
 * @throws GitHubUnclearError if it is not of the expected shape
 */
export function readShape<Schema extends z.ZodMiniType>(
  what: string,
  { data }: Pick<GitHubAnswer, 'data'>,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubUnclearError(what, { status: 200, problem: 'not of the expected shape' })
}
