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
}

export interface GitHubAnswer {
  /** Names in lower case. */
  headers: Record<string, string>
  data: unknown
}
