/** Tests which pull requests get a preview by the input `paths`. */
import { describe, expect, it } from 'vitest'
import { pullRequest } from '../simulator/preview-names.ts'
import { queueEvent } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const preview = { paths: ['db/**', '!**/*.md'] }
const other = ['README.md', 'db/README.md']

function stageOf(files: string[]): Stage {
  const stage = new Stage()
  stage.world.pullRequests.set(pullRequest, { files })
  return stage
}

describe('paths', () => {
  it('creates a preview for a pull request that changes a matching file', async () => {
    const run = await stageOf([...other, 'db/1.sql']).run('create-preview', { preview })
    expect(run.outcome).toMatchObject({ created: true })
  })

  it('creates none if no changed file matches, and changes nothing', async () => {
    const run = await stageOf(other).run('create-preview', { preview })
    const reason = `pull request ${pullRequest} changes no file that matches paths (db/** !**/*.md)`
    expect(run.outcome).toMatchObject({ skipped: reason, ids: { project_id: expect.any(String) } })
    expect(run.outcome?.changed).not.toBe(true)
    expect([run.idsOf('fork-service'), run.idsOf('create-service'), run.idsOf('writeComment')]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('keeps a preview after a push that reverts the matching file, and reads no files', async () => {
    const stage = stageOf(['db/1.sql'])
    const first = await stage.run('create-preview', { preview })
    stage.world.pullRequests.set(pullRequest, { files: other })
    const second = await stage.run('create-preview', { preview })
    expect(second.id).toBe(first.id)
    expect(second.idsOf('readChangedFiles')).toEqual([])
    const connected = await stage.run('get-connection', { given: {}, preview })
    expect(connected.id).toBe(first.id)
  })

  it('replaces a preview by reset-preview after any change', async () => {
    const stage = stageOf(['db/1.sql'])
    await stage.run('create-preview', { preview })
    stage.world.pullRequests.set(pullRequest, { files: other })
    const reset = await stage.run('reset-preview', { preview })
    expect(reset.outcome).toMatchObject({ created: true, deleted: true })
    expect(reset.idsOf('readChangedFiles')).toEqual([])
  })

  it('creates a preview with a warning if GitHub does not answer', async () => {
    const stage = stageOf(other)
    stage.onCall('readChangedFiles', () => new Error('3001 files, of which GitHub lists 3000'))
    const run = await stage.run('create-preview', { preview })
    expect(run.outcome).toMatchObject({ created: true })
    expect(run.warnings).toEqual([
      'it is unknown which files changed, so paths does not apply: 3001 files, of which GitHub lists 3000',
    ])
  })

  it('creates a preview for an entry of the merge queue without a question about files', async () => {
    const run = await stageOf(other).run('preview', { preview, event: queueEvent('a'.repeat(40)) })
    expect(run.outcome).toMatchObject({ created: true })
    expect(run.idsOf('readChangedFiles')).toEqual([])
  })

  it('ends get-connection at once if no changed file matches', async () => {
    const run = await stageOf(other).run('get-connection', { given: {}, preview })
    expect(run.outcome?.skipped).toContain('changes no file that matches paths')
  })

  it('plans nothing in a dry run if no changed file matches', async () => {
    const run = await stageOf(other).run('create-preview', { preview, settings: { dryRun: true } })
    expect(run.outcome?.skipped).toMatch(
      /^dry run: would create nothing, as pull request \d+ changes no file/,
    )
  })
})
