/** Tests the approval of a loss of data. */
import { beforeEach, describe, expect, it, test } from 'vitest'
import { line } from '#base/report'
import type { Approval } from '#contents/rehearsal/result/losses'
import { serverError } from '../support/github/faults.ts'
import { createGitHubClient } from '../support/github/github-client.ts'
import { actionsBot, octocat, previewApp, tokens } from '../support/github/tokens.ts'
import { useFakeGitHub } from '../support/github/use-fake-github.ts'
import { shown } from './support/preview-section.ts'

const preview = 'preview-pr-7-0a1b2c3d'
const label = 'loss-approved'
const hash = 'a'.repeat(64)
const another = 'b'.repeat(64)

const fake = useFakeGitHub(7)
let minute: number
beforeEach(() => {
  minute = 0
  fake.clock = () => Date.parse('2026-01-31T12:00:00Z') + minute * 60_000
})

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

/** The acts on the pull request, by the words of the cases below. */
const acts = {
  show: () => show(hash),
  'show another': () => show(another),
  label: () => setLabel(),
  unlabel: () => fake.label(7, 'unlabeled', label),
  'set another label': () => fake.label(7, 'labeled', 'loss'),
  'label as a visitor': () => setLabel({ login: 'visitor', id: 5, type: 'User' }),
  'label as a workflow': () => {
    fake.permissions.set(actionsBot.login, 'write')
    setLabel(actionsBot)
  },
  'label by an app': () => setLabel(octocat, previewApp),
  'go back a minute': () => {
    minute -= 1
  },
  'list the label': () => fake.changePullRequest(7, { labels: [label] }),
  'delete the label': () => fake.changePullRequest(7, { labels: [] }),
  'change the author': () => Object.assign(fake.commentsOf(7)[0] as object, { author: octocat }),
  'lose the pull request': () => fake.pullRequests.delete(7),
}

describe('a loss of data is not approved', () => {
  const early = 'was set before the comment showed this loss'
  test.each<[string, (keyof typeof acts)[], string]>([
    ['before the comment shows it', ['label'], 'has not shown this loss before'],
    ['where the label is not set', ['show'], 'the label loss-approved is not set'],
    ['where the label was set before the comment showed it', ['label', 'show'], early],
    ['where the label was set in the second of the comment', ['show', 'go back a minute', 'label'], early],
    ['where the label was set for another loss', ['show another', 'label', 'show'], early],
    ['where it shows another loss now', ['show', 'label', 'show another'], 'has not shown this loss before'],
    ['where the label was taken off again', ['show', 'label', 'unlabel'], 'is not set'],
    ['where only the list has the label', ['show', 'label', 'unlabel', 'list the label'], 'is not set'],
    ['where a deleted label leaves no trace', ['show', 'label', 'delete the label'], 'is not set'],
    ['where another label was set', ['show', 'set another label'], 'is not set'],
    ['by one without write access', ['show', 'label as a visitor'], 'visitor set the label loss-approved'],
    ['by a workflow', ['show', 'label as a workflow'], 'was not set by a person'],
    ['by an app in the name of a person', ['show', 'label by an app'], 'was not set by a person'],
    ['by a comment of a stranger', ['show', 'change the author', 'label'], 'has not shown this loss before'],
    ['where the pull request is not there', ['lose the pull request'], ''],
  ])('%s', async (_, happened, message) => {
    for (const act of happened) await acts[act]()
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
