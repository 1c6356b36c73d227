/** Tests the example that prunes previews. */
import { beforeEach, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { hashRepository, renderPreviewBase } from '#preview/base/name'
import { useStage } from './support/setting.ts'

/** Previews are made in the past: prune keeps young ones. */
let ago = 0
const stage = useStage({ databases: 'invented', now: () => Date.now() - ago })

let open: Service
let closed: Service
let closedNumber: number

function createPreview(): { number: number; service: Service } {
  const number = stage.github.openPullRequest()
  const repositoryHash = hashRepository(stage.github.environment.GITHUB_REPOSITORY_ID, 'github.example')
  const base = renderPreviewBase({ prefix: 'preview', pullRequest: number, repositoryHash })
  const { store } = stage.bench.emulator
  const { body } = store.call('fork-service', {
    project_id: store.project.id,
    service_id: stage.parentId,
    fork_strategy: 'NOW',
    name: `${base}-made0${number % 10}`,
  })
  return { number, service: body as Service }
}

beforeEach(async () => {
  ago = 3_600_000
  if (open === undefined) open = createPreview().service
  const created = createPreview()
  closed = created.service
  closedNumber = created.number
  // Its event gets lost.
  stage.github.closePullRequest(closedNumber)
  ago = 0
})

const ids = async () => (await stage.others()).map(({ service_id }) => service_id).sort()

it.each([
  ...['examples/prune-previews.yml', 'examples/prune-in-ten-lines.yml', 'examples/preview.yml'],
  ...['examples/preview-in-ten-lines.yml', 'examples/hand-over.yml', 'examples/rehearse.yml'],
])('%s: deletes the preview of the closed pull request, and no other', async file => {
  expect(await ids()).toEqual([open.service_id, closed.service_id].sort())
  const jobs = await stage.run(file, { name: 'schedule', payload: {} })
  const prune = jobs.prune ?? jobs.preview
  expect(prune?.log.join('\n')).not.toContain('::warning')
  expect(prune?.result).toBe('success')
  expect(await ids()).toEqual([open.service_id])
  for (const job of [jobs.test, jobs.rehearse, jobs.report]) expect(job?.result ?? 'skipped').toBe('skipped')
  const outputs = prune?.steps.map(step => step.outputs)
  expect(outputs).toContainEqual(
    expect.objectContaining({ deleted_ids: closed.service_id, kept_ids: open.service_id }),
  )
})

it('examples/prune-previews.yml: started by hand, it is a dry run by default', async () => {
  const start = (dry_run: boolean) =>
    stage.run('examples/prune-previews.yml', { name: 'workflow_dispatch', payload: { inputs: { dry_run } } })
  const { prune } = await start(true)
  expect(prune?.result).toBe('success')
  expect(await ids()).toEqual([open.service_id, closed.service_id].sort())
  await start(false)
  expect(await ids()).toEqual([open.service_id])
})
