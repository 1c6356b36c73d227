import { createGitHub } from '../../../src/github/create-github.ts'
import { parseEvent } from '../../../src/github/event.ts'
import type { GitHubOptions } from '../../../src/github/github.ts'
import type { GitHub } from '../../../src/preview/base/github.ts'
import { FakeSeam } from '../fake-seam.ts'
import type { FakeGitHub } from './fake-github.ts'

export interface Asking {
  github: GitHub
  /** Time passes only by sleeping. */
  seam: FakeSeam
}

/** What the action asks GitHub with, pointed at the fake, as one run of a workflow. */
export function askAs(
  fake: FakeGitHub,
  token: string | undefined,
  options: Partial<GitHubOptions> = {},
): Asking {
  const seam = new FakeSeam()
  const environment = { ...fake.environment, GITHUB_EVENT_NAME: 'pull_request', GITHUB_RUN_ID: '42' }
  const event = parseEvent(environment, undefined)
  const { signal } = new AbortController()
  const deadline = Number.POSITIVE_INFINITY
  const redact = (text: string) => text
  const given = { token, event, environment, signal, deadline, seam, redact }
  return { seam, github: createGitHub({ ...given, ...options }) }
}
