/** Sends requests to the fake GitHub with the action's own client. */
import { createGitHub } from '#github/create-github'
import { parseEvent } from '#github/event'
import type { GitHubOptions } from '#github/github'
import type { GitHub } from '#preview/base/github'
import { FakeSeam } from '../fake-seam.ts'
import type { FakeGitHub } from './fake-github.ts'

export interface GitHubClient {
  github: GitHub
  /** Its time advances only by sleeping. */
  seam: FakeSeam
}

/** The usual `wait_timeout`, in milliseconds. */
const usualDeadline = 30 * 60_000

/** Creates the GitHub client of the action for one run of a workflow, with the address of the fake. */
export function createGitHubClient(
  fake: FakeGitHub,
  token: string | undefined,
  options: Partial<GitHubOptions> = {},
): GitHubClient {
  const seam = new FakeSeam()
  const environment = { ...fake.environment, GITHUB_EVENT_NAME: 'pull_request', GITHUB_RUN_ID: '42' }
  const event = parseEvent(environment, undefined)
  const { signal } = new AbortController()
  const deadline = usualDeadline
  const redact = (text: string) => text
  const given = { token, event, environment, signal, deadline, seam, redact }
  return { seam, github: createGitHub({ ...given, ...options }) }
}
