/** A fake GitHub for each test of a file. */
import { afterEach, beforeEach } from 'vitest'
import { standFor } from '../use-opened.ts'
import { type FakeGitHub, startFakeGitHub } from './fake-github.ts'

/** The fake of the running test. Each begins with an open pull request of this number, if one is given. */
export function useFakeGitHub(number?: number): FakeGitHub {
  let current: FakeGitHub | undefined
  beforeEach(async () => {
    current = await startFakeGitHub()
    if (number !== undefined) current.openPullRequest({ number })
  })
  afterEach(() => current?.stop())
  return standFor(() => current)
}
