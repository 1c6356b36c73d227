import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refuse } from '../support/github/answer.ts'
import { tokens } from '../support/github/tokens.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

let repository: Repository
let parent: string
let hash: string
beforeAll(async () => {
  repository = await openRepository({ databases: 'invented', readyAfter: 200, deleteAfter: 100 })
  const { outputs } = await repository.bench.done({ operation: 'create-service', name: 'production' })
  parent = outputs.service_id as string
  const { outputs: first } = await createPreview()
  hash = first.name?.split('-').at(-2) as string
})
afterAll(() => repository.stop())
beforeEach(() => {
  repository.bench.strike(() => undefined)
  repository.github.strike(() => undefined)
})

async function createPreview(inputs: Inputs = {}) {
  const number = repository.github.openPullRequest()
  const settings = {
    operation: 'create-preview',
    service_id: parent,
    fork_strategy: 'NOW',
    wait_for_connection: 'false',
  }
  const result = await repository.on('opened', number, { ...settings, ...inputs })
  expect(result.exitCode, result.stdout).toBe(0)
  return { number, outputs: result.outputs, service_id: result.outputs.service_id as string }
}

const remove = (number: number, inputs: Inputs = {}) =>
  repository.on('closed', number, { operation: 'delete-preview', service_id: parent, ...inputs })

const exists = async (id: string) => (await repository.services()).some(({ service_id }) => service_id === id)

describe('delete-preview', () => {
  it('keeps the preview of a pull request that was opened again before the run for its closing came', async () => {
    const { number, service_id } = await createPreview()
    repository.github.reopenPullRequest(number)
    const late = await repository.on(
      'closed',
      number,
      { operation: 'delete-preview', service_id: parent },
      { isLate: true },
    )
    expect(late.exitCode, late.stdout).toBe(0)
    expect(late.outputs).toMatchObject({ skipped: 'true', deleted: 'false' })
    expect(late.stdout).toContain('is open again')
    expect(await exists(service_id)).toBe(true)
  })

  it('deletes all twins', async () => {
    const { number, outputs, service_id } = await createPreview()
    const twin = await repository.bench.done({
      operation: 'fork-service',
      service_id: parent,
      fork_strategy: 'NOW',
      name: (outputs.name as string).replace(/.{6}$/, 'twin00'),
    })
    const result = await remove(number)
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs.deleted_ids?.split(',').sort()).toEqual(
      [service_id, twin.outputs.service_id].sort(),
    )
    expect(await exists(service_id)).toBe(false)
  })

  it.each<[string, (id: string) => Promise<unknown>, string]>([
    [
      'tagged PROD',
      id => repository.bench.done({ operation: 'set-environment', service_id: id, environment: 'PROD' }),
      'it is tagged PROD',
    ],
    ['forked from another parent', async () => {}, 'it is no fork of otherparent'],
  ])('leaves one alone that is %s, and fails', async (_, change, reason) => {
    const { number, service_id } = await createPreview()
    await change(service_id)
    const result = await remove(number, reason.includes('otherparent') ? { service_id: 'otherparent' } : {})
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain(reason)
    expect(await exists(service_id)).toBe(true)
  })

  it.each([401, 403])('fails on %i: nobody may take that for "nothing there"', async status => {
    const { number } = await createPreview()
    repository.bench.strike(() => ({
      kind: 'answer',
      when: 'before',
      status,
      body: { code: 'NO', message: 'no' },
    }))
    const result = await remove(number)
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toContain(String(status))
  })

  it('succeeds with deleted=false where there is nothing, and writes no comment', async () => {
    const number = repository.github.openPullRequest()
    const result = await remove(number)
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs.deleted).toBe('false')
    expect(repository.github.commentsOf(number)).toEqual([])
  })
})

