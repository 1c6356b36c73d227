import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PullRequestAction, pullRequestEvent } from '../support/github/pull-request-event.ts'
import { openStage, type Stage, sealSecret } from './support/setting.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.stop())

/** psql is on the PATH, as on GitHub's machines. */
const PATH = [join(import.meta.dirname, 'support/bin'), process.env.PATH].join(delimiter)
const happens = (action: PullRequestAction, number: number) =>
  stage.run(
    'examples/rehearse.yml',
    { name: 'pull_request', payload: pullRequestEvent(action, { number }) },
    { PATH },
  )

it('examples/rehearse.yml: a job without keys migrates, and another one tells of it', async () => {
  const number = stage.github.openPullRequest()
  const { preview, rehearse, tell } = await happens('opened', number)
  for (const job of [preview, rehearse, tell]) expect(job?.result, job?.log.join('\n')).toBe('success')
  expect(preview?.outputs.sealed_url).toMatch(/^sealed:[\w-]+$/)
  expect(rehearse?.steps[1]?.outputs).toMatchObject({
    verdict: 'passed',
    diff: expect.stringContaining('discounts'),
  })
  expect(rehearse?.log.join()).not.toContain(sealSecret)
  const [service] = await stage.others()
  expect(await stage.rows(service?.service_id, 'select count(*)::int as n from discounts')).toEqual([
    { n: 0 },
  ])
  const [comment] = stage.github.commentsOf(number)
  expect(comment?.body).toContain('### Migration: ✅ within all limits')
  expect(comment?.body).toContain('+ table discounts')
  expect(comment?.body).toContain(service?.endpoint?.host)

  stage.github.closePullRequest(number)
  const closed = await happens('closed', number)
  expect(closed).toMatchObject({ rehearse: { result: 'skipped' }, tell: { result: 'skipped' } })
  expect(await stage.others()).toEqual([])
})
