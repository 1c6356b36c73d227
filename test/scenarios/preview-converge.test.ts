import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { previewBaseOf } from '../../src/preview/name.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'
import type { PullRequestAction } from '../support/github/pull-request-event.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

let repository: Repository
let parent: string
beforeAll(async () => {
  // Nobody connects here: what counts is which services there are in the end.
  repository = await openRepository({ databases: 'invented' })
  parent = await createService('production')
})
afterAll(() => repository.stop())
beforeEach(() => repository.bench.strike(() => undefined))

async function createService(name: string, inputs: Inputs = {}): Promise<string> {
  const { outputs } = await repository.bench.done({ operation: 'create-service', name, ...inputs })
  return outputs.service_id as string
}

function create(action: PullRequestAction, number: number, inputs: Inputs = {}) {
  const settings = {
    operation: 'create-preview',
    service_id: parent,
    fork_strategy: 'NOW',
    wait_for_connection: 'false',
  }
  return repository.on(action, number, { ...settings, ...inputs })
}

async function createDone(number: number, inputs: Inputs = {}): Promise<Record<string, string>> {
  const result = await create('opened', number, inputs)
  expect(result.exitCode, result.stdout).toBe(0)
  return result.outputs
}

const listed = async (name = '') =>
  (await repository.services()).filter(service => previewBaseOf(service.name) === previewBaseOf(name))
/** Another database of the same preview, as a run of the same moment would make it. */
const twinOf = (name: string) => `${previewBaseOf(name)}-twin00`
const calls = (mark: number, operation: string) =>
  repository.bench.requested(mark).filter(found => found === operation).length

