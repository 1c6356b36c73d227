import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from './support/setting.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.stop())

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

it('examples/hand-over.yml: neither migrates nor tests for a pull request that was closed before it ran', async () => {
  const number = stage.github.openPullRequest()
  stage.github.closePullRequest(number)
  const run = await stage.happens('examples/hand-over.yml', 'opened', number)
  expect(run).toMatchObject({ preview: { result: 'success' }, test: { result: 'skipped' } })
  expect(run.preview?.outputs.host ?? '').toBe('')
  expect(await stage.others()).toEqual([])
})
