/** Tests the approval of a loss of data. */
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { line } from '#base/report'
import type { Approval } from '#contents/rehearsal/result/losses'
import { type FakeGitHub, startFakeGitHub } from '../support/github/fake-github.ts'
import { serverError } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { actionsBot, octocat, previewApp, tokens } from '../support/github/tokens.ts'
import { shown } from './support/preview-section.ts'

const preview = 'preview-pr-7-0a1b2c3d'
const label = 'loss-approved'
const hash = 'a'.repeat(64)
const another = 'b'.repeat(64)

let fake: FakeGitHub
let minute: number
beforeEach(async () => {
  fake = await startFakeGitHub()
  fake.openPullRequest({ number: 7 })
  minute = 0
  fake.clock = () => Date.parse('2026-01-31T12:00:00Z') + minute * 60_000
})
afterEach(() => fake.stop())

/** A run that displays the losses while the clock advances. */
async function show(hash: string, problem?: string): Promise<void> {
  minute += 1
  await createGitHubClient(fake, tokens.actions).github.writeMigrations(7, preview, {
    ...{ blocks: [line(problem ?? 'a loss')], loss: { hash } },
  })
  minute += 1
}

const ask = (token: string = tokens.readOnly): Promise<Approval> =>
  createGitHubClient(fake, token).github.readApproval({ pullRequest: 7, preview, label, hash })

const setLabel = (actor = octocat, app?: typeof previewApp) => fake.label(7, 'labeled', label, actor, app)

describe('a loss of data is approved', () => {
  it('by the label that a person with write access set after the comment showed the loss', async () => {
    await show(hash)
    setLabel()
    expect(await ask()).toEqual({ isApproved: true, message: 'octocat set the label loss-approved' })
  })

  it('even after the comment has changed for other reasons', async () => {
    await show(hash)
    setLabel()
    await show(hash, 'another word')
    const report = { state: 'ready', name: preview } as const
    await createGitHubClient(fake, tokens.actions).github.writeComment(7, shown(report), {
      onlyUpdate: false,
    })
    minute += 1
    expect(await ask()).toMatchObject({ isApproved: true })
  })

  it('by a label in another letter case, and by an owner', async () => {
    await show(hash)
    fake.label(7, 'labeled', 'Loss-Approved')
    expect(await ask()).toMatchObject({ isApproved: true })
  })
})

test('a label that was set before the comment must be set again', async () => {
  setLabel()
  expect(await ask()).toMatchObject({
    next: 'check the loss, set the label loss-approved (again, if it is set), then run the failed job again',
  })
})

describe('a loss of data is not approved', () => {
  test.each<[string, () => Promise<void> | void, string]>([
    ['before the comment shows it', () => setLabel(), 'has not shown this loss before'],
    ['where the label is not set', () => show(hash), 'the label loss-approved is not set'],
    [
      'where the label was set before the comment showed it',
      async () => {
        setLabel()
        await show(hash)
      },
      'was set before the comment showed this loss',
    ],
    [
      'where the label was set in the very second in which the comment showed it',
      async () => {
        await show(hash)
        minute -= 1
        setLabel()
      },
      'was set before the comment showed this loss',
    ],
    [
      'where the label was set for another loss',
      async () => {
        await show(another)
        setLabel()
        await show(hash)
      },
      'was set before the comment showed this loss',
    ],
    [
      'where it shows another loss by now',
      async () => {
        await show(hash)
        setLabel()
        await show(another)
      },
      'has not shown this loss before',
    ],
    [
      'where the label was taken off again',
      async () => {
        await show(hash)
        setLabel()
        fake.label(7, 'unlabeled', label)
      },
      'is not set',
    ],
    [
      'where the label was taken off between the requests for labels and for events',
      async () => {
        await show(hash)
        setLabel()
        fake.label(7, 'unlabeled', label)
        fake.changePullRequest(7, { labels: [label] })
      },
      'is not set',
    ],
    [
      'where the label was deleted, which leaves no trace',
      async () => {
        await show(hash)
        setLabel()
        fake.changePullRequest(7, { labels: [] })
      },
      'is not set',
    ],
    [
      'where another label was set',
      async () => {
        await show(hash)
        fake.label(7, 'labeled', 'loss')
      },
      'is not set',
    ],
    [
      'by a person without write access',
      async () => {
        await show(hash)
        setLabel({ login: 'visitor', id: 5, type: 'User' })
      },
      'visitor set the label loss-approved, but has no write access',
    ],
    [
      'by a workflow',
      async () => {
        await show(hash)
        fake.permissions.set(actionsBot.login, 'write')
        setLabel(actionsBot)
      },
      'was not set by a person',
    ],
    [
      'by an app in the name of a person',
      async () => {
        await show(hash)
        setLabel(octocat, previewApp)
      },
      'was not set by a person',
    ],
    [
      'where the hash stands in a comment of another person',
      async () => {
        await show(hash)
        Object.assign(fake.commentsOf(7)[0] as object, { author: octocat })
        setLabel()
      },
      'has not shown this loss before',
    ],
    ['where the pull request is not there', () => void fake.pullRequests.delete(7), ''],
  ])('%s', async (_, happen, message) => {
    await happen()
    const answer = await ask().catch(() => ({ isApproved: false, message: '' }))
    expect(answer).toMatchObject({ isApproved: false, message: expect.stringContaining(message) })
  })

  test.each([/\/pulls\/7$/, /\/comments$|\/graphql$/, /\/events$/, /\/permission$/])(
    'if GitHub fails with %s',
    async paths => {
      await show(hash)
      setLabel()
      fake.injectFaults(({ path }) => (paths.test(path) ? serverError() : undefined))
      await expect(ask()).rejects.toThrow(Error)
    },
  )

  it('if the token cannot read the pull request', async () => {
    await show(hash)
    setLabel()
    await expect(ask(tokens.bare)).rejects.toThrow(Error)
  })
})
