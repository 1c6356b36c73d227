/** Runs steps with unwritable files of the runner. */
import { closeSync, openSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { useRepository } from '../support/pull-request.ts'
import { unwritable } from '../support/unwritable.ts'
import { errorOf, type Inputs } from '../support/workbench.ts'

const repository = useRepository({ databases: 'invented', readyAfter: 200 })
beforeEach(() => repository.bench.injectFaults(() => undefined))

let count = 0
const createAnother = (): Inputs => ({
  operation: 'create-service',
  name: `unwritable-${count++}`,
  cleanup: 'always',
})

/** The log after the runner has processed the masks. */
const shownBy = ({ stdout }: StepResult) => stdout.replace(/^::add-mask::.*$/gm, '')

async function names(): Promise<string[]> {
  const { outputs } = await repository.bench.runSuccessfully({ operation: 'list-services' })
  return (JSON.parse(outputs.result as string) as { name: string }[]).map(({ name }) => name)
}

describe('with a GITHUB_OUTPUT that is', () => {
  it.each(unwritable)(
    '%s, a created service is in log and state, and the post step deletes it',
    async (_, pathIn, reason) => {
      const inputs = createAnother()
      const mark = repository.bench.emulator.requests.length
      const result = await repository.bench.step(inputs, { environment: { GITHUB_OUTPUT: pathIn('/tmp') } })
      expect(result.exitCode).toBe(1)
      expect(errorOf(result)).toMatch(reason)
      expect(errorOf(result)).toContain('GITHUB_OUTPUT cannot be written')
      expect(shownBy(result)).not.toMatch(/defect of the action|set-output/)
      const { ids } = JSON.parse(result.state.created ?? '{}')
      expect(shownBy(result)).toContain(`create-service created ${ids.service_id}`)
      expect(errorOf(result)).toContain(`service ${ids.service_id}, whose id is in the log and the state`)
      expect(result.summary).toContain('create-service failed')
      // It is not waited for: later steps could not use it.
      expect(repository.bench.operationsSince(mark)).not.toContain('get-service')
      const end = await repository.bench.step(inputs, { entry: 'post', state: result.state })
      expect(end.exitCode).toBe(0)
      expect(await names()).not.toContain(inputs.name)
    },
  )

  it('full, the next run adopts the preview', async () => {
    const number = repository.github.openPullRequest()
    const inputs = { operation: 'preview', empty: 'true', wait_for_connection: 'false' }
    const failed = await repository.on('opened', number, inputs, {
      environment: { GITHUB_OUTPUT: '/dev/full' },
    })
    expect(failed.exitCode).toBe(1)
    expect(errorOf(failed)).toContain('run the step again: it continues with the existing preview')
    const { ids } = JSON.parse(failed.state.created ?? '{}')
    const again = await repository.on('synchronize', number, inputs)
    expect(again.outputs).toMatchObject({ service_id: ids.service_id, created: 'false' })
  })

  it('full, the read values are in the log and the summary', async () => {
    const inputs = { operation: 'list-services' }
    const result = await repository.bench.step(inputs, { environment: { GITHUB_OUTPUT: '/dev/full' } })
    expect(result.exitCode).toBe(1)
    expect(errorOf(result)).toMatch(
      /^list-services: done; \d+ in the list.*, but GITHUB_OUTPUT cannot be written/,
    )
    expect(result.summary).toContain('count')
  })
})

it('with a GITHUB_ENV that is full, the outputs are set and the step fails', async () => {
  const inputs = { ...createAnother(), export_env: 'true' }
  const result = await repository.bench.step(inputs, { environment: { GITHUB_ENV: '/dev/full' } })
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toMatch(
    /^create-service: done; service \w+ is READY.*, but GITHUB_ENV cannot be written/,
  )
  expect(result.outputs).toMatchObject({ status: 'READY', password: expect.stringMatching(/./) })
})

it('with a GITHUB_STEP_SUMMARY that is full, the step succeeds', async () => {
  const environment = { GITHUB_STEP_SUMMARY: '/dev/full' }
  const result = await repository.bench.runSuccessfully(createAnother(), { environment })
  expect(shownBy(result)).toMatch(/^::warning title=[^:]*::GITHUB_STEP_SUMMARY cannot be written \(ENOSPC/m)
})

describe('if the log has no reader', () => {
  const as = 'process'
  const services = { operation: 'list-services' }
  const refused = { operation: 'get-service', service_id: 'nobody' }

  it.each([
    ['a step that succeeds', services, 0],
    ['a step that fails', refused, 1],
  ])('since the reader is gone: %s ends as usual', async (_, inputs, exitCode) => {
    const result = await repository.bench.step(inputs, {
      as,
      onStart: (_, stopReading) => stopReading(),
    })
    expect(result).toMatchObject({ exitCode, stdout: '' })
    expect('count' in result.outputs).toBe(exitCode === 0)
    expect(result.summary).not.toBe('')
  })

  it('if the reader of the log leaves in the middle, the step finishes its work', async () => {
    let stop = () => {}
    const inputs = createAnother()
    const result = await repository.bench.step(inputs, {
      as,
      onStart: (_, stopReading) => {
        stop = stopReading
      },
      onLine: line => line.includes('create-service created') && stop(),
    })
    expect(result.exitCode).toBe(0)
    expect(result.outputs).toMatchObject({ status: 'READY', name: inputs.name })
    const end = await repository.bench.step(inputs, {
      as,
      entry: 'post',
      state: result.state,
      onStart: (_, stopReading) => stopReading(),
    })
    expect(end.exitCode).toBe(0)
    expect(await names()).not.toContain(inputs.name)
  })

  it.each([
    ['a step that succeeds', services, 0],
    ['a step that fails', refused, 1],
  ])('since its disk is full: %s ends as usual', async (_, inputs, exitCode) => {
    const outputFile = openSync('/dev/full', 'w')
    try {
      const result = await repository.bench.step(inputs, { as, outputFile })
      expect(result.exitCode).toBe(exitCode)
      expect('count' in result.outputs).toBe(exitCode === 0)
    } finally {
      closeSync(outputFile)
    }
  })
})
