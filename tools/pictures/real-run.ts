import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClusters } from '../../emulator/clusters/clusters.ts'
import { startEmulator } from '../../emulator/http/server.ts'
import { pullRequest, repository, startStandIn } from '../runner/github.ts'
import { runStep } from '../runner/run-step.ts'

/** What a pull request shows after a run, as Markdown. */
export interface Shown {
  comment: string
  /** The summary of the step. */
  summary: string
}

/** How long services take to get ready, in ms: enough for a chart worth looking at. */
const readyAfter = 9000

/** Opens a pull request against the emulator, with the committed action. */
export async function playRealRun(): Promise<Shown> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  const keys = { publicKey: 'PUBLICKEY0PICTURES', secretKey: 'only-for-pictures-of-the-emulator-0123456789' }
  const dataPlane = await openClusters({ root: tmpdir() })
  const emulator = await startEmulator({ ...keys, dataPlane, readyAfter, snapshotAfter: 0 })
  const github = await startStandIn()
  try {
    const eventFile = join(folder, 'event.json')
    await writeFile(eventFile, JSON.stringify({ action: 'opened', pull_request: pullRequest, repository }))
    const environment = {
      ...{ GITHUB_API_URL: github.address, GITHUB_SERVER_URL: 'https://github.com' },
      ...{ GITHUB_REPOSITORY: repository.full_name, GITHUB_REPOSITORY_ID: String(repository.id) },
      ...{ GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: eventFile, GITHUB_RUN_ID: '20260131' },
      ...{ GITHUB_ACTIONS: 'true', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    }
    const access = {
      base_url: emulator.baseUrl,
      public_key: keys.publicKey,
      secret_key: keys.secretKey,
      list_lag: '100ms',
    }
    const run = async (inputs: Record<string, string>) => {
      const step = await runStep({ inputs: { ...access, ...inputs }, environment })
      if (step.exitCode !== 0) throw new Error(`the step failed: ${step.stdout}${step.stderr}`)
      return step
    }
    const parent = await run({ operation: 'create-service', name: 'shop' })
    const { summary } = await run({
      ...{ operation: 'preview', service_id: parent.outputs.service_id ?? '' },
      ...{ fork_strategy: 'NOW', github_token: 'ghs_0123456789abcdefABCDEF', max_age: '336h' },
    })
    if (github.comment() === '') throw new Error('the step wrote no comment')
    return { comment: github.comment(), summary }
  } finally {
    await Promise.all([emulator.stop(), github.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}
