/** Tests the workflows with jobs that use a database; preview.test.ts has those that only create one. */
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { mergeGroupEvent } from '../support/github/merge-group-event.ts'
import type { PullRequestAction } from '../support/github/pull-request-event.ts'
import { onPullRequest, onPush, sealSecret, useStage } from './support/setting.ts'

const stage = useStage()

/** psql is on the PATH, as on GitHub's machines. */
const PATH = [join(import.meta.dirname, 'support/bin'), process.env.PATH].join(delimiter)
const rehearse = (action: PullRequestAction, number: number) =>
  stage.run('examples/rehearse.yml', onPullRequest(action, number), { PATH })

it('examples/rehearse.yml: a job without keys migrates, and another one reports it', async () => {
  const number = stage.github.openPullRequest()
  const { preview, rehearse: migrated, report } = await rehearse('opened', number)
  for (const job of [preview, migrated, report]) expect(job?.result, job?.log.join('\n')).toBe('success')
  expect(preview?.outputs.sealed_url).toMatch(/^sealed:[\w-]+$/)
  expect(migrated?.steps[1]?.outputs).toMatchObject({
    verdict: 'passed',
    diff: expect.stringContaining('discounts'),
  })
  expect(migrated?.log.join()).not.toContain(sealSecret)
  const [service] = await stage.others()
  expect(await stage.rows(service?.service_id, 'select count(*)::int from discounts')).toEqual([{ count: 0 }])
  const [comment] = stage.github.commentsOf(number)
  expect(comment?.body).toContain('### ✅ Migration: within all limits')
  expect(comment?.body).toContain('+ table discounts')
  expect(comment?.body).toContain(service?.endpoint?.host)

  stage.github.closePullRequest(number)
  const closed = await rehearse('closed', number)
  expect(closed).toMatchObject({ rehearse: { result: 'skipped' }, report: { result: 'skipped' } })
  expect(await stage.others()).toEqual([])
})

it('examples/hand-over.yml: the second job reads the table that the first one made', async () => {
  const number = stage.github.openPullRequest()
  const opened = await stage.happens('examples/hand-over.yml', 'opened', number)
  expect(opened).toMatchObject({ preview: { result: 'success' }, test: { result: 'success' } })
  const [service] = await stage.others()
  expect(opened.preview?.outputs).toEqual({ service_id: service?.service_id, host: service?.endpoint?.host })
  // The answer of `select count(*) from discounts`.
  expect(opened.test?.log.at(-1)).toBe('0')

  await stage.rows(service?.service_id, "insert into discounts values ('TEA', 10)")
  const pushed = await stage.happens('examples/hand-over.yml', 'synchronize', number)
  expect(pushed.test?.log.at(-1)).toBe('1')

  stage.github.closePullRequest(number)
  const closed = await stage.happens('examples/hand-over.yml', 'closed', number)
  expect(closed).toMatchObject({ preview: { result: 'success' }, test: { result: 'skipped' } })
  expect(await stage.others()).toEqual([])
})

it('examples/ephemeral-database.yml: a database for the steps of the job, gone at its end', async () => {
  const mark = stage.bench.emulator.requests.length
  const { test: job } = await stage.run('examples/ephemeral-database.yml', onPush)
  expect(job?.result).toBe('success')
  expect(job?.log).toContain('1\ttea')
  expect(stage.bench.operationsSince(mark)).toEqual(
    expect.arrayContaining(['create-service', 'delete-service']),
  )
  expect(await stage.others()).toEqual([])
})

it('examples/merge-queue.yml: an entry has its database from the first job to the last, though the tests fail', async () => {
  const payload = mergeGroupEvent(stage.github.enqueue(stage.github.openPullRequest()))
  const mark = stage.github.requests.length
  const jobs = await stage.run(
    'examples/merge-queue.yml',
    { name: 'merge_group', payload },
    // The tests connect, and do not find their table.
    { PGOPTIONS: '-c search_path=nowhere' },
  )
  expect(jobs).toMatchObject({
    preview: { result: 'success' },
    test: { result: 'failure' },
    delete: { result: 'success' },
  })
  const [made] = jobs.preview?.steps ?? []
  const commit = payload.merge_group.head_sha.slice(0, 10)
  expect(made?.outputs.name).toMatch(new RegExp(`^preview-mq-${commit}-[0-9a-f]{8}-[a-z0-9]{6}$`))
  expect(jobs.test?.log.join()).toContain('relation "orders" does not exist')
  expect(jobs.delete?.steps[0]?.outputs).toMatchObject({ deleted_ids: made?.outputs.service_id })
  expect(await stage.others()).toEqual([])
  expect(stage.github.requests.slice(mark)).toEqual([])
})

it('examples/sql-in-ten-lines.yml: SQL on a database, with nothing but its URL', async () => {
  const mark = stage.bench.emulator.requests.length
  const job = (await stage.run('examples/sql-in-ten-lines.yml', onPush)).count
  expect(job?.result, job?.log.join('\n')).toBe('success')
  expect(job?.steps[0]?.outputs).toMatchObject({ result: '[{"orders":3}]', count: '1' })
  expect(stage.bench.operationsSince(mark)).toEqual([])
})
