/** Tests comments with lost or late answers. */
import { describe, expect, it, test } from 'vitest'
import { GitHubRateLimitError, GitHubUnclearError } from '#github/ask/errors'
import { renderMarker } from '#github/comment/sections'
import { refuse } from '../support/github/answer.ts'
import { type GitHubFault, secondaryLimit, serverError } from '../support/github/faults.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { addressOf, deleted, isWrite, name, onlyUpdate, ready, writerTo } from './support/comments.ts'

const fake = useFakeGitHub(7)

const write = writerTo(fake)
const bodies = () => fake.commentsOf(7).map(({ body }) => body)

/** Injects the fault into the first write only. */
function strikeFirstWrite(fault: GitHubFault): void {
  let struck = false
  fake.injectFaults(request => {
    if (struck || !isWrite(request)) return undefined
    struck = true
    return fault
  })
}

describe('uncertainty about the new comment', () => {
  test.each([
    ['was made before the connection broke', { kind: 'reset-after' }],
    ['was made before the answer broke off', { kind: 'cut' }],
    ['was made, and half of the answer came', { kind: 'half' }],
    ['was made, and a gateway had trouble', { kind: 'answer-after', answer: refuse(502, 'Server Error') }],
    ['was not made before the connection broke', { kind: 'reset' }],
    ['was not made, for GitHub had trouble', serverError()],
    ['was not made, for the rate limit of a moment', secondaryLimit(403, 2)],
  ] as [string, GitHubFault][])('ends with one comment if it %s', async (_, fault) => {
    strikeFirstWrite(fault)
    const address = await write(ready)
    expect(bodies()).toEqual([expect.stringContaining('db.example')])
    expect(address).toBe(addressOf(fake.commentsOf(7)[0]?.id))
  })

  it('ends after a second attempt', async () => {
    fake.injectFaults(request => (isWrite(request) ? serverError() : undefined))
    await expect(write(ready)).rejects.toThrow(GitHubUnclearError)
    expect(fake.requests.filter(isWrite)).toHaveLength(2)
  })

  it('does not exist if a rate limit lasts', async () => {
    fake.injectFaults(request => (isWrite(request) ? secondaryLimit(403, 600) : undefined))
    await expect(write(ready)).rejects.toThrow(GitHubRateLimitError)
    expect(fake.requests.filter(isWrite)).toHaveLength(1)
  })
})

describe('a comment that GitHub always refuses', () => {
  test.each([
    ['Unable to create comment because issue is locked.', 'unlock the conversation of the pull request'],
    ['Repository was archived so is read-only.', 'unarchive the repository, or disable the workflow'],
    ['Resource not accessible by integration', 'set `permissions: pull-requests: write` on the job'],
  ])('fails with its reason: %s', async (message, next) => {
    fake.injectFaults(request =>
      isWrite(request) ? { kind: 'answer', answer: refuse(403, message) } : undefined,
    )
    await expect(write(ready)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      next: expect.stringContaining(next),
    })
  })
})

describe('a comment that is deleted at the same time', () => {
  function deleteBeforeUpdate(): void {
    fake.addComment(7, renderMarker(name))
    fake.injectFaults(({ method }) => {
      if (method === 'PATCH') fake.comments.splice(0)
      return undefined
    })
  }

  it('is created again', async () => {
    deleteBeforeUpdate()
    const address = await write(ready)
    expect(address).toBe(addressOf(fake.commentsOf(7)[0]?.id))
    expect(bodies()).toEqual([expect.stringContaining('db.example')])
  })

  it('stays deleted if it must only be updated', async () => {
    deleteBeforeUpdate()
    expect(await write(deleted, onlyUpdate)).toBeUndefined()
    expect(bodies()).toEqual([])
  })
})