describe('create-preview', { concurrent: false }, () => {
  const rounds = Number(process.env.CONVERGE_ROUNDS ?? 3)
  it(`ends with one database and the same outputs when two run at once, ${rounds} times of ${rounds}`, async () => {
    for (let round = 0; round < rounds; round++) {
      const number = repository.github.openPullRequest()
      const [one, other] = (await Promise.all([create('opened', number), create('synchronize', number)])) as [
        StepResult,
        StepResult,
      ]
      expect([one.exitCode, other.exitCode], one.stdout + other.stdout).toEqual([0, 0])
      for (const name of ['service_id', 'host', 'port', 'password', 'database_url'])
        expect(other.outputs[name]).toBe(one.outputs[name])
      expect(await listed(one.outputs.name)).toEqual([
        expect.objectContaining({ service_id: one.outputs.service_id }),
      ])
    }
  })

  it('starts a paused preview', async () => {
    const number = repository.github.openPullRequest()
    const { service_id = '' } = await createDone(number)
    await repository.bench.done({ operation: 'stop-service', service_id })
    const outputs = await createDone(number)
    expect(outputs).toMatchObject({ service_id, status: 'READY', created: 'false', changed: 'true' })
  })

  it('adopts one that is still on its way', async () => {
    const number = repository.github.openPullRequest()
    const { name = '', service_id: first = '' } = await createDone(number)
    await repository.bench.done({ operation: 'delete-service', service_id: first })
    const service_id = (
      await repository.bench.done({
        operation: 'fork-service',
        service_id: parent,
        fork_strategy: 'NOW',
        name,
        wait: 'false',
      })
    ).outputs.service_id
    const mark = repository.bench.emulator.requests.length
    expect(await createDone(number)).toMatchObject({ service_id, status: 'READY', created: 'false' })
    expect(calls(mark, 'fork-service')).toBe(0)
  })

  it('waits for one being deleted, then makes another', async () => {
    const number = repository.github.openPullRequest()
    const { service_id = '' } = await createDone(number)
    await repository.bench.done({ operation: 'delete-service', service_id, wait: 'false' })
    const outputs = await createDone(number)
    expect(outputs.created).toBe('true')
    expect(outputs.service_id).not.toBe(service_id)
    expect(await listed(outputs.name)).toHaveLength(1)
  })

  it('keeps the oldest of twins', async () => {
    const number = repository.github.openPullRequest()
    const { name = '', service_id } = await createDone(number)
    await repository.bench.done({
      operation: 'fork-service',
      service_id: parent,
      fork_strategy: 'NOW',
      name: twinOf(name),
    })
    expect(await createDone(number)).toMatchObject({ service_id })
    expect((await listed(name)).filter(({ status }) => status !== 'DELETING')).toEqual([
      expect.objectContaining({ service_id }),
    ])
  })

  it("leaves somebody else's service of the name alone, and fails", async () => {
    const number = repository.github.openPullRequest()
    const { name = '', service_id = '' } = await createDone(number)
    await repository.bench.done({ operation: 'set-environment', service_id, environment: 'PROD' })
    const mark = repository.bench.emulator.requests.length
    const result = await create('synchronize', number)
    expect(errorOf(result)).toContain(
      `has the name of the preview ${previewBaseOf(name)}, but it is tagged PROD`,
    )
    expect(calls(mark, 'update-password') + calls(mark, 'fork-service')).toBe(0)
  })

  it('falls back to NOW, with a warning, where there is no snapshot yet', async () => {
    const number = repository.github.openPullRequest()
    repository.bench.strike(({ operation, body }) =>
      operation === 'fork-service' && (body as { fork_strategy: string }).fork_strategy === 'LAST_SNAPSHOT'
        ? {
            kind: 'answer',
            when: 'before',
            status: 400,
            body: { code: 'X', message: "the service doesn't yet have any backups or snapshots available" },
          }
        : undefined,
    )
    const result = await create('opened', number, { fork_strategy: '' })
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.stdout).toMatch(/::warning::.*no snapshot to fork from yet/)
  })

  it('makes an empty one where no parent is given, always DEV', async () => {
    const number = repository.github.openPullRequest()
    const outputs = await createDone(number, { service_id: '', fork_strategy: '', addons: 'time-series' })
    expect(outputs).toMatchObject({ service_type: 'TIMESERIESDB', environment: 'DEV', created: 'true' })
  })

  it('refuses a closed pull request, and succeeds', async () => {
    const number = repository.github.openPullRequest()
    repository.github.closePullRequest(number)
    const mark = repository.bench.emulator.requests.length
    const result = await create('synchronize', number)
    expect(result.exitCode).toBe(0)
    expect(result.outputs.skipped).toBe('true')
    expect(calls(mark, 'fork-service')).toBe(0)
  })

  it('deletes its own again where the pull request is closed meanwhile', async () => {
    const number = repository.github.openPullRequest()
    const result = await repository.on(
      'opened',
      number,
      { operation: 'create-preview', service_id: parent, fork_strategy: 'NOW', wait_for_connection: 'false' },
      { onLine: line => line.includes('CONFIGURING') && repository.github.closePullRequest(number) },
    )
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs).toMatchObject({ skipped: 'true', deleted: 'true' })
    expect(
      (await repository.services()).filter(({ name }) => name.startsWith(`preview-pr-${number}-`)),
    ).toEqual([])
  })

  it('says so where somebody deletes it during the wait', async () => {
    const number = repository.github.openPullRequest()
    const result = await repository.on(
      'opened',
      number,
      { operation: 'create-preview', service_id: parent, fork_strategy: 'NOW', wait_for_connection: 'false' },
      {
        onLine(line) {
          // In the emulator itself: a request would race READY.
          const service_id = /service (\w+) is (?:QUEUED|CONFIGURING)/.exec(line)?.[1]
          const { store } = repository.bench.emulator
          if (service_id) store.call('delete-service', { project_id: store.project.id, service_id })
        },
      },
    )
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain('was deleted while it was being made')
    expect(repository.github.commentsOf(number)[0]?.body).toContain('Preview database: failed')
  })

  it.each<[string, Inputs, string]>([
    ['a parent that does not exist', { service_id: 'nosuchparent' }, '404'],
    [
      'a name that is not of our grammar',
      { preview_name: 'production' },
      'preview_name: expected a name like',
    ],
    [
      'the name of another repository',
      { preview_name: 'preview-pr-1-ffffffff' },
      "is not a preview's name of this repository",
    ],
    ['a pull request that is not there', { pull_request: '9999' }, 'there is no pull request 9999'],
  ])('fails with %s', async (_, inputs, expected) => {
    const number = repository.github.openPullRequest()
    const result = await create('opened', number, inputs)
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain(expected)
  })

  it('fails where the event has no pull request and none is given', async () => {
    const result = await repository.onEvent('push', { operation: 'create-preview', service_id: parent })
    expect(errorOf(result)).toContain('the event push has no pull request, and none is given')
  })

  it('refuses cleanup: a preview is of its pull request, not of one job', async () => {
    const number = repository.github.openPullRequest()
    const mark = repository.bench.emulator.requests.length
    const result = await create('opened', number, { cleanup: 'always' })
    expect(errorOf(result)).toContain(
      'cleanup: not for create-preview; a preview belongs to its pull request',
    )
    expect(repository.bench.requested(mark)).toEqual([])
  })
})
