/** Tests the example that creates a preview. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import { useWorkspace } from '../support/workspace.ts'
import { useStage } from './support/setting.ts'
import { repository } from './support/workflow-file.ts'

const stage = useStage()
const workspace = useWorkspace()

const products = 'select product from orders order by id'

it('examples/preview.yml: a database from opening to closing', async () => {
  const file = 'examples/preview.yml'
  const number = stage.github.openPullRequest()
  const opened = await stage.happens(file, 'opened', number)
  expect(opened.preview).toMatchObject({ result: 'success' })
  const [preview] = await stage.others()
  expect(preview).toMatchObject({ status: 'READY', forked_from: { service_id: stage.parentId } })
  expect(await stage.rows(preview?.service_id, products)).toEqual([
    { product: 'tea' },
    { product: 'pot' },
    { product: 'cup' },
  ])
  await stage.rows(preview?.service_id, "insert into orders values (4, 'lid')")

  const pushed = await stage.happens(file, 'synchronize', number)
  expect(pushed.preview?.result).toBe('success')
  expect((await stage.others()).map(({ service_id }) => service_id)).toEqual([preview?.service_id])
  expect(await stage.rows(preview?.service_id, products)).toContainEqual({ product: 'lid' })

  stage.github.closePullRequest(number)
  const closed = await stage.happens(file, 'closed', number)
  expect(closed.preview?.result).toBe('success')
  expect(await stage.others()).toEqual([])
  const [comment, ...more] = stage.github.commentsOf(number)
  expect(comment?.body).toContain('Preview database was deleted')
  expect(more).toEqual([])
})

it.each(['examples/preview.yml', 'examples/preview-in-ten-lines.yml', 'examples/hand-over.yml'])(
  '%s: skips a pull request from a fork, without a request',
  async file => {
    const number = stage.github.openPullRequest({ fromFork: true })
    const mark = stage.bench.emulator.requests.length
    const jobs = await stage.happensInFork(file, 'opened', number)
    expect(jobs.preview?.result).toBe('success')
    expect(jobs.preview?.log.join()).toContain('Notice: skipped')
    expect(jobs.test?.result ?? 'skipped').toBe('skipped')
    expect(stage.bench.operationsSince(mark)).toEqual([])
  },
)

it('a job of the README uses the preview of the ten lines above it, and is skipped where there is none', async () => {
  const [tenLines, job] = yamlBlocks(readFileSync(resolve(repository, 'README.md'), 'utf8'))
  workspace.write({ 'recipe.yml': `${tenLines?.text}${job?.text}` })
  const file = join(workspace.path, 'recipe.yml')
  const number = stage.github.openPullRequest()
  const opened = await stage.happens(file, 'opened', number)
  expect(opened).toMatchObject({ preview: { result: 'success' }, migrate: { result: 'success' } })
  // The answer of `select 1`.
  expect(opened.migrate?.log.at(-1)).toBe('1')

  stage.github.closePullRequest(number)
  const closed = await stage.happens(file, 'closed', number)
  expect(closed).toMatchObject({ preview: { result: 'success' }, migrate: { result: 'skipped' } })
  // A run for an earlier event may come when the pull request is closed already.
  const late = await stage.happens(file, 'synchronize', number)
  expect(late).toMatchObject({ preview: { result: 'success' }, migrate: { result: 'skipped' } })

  const nightly = await stage.run(file, { name: 'schedule', payload: {} })
  expect(nightly).toMatchObject({ preview: { result: 'success' }, migrate: { result: 'skipped' } })

  const foreign = stage.github.openPullRequest({ fromFork: true })
  const forked = await stage.happensInFork(file, 'opened', foreign)
  expect(forked).toMatchObject({ preview: { result: 'success' }, migrate: { result: 'skipped' } })
  expect(await stage.others()).toEqual([])
})

it('nothing runs on other events of a pull request', async () => {
  const event = { name: 'pull_request' as const, payload: { action: 'labeled' } }
  expect(await stage.run('examples/preview.yml', event)).toEqual({})
})