describe('prune-previews', () => {
  const prune = (inputs: Inputs = {}) =>
    repository.onEvent('schedule', {
      operation: 'prune-previews',
      service_id: parent,
      min_age: '1ms',
      ...inputs,
    })

  it('deletes what is closed, keeps what is open, foreign or tagged PROD', async () => {
    const [closed, open, tagged] = [await createPreview(), await createPreview(), await createPreview()]
    await repository.bench.done({
      operation: 'set-environment',
      service_id: tagged.service_id,
      environment: 'PROD',
    })
    const foreign = await repository.bench.done({
      operation: 'fork-service',
      service_id: parent,
      fork_strategy: 'NOW',
      name: `preview-pr-${closed.number}-ffffffff-abc123`,
    })
    for (const { number } of [closed, tagged]) repository.github.closePullRequest(number)
    const result = await prune()
    expect(result.exitCode, result.stdout).toBe(0)
    // Others of this file are left over, closed by now.
    expect(result.outputs.deleted_ids?.split(',')).toContain(closed.service_id)
    for (const { service_id } of [open, tagged]) expect(await exists(service_id)).toBe(true)
    expect(await exists(foreign.outputs.service_id as string)).toBe(true)
    expect(result.summary).toContain('its pull request is closed')
  })

  it('deletes at most max_deletions, the oldest first, and goes on with the rest next time', async () => {
    const previews = [await createPreview(), await createPreview(), await createPreview()]
    for (const { number } of previews) repository.github.closePullRequest(number)
    const first = await prune({ max_deletions: '2' })
    expect(first.outputs.deleted_ids).toBe([previews[0]?.service_id, previews[1]?.service_id].join(','))
    expect(first.summary).toContain('but max&#95;deletions is 2')
    expect((await prune()).outputs.deleted_ids).toBe(previews[2]?.service_id)
  })

  it('keeps the preview of a pull request that is opened again while it works', async () => {
    const previews = [await createPreview(), await createPreview()]
    const [first, second] = previews as [(typeof previews)[0], (typeof previews)[0]]
    for (const { number } of previews) repository.github.closePullRequest(number)
    let asked = 0
    repository.github.strike(({ route, path }) => {
      // The second question about the pull request is the last look before the delete.
      if (route?.startsWith('GET') && path.endsWith(`/pulls/${second.number}`) && ++asked === 2)
        repository.github.reopenPullRequest(second.number)
      return undefined
    })
    const result = await prune({ max_deletions: '999' })
    expect(result.outputs.deleted_ids?.split(',')).toContain(first.service_id)
    expect(await exists(second.service_id)).toBe(true)
    expect(result.summary).toContain('its pull request is open now')
  })

  it('asks again where a service may not be deleted just now', async () => {
    const { number, service_id } = await createPreview()
    let refusals = 1
    repository.bench.strike(({ operation }) =>
      operation === 'delete-service' && refusals-- > 0
        ? {
            kind: 'answer',
            when: 'before',
            status: 409,
            body: { code: 'CONFLICT', message: 'being changed' },
          }
        : undefined,
    )
    expect((await remove(number, { wait: 'false' })).outputs.deleted).toBe('true')
    expect(
      (await repository.services()).find(found => found.service_id === service_id)?.status ?? 'gone',
    ).toMatch(/DELETING|gone/)
  })

  it('keeps what is young', async () => {
    const { number, service_id } = await createPreview()
    repository.github.closePullRequest(number)
    expect((await prune({ min_age: '' })).outputs.deleted).toBe('false')
    expect(await exists(service_id)).toBe(true)
  })

  it('deletes what is too old, also of open pull requests', async () => {
    const { service_id } = await createPreview()
    const result = await prune({ max_age: '1ms', max_deletions: '999' })
    expect(result.outputs.deleted_ids?.split(',')).toContain(service_id)
  })

  it.each([
    ['an error of GitHub', refuse(502, 'Server Error')],
    ['a missing permission', refuse(403, 'Resource not accessible by integration')],
    ['a bad token', refuse(401, 'Bad credentials')],
  ])('keeps everything on %s', async (_, answer) => {
    const { number, service_id } = await createPreview()
    repository.github.closePullRequest(number)
    repository.github.strike(() => ({ kind: 'answer', answer }))
    const result = await prune()
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.stdout).toContain('::warning::all previews are kept')
    expect(result.outputs.deleted).toBe('false')
    expect(await exists(service_id)).toBe(true)
  })

  it('goes on past a delete that fails, and fails at the end', async () => {
    const [stuck, other] = [await createPreview(), await createPreview()]
    for (const { number } of [stuck, other]) repository.github.closePullRequest(number)
    repository.bench.strike(({ operation, path }) =>
      operation === 'delete-service' && path.includes(stuck.service_id)
        ? { kind: 'answer', when: 'before', status: 403, body: { code: 'FORBIDDEN', message: 'locked' } }
        : undefined,
    )
    const result = await prune({ max_deletions: '999' })
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toMatch(/1 of \d+ previews could not be deleted/)
    expect(result.outputs.deleted_ids?.split(',')).toContain(other.service_id)
    expect(await exists(stuck.service_id)).toBe(true)
  })
})

