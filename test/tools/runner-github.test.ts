/** Tests the stand-in for GitHub that tours, pictures and the live check run previews against. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pullRequest, repository, startStandIn } from '../../tools/runner/github.ts'
import { openWorkbench } from '../support/workbench.ts'

test('keeps one comment on the pull request, from the first line to "ready"', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  const [bench, github] = await Promise.all([openWorkbench(), startStandIn()])
  onTestFinished(async () => {
    await Promise.all([bench.stop(), github.stop()])
    await rm(folder, { recursive: true, force: true })
  })
  const eventFile = join(folder, 'event.json')
  await writeFile(eventFile, JSON.stringify({ action: 'opened', pull_request: pullRequest, repository }))
  const environment = {
    ...{ GITHUB_API_URL: github.address, GITHUB_SERVER_URL: 'https://github.com' },
    ...{ GITHUB_REPOSITORY: repository.full_name, GITHUB_REPOSITORY_ID: String(repository.id) },
    ...{ GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: eventFile, GITHUB_RUN_ID: '20260131' },
  }
  const inputs = { operation: 'preview', empty: 'true', list_lag: '100ms' }
  const token = { github_token: 'ghs_0123456789abcdefABCDEF' }
  const { stdout } = await bench.done({ ...inputs, ...token }, { environment })
  expect(stdout.match(/^::warning.*$/gm) ?? []).toEqual([])
  expect(github.comment()).toContain('Preview database: ready')
})
