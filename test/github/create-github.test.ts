/** Tests the names of requests to GitHub in the timeline. */
import { expect, it } from 'vitest'
import { createGitHub } from '#github/create-github'
import { parseEvent } from '#github/event'
import { FakeSeam } from '../support/fake-seam.ts'

it('names each request to GitHub for the heartbeat', async () => {
  const spans: string[] = []
  const environment = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_REPOSITORY_ID: '1' }
  const github = createGitHub(
    {
      ...{ token: undefined, environment, event: parseEvent(environment, undefined), seam: new FakeSeam() },
      ...{ signal: new AbortController().signal, deadline: 1000, redact: (text: string) => text },
    },
    (name, run) => {
      spans.push(name)
      return run()
    },
  )
  await expect(github.readPullRequest(7)).rejects.toThrow('there is no token for GitHub')
  await expect(github.readShownLoss(7, 'p')).rejects.toThrow()
  await expect(github.readApproval({ pullRequest: 7, preview: 'p', label: 'ok', hash: '' })).rejects.toThrow()
  await expect(github.writeMigrations(7, 'p', { blocks: [] })).rejects.toThrow()
  expect(spans).toEqual([
    ...['asking GitHub', 'reading the comment', 'reading the approval', 'writing the comment'],
  ])
})
