import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { previewBaseOf } from '#preview/base/name'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { openRepository, type Repository } from '../support/pull-request.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

let repository: Repository
let parent: string
beforeAll(async () => {
  // Nobody connects here: what counts is whose services are there in the end.
  repository = await openRepository({ databases: 'invented', readyAfter: 500, deleteAfter: 100 })
  const { outputs } = await repository.bench.done({ operation: 'create-service', name: 'production' })
  parent = outputs.service_id as string
})
afterAll(() => repository.stop())
beforeEach(() => {
  repository.bench.strike(() => undefined)
  repository.github.strike(() => undefined)
})

const services = () => {
  const { store } = repository.bench.emulator
  return store.call('list-services', { project_id: store.project.id }).body as Service[]
}
const alive = () => services().filter(({ status }) => status !== 'DELETING')
const exists = (id = '') => alive().some(({ service_id }) => service_id === id)

/** Somebody makes a service at the emulator itself, in the middle of a request. */
function somebodyMakes(name: string, environment_tag: 'DEV' | 'PROD' = 'DEV'): string {
  const { store } = repository.bench.emulator
  const given = { project_id: store.project.id, name, environment_tag }
  return (store.call('create-service', given).body as Service).service_id
}

const create = (number: number, inputs: Inputs = {}, options: Parameters<Repository['on']>[3] = {}) =>
  repository.on(
    'opened',
    number,
    {
      operation: 'create-preview',
      service_id: parent,
      fork_strategy: 'NOW',
      wait_for_connection: 'false',
      ...inputs,
    },
    options,
  )

const end = (inputs: Inputs, { state }: StepResult) =>
  repository.bench.step({ ...inputs, job_status: 'failure' }, { entry: 'post', state })

/** Befalls the first request of an operation only. */
function once(operation: string, fault: (request: FaultRequest) => Fault | undefined): void {
  let isLeft = true
  repository.bench.strike(request => {
    if (request.operation !== operation || !isLeft) return undefined
    isLeft = false
    return fault(request)
  })
}

describe('a preview and strangers', () => {
  it('leaves the PROD service alone that takes its name at the moment of a lost answer', async () => {
    const number = repository.github.openPullRequest()
    let stranger: string | undefined
    once('fork-service', ({ body }) => {
      const { name } = body as { name: string }
      stranger = somebodyMakes(`${previewBaseOf(name)}-strang`, 'PROD')
      return { kind: 'reset', when: 'after' }
    })
    const result = await create(number)
    expect(errorOf(result)).toContain(`service ${stranger} has the name of the preview`)
    expect((await end({ operation: 'create-preview', service_id: parent }, result)).exitCode).toBe(0)
    expect(exists(stranger)).toBe(true)
  })

  it('is left to the run that made it by the end of the job of another that was killed', async () => {
    const number = repository.github.openPullRequest()
    const inputs = { operation: 'create-preview', service_id: parent, fork_strategy: 'NOW' }
    let kill = (_: NodeJS.Signals) => {}
    once('fork-service', () => {
      kill('SIGKILL')
      return { kind: 'hang', when: 'before' }
    })
    const options = {
      onStart: (killer: typeof kill) => {
        kill = killer
      },
    }
    const killed = await create(number, {}, options)
    expect(killed.exitCode).toBe(137)
    const { outputs } = await create(number)
    await end(inputs, killed)
    expect(exists(outputs.service_id)).toBe(true)
  })

  it('is kept by a closing run whose pull request is opened again while it deletes', async () => {
    const number = repository.github.openPullRequest()
    const { outputs } = await create(number)
    const twin = outputs.name?.replace(/.{6}$/, 'twin00') as string
    const inputs = { operation: 'fork-service', service_id: parent, fork_strategy: 'NOW', name: twin }
    const { outputs: later } = await repository.bench.done(inputs)
    once('delete-service', () => {
      repository.github.reopenPullRequest(number)
      return undefined
    })
    const closing = { operation: 'delete-preview', service_id: parent }
    const result = await repository.on('closed', number, closing)
    expect(result.exitCode, result.stdout).toBe(0)
    expect(result.outputs).toMatchObject({ skipped: 'true', deleted_ids: outputs.service_id })
    expect(exists(later.service_id)).toBe(true)
  })
})