describe('get-connection', () => {
  it('gives host and port of any service, says that the password is not known, and changes nothing', async () => {
    const mark = repository.bench.emulator.requests.length
    const result = await repository.onEvent('push', {
      operation: 'get-connection',
      service_id: parent,
      wait_for_connection: 'false',
    })
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs.password).toBeUndefined()
    expect(result.outputs.database_url).toBe(
      `postgresql://tsdbadmin@${result.outputs.host}:${result.outputs.port}/tsdb?sslmode=require`,
    )
    expect(result.stdout).toContain('its password is not known here')
    expect(new Set(repository.bench.emulator.requests.slice(mark).map(({ method }) => method))).toEqual(
      new Set(['GET']),
    )
  })

  it('fails where there is no preview', async () => {
    const number = repository.github.openPullRequest()
    const result = await repository.on('synchronize', number, { operation: 'get-connection' })
    expect(errorOf(result)).toMatch(
      new RegExp(`there is no preview preview-pr-${number}-${hash}.*run create-preview first`),
    )
  })
})

describe('the edges of a workflow', () => {
  const create = { operation: 'create-preview', wait_for_connection: 'false' }

  it.each([
    ['a pull request from a fork', { GITHUB_ACTOR: 'stranger' }, true],
    ['Dependabot', { GITHUB_ACTOR: 'dependabot[bot]' }, false],
  ])('skips %s without secrets, with a notice and no request', async (_, environment, fromFork) => {
    const number = repository.github.openPullRequest({ fromFork })
    const mark = repository.bench.emulator.requests.length
    const result = await repository.on(
      'opened',
      number,
      { ...create, api_key: '' },
      { environment, fromFork },
    )
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs.skipped).toBe('true')
    expect(result.stdout).toContain('::notice::skipped')
    expect(repository.bench.requested(mark)).toEqual([])
  })

  it('fails without secrets anywhere else', async () => {
    const number = repository.github.openPullRequest()
    const result = await repository.on('opened', number, { ...create, api_key: '' })
    expect(errorOf(result)).toContain('secret_key: expected a key')
  })

  it('makes the preview although the comment may not be written', async () => {
    const number = repository.github.openPullRequest()
    const result = await repository.on('opened', number, { ...create, github_token: tokens.readOnly })
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.stdout).toMatch(/::warning::the comment on pull request \d+ is not written/)
    expect(result.outputs.status).toBe('READY')
  })

  it('fails on an event that a preview does not have, listing those it has', async () => {
    const result = await repository.onEvent('push', { operation: 'preview' })
    expect(errorOf(result)).toMatch(
      /the event push.*pull_request \(opened, reopened, synchronize, ready_for_review, closed\), schedule/,
    )
  })
})
