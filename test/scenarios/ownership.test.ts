/** Runs steps beside services of other owners. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { previewBaseOf } from '#preview/base/name'
import type { Fault, FaultRequest } from '../../emulator/http/faults/faults.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { answer } from '../support/api-faults.ts'
import { type Repository, useRepository } from '../support/pull-request.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 500, deleteAfter: 100 })
let parent: string
beforeAll(async () => {
  // No test connects to the databases: only the remaining services count.
  const { outputs } = await repository.bench.runSuccessfully({
    operation: 'create-service',
    name: 'production',
  })
  parent = outputs.service_id as string
})
beforeEach(() => {
  repository.bench.injectFaults(() => undefined)
  repository.github.injectFaults(() => undefined)
})

const services = () => {
  const { store } = repository.bench.emulator
  return store.call('list-services', { project_id: store.project.id }).body as Service[]
}
const alive = () => services().filter(({ status }) => status !== 'DELETING')
const exists = (id = '') => alive().some(({ service_id }) => service_id === id)

/** Another client creates a service at the emulator, in the middle of a request. */
function createByOther(name: string, environment_tag: 'DEV' | 'PROD' = 'DEV'): string {
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
  repository.bench.injectFaults(request => {
    if (request.operation !== operation || !isLeft) return undefined
    isLeft = false
    return fault(request)
  })
}

describe('a preview and strangers', () => {
  it('ignores a PROD service that takes its name during a lost answer', async () => {
    const number = repository.github.openPullRequest()
    let stranger: string | undefined
    once('fork-service', ({ body }) => {
      const { name } = body as { name: string }
      stranger = createByOther(`${previewBaseOf(name)}-strang`, 'PROD')
      return { kind: 'reset', when: 'after' }
    })
    const result = await create(number)
    expect(errorOf(result)).toContain(`service ${stranger} has the name of the preview`)
    expect((await end({ operation: 'create-preview', service_id: parent }, result)).exitCode).toBe(0)
    expect(exists(stranger)).toBe(true)
  })

  it('is not deleted by the post step of another, killed run', async () => {
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
})

describe('lists that lag', () => {
  /** Lists as they were a while ago. */
  function lag(milliseconds: number): void {
    const past: { at: number; body: Service[] }[] = []
    repository.bench.injectFaults(({ operation }) => {
      past.push({ at: repository.bench.now(), body: structuredClone(services()) })
      if (operation !== 'list-services') return undefined
      const body =
        past.findLast(({ at }) => at <= repository.bench.now() - milliseconds)?.body ?? past[0]?.body
      return answer(200, body)
    })
  }

  it('do not keep three simultaneous runs from one database', async () => {
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