describe('one exact name, two jobs', () => {
  const inputs: Inputs = { operation: 'create-service', name: 'shared', cleanup: 'always' }

  it('names the single one that fits, sets no password, and does not delete it at the end', async () => {
    let other: string | undefined
    const mark = repository.bench.emulator.requests.length
    once('create-service', () => {
      other = somebodyMakes('shared')
      return { kind: 'reset', when: 'before' }
    })
    const result = await repository.bench.step(inputs)
    expect(errorOf(result)).toContain(
      `${other} has the name of service "shared", but another job may have created it, so its password is left as it is`,
    )
    expect(errorOf(result)).toContain('with a * in the name')
    expect(repository.bench.requested(mark)).not.toContain('update-password')
    expect(result.outputs.service_id).toBeUndefined()
    const post = await end(inputs, result)
    expect(errorOf(post)).toContain(
      `may have created service ${other} as service "shared", but its answer was lost`,
    )
    expect(exists(other)).toBe(true)
  })

  it('uses and deletes none of several', async () => {
    let other: string | undefined
    const name = 'contested'
    once('create-service', () => {
      other = somebodyMakes(name)
      return { kind: 'reset', when: 'after' }
    })
    const result = await repository.bench.step({ ...inputs, name })
    expect(errorOf(result)).toContain(`have the name of service "${name}"`)
    expect(errorOf(result)).toContain(other)
    const post = await end({ ...inputs, name }, result)
    expect(post.exitCode).toBe(1)
    expect(alive().filter(service => service.name === name)).toHaveLength(2)
  })

  it('has one database with a * in it, where a proxy sends one request twice', async () => {
    once('create-service', ({ body }) => {
      somebodyMakes((body as { name: string }).name)
      return undefined
    })
    const result = await repository.bench.done({ ...inputs, name: 'twice-*' })
    expect((await end({ ...inputs, name: 'twice-*' }, result)).exitCode).toBe(0)
    expect(alive().filter(({ name = '' }) => name.startsWith('twice-'))).toEqual([])
  })

  it('names both with a * in it, where a proxy sends one request twice and nobody cleans up', async () => {
    let other: string | undefined
    once('create-service', ({ body }) => {
      other = somebodyMakes((body as { name: string }).name)
      return undefined
    })
    const { stdout, outputs } = await repository.bench.done({ ...inputs, name: 'twice-*', cleanup: 'never' })
    expect(stdout).toMatch(
      new RegExp(`::warning title=[^:]*::.*beside ${outputs.service_id} there is ${other}`),
    )
  })

  it.each([400, 403, 404, 409, 422])(
    'has none with a * in it, where a %i follows although the request was processed',
    async status => {
      const body = { code: 'NO', message: 'no' }
      once('create-service', () => ({ kind: 'answer', when: 'after', status, body }))
      const refused = { ...inputs, name: `refused-${status}-*` }
      const result = await repository.bench.step(refused)
      expect(errorOf(result)).toContain(`failed with ${status} NO: no`)
      const named = () => alive().filter(({ name = '' }) => name.startsWith(`refused-${status}-`))
      expect(named()).toHaveLength(1)
      expect((await end(refused, result)).exitCode).toBe(0)
      expect(named()).toEqual([])
    },
  )

  it('has no doubt with a * in it', async () => {
    once('create-service', ({ body }) => {
      somebodyMakes((body as { name: string }).name.replace(/.{8}$/, 'another1'))
      return { kind: 'reset', when: 'after' }
    })
    const starred = { ...inputs, name: 'starred-*' }
    const result = await repository.bench.done(starred)
    expect(result.stdout).not.toContain('another job may')
    expect((await end(starred, result)).exitCode).toBe(0)
    expect(exists(result.outputs.service_id)).toBe(false)
    expect(alive().filter(({ name = '' }) => name.startsWith('starred-'))).toHaveLength(1)
  })
})

describe('lists that lag', () => {
  /** Lists as they were a while ago. */
  function lag(milliseconds: number): void {
    const past: { at: number; body: Service[] }[] = []
    repository.bench.strike(({ operation }) => {
      past.push({ at: repository.bench.now(), body: structuredClone(services()) })
      if (operation !== 'list-services') return undefined
      const body =
        past.findLast(({ at }) => at <= repository.bench.now() - milliseconds)?.body ?? past[0]?.body
      return { kind: 'answer', when: 'before', status: 200, body }
    })
  }

  it('do not keep three runs of one moment from one database', async () => {
    const number = repository.github.openPullRequest()
    lag(1500)
    // More than the lists really lag behind, as the default of 10 s is.
    const runs = await Promise.all([1, 2, 3].map(() => create(number, { list_lag: '3s' })))
    for (const run of runs) expect(run.exitCode, run.stdout).toBe(0)
    const [first] = runs
    for (const run of runs) expect(run.outputs.service_id).toBe(first?.outputs.service_id)
    const base = previewBaseOf(first?.outputs.name ?? '')
    expect(alive().filter(({ name = '' }) => previewBaseOf(name) === base)).toHaveLength(1)
  })
})

it('takes a service for its own although records and answers are dated by clocks far apart', async () => {
  const strike = (body: string) => body.replace(/"created":"[^"]+"/g, '"created":"2026-01-01T00:00:00Z"')
  repository.bench.strike(({ operation }) => {
    if (operation === 'create-service') return { kind: 'reset', when: 'after' }
    return operation === 'list-services'
      ? {
          kind: 'change',
          change: payload => ({ ...payload, body: strike(payload.body) }),
        }
      : undefined
  })
  const inputs = { operation: 'create-service', name: 'dated-*', cleanup: 'always' }
  const result = await repository.bench.done(inputs)
  expect((await end(inputs, result)).exitCode).toBe(0)
  expect(exists(result.outputs.service_id)).toBe(false)
})
