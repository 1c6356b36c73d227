/** Runs steps against a hostile API. */
import { access } from 'node:fs/promises'
import { beforeEach, describe, expect, it, test } from 'vitest'
import type { Fault } from '../../emulator/http/faults/faults.ts'
import { answer, onOperations } from '../support/api-faults.ts'
import { worstTexts } from '../support/hostile-text.ts'
import { expectOnlyActionCommands } from '../support/runner-view.ts'
import { errorOf, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })
beforeEach(() => bench.injectFaults(() => undefined))

/** Answers every request for these operations. */
const answering = (answers: Record<string, Fault>) => bench.injectFaults(onOperations(answers))

/** The texts in groups, each for one step. */
const groups = Array.from({ length: Math.ceil(worstTexts.length / 6) }, (_, index) => {
  const texts = worstTexts.slice(index * 6, index * 6 + 6)
  return [index + 1, (field: number) => texts[field % texts.length] ?? ''] as const
})

const get = { operation: 'get-service', project_id: 'em00000001', service_id: 's1' }

describe('the runner receives only commands of the action from', () => {
  test.each(groups)('an error of the API (%i)', async (_, text) => {
    const body = {
      code: text(0),
      message: text(1),
      details: { [text(2)]: [text(3), { [text(4)]: text(5) }] },
    }
    answering({ 'get-service': answer(400, body) })
    const result = await bench.step(get)
    expect(result.exitCode).toBe(1)
    expectOnlyActionCommands(result, 1)
  })

  test.each(groups)('a record (%i)', async (_, text) => {
    const record = {
      service_id: text(0),
      name: text(1),
      status: text(2),
      region_code: text(3),
      created: text(4),
      initial_password: `${text(5)}secret`,
      endpoint: { host: text(5), port: 5432 },
      metadata: { environment: text(4) },
      [text(3)]: text(2),
    }
    // An answer about another id than the one asked for would be no answer.
    const asked = { ...record, service_id: get.service_id }
    answering({ 'get-service': answer(200, asked), 'list-services': answer(200, [record, record]) })
    for (const operation of ['get-service', 'list-services']) {
      const result = await bench.step({ ...get, operation })
      expect(result.exitCode, result.stdout).toBe(0)
      expectOnlyActionCommands(result, 0)
      const { result: json = '' } = result.outputs
      expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(text(1)))
    }
  })

  test.each(groups)('a wait that fails, with the lines of a log (%i)', async (_, text) => {
    const record = { service_id: 's1', name: text(0), status: text(1), initial_password: `${text(2)}long` }
    const entries = [{ timestamp: text(3), severity: text(4), message: text(5) }]
    answering({
      'create-service': answer(202, record),
      'get-service': answer(200, record),
      'get-service-logs': answer(200, { logs: [text(4), text(5)], entries }),
    })
    const result = await bench.step({ operation: 'create-service', name: 'a', wait_timeout: '1s' })
    expect(result.exitCode).toBe(1)
    expectOnlyActionCommands(result, 1)
    const state = Object.values(result.state).join()
    expect(state).not.toContain(JSON.stringify(record.initial_password))
  })

  it('all of them, and no shell starts', async () => {
    await expect(access('/tmp/evil')).rejects.toThrow()
  })
})

describe('a malformed id from the server', () => {
  const dangerous = ['../../x', 'a\r\nhost: evil', '']

  test.each(dangerous)('is reported and saved, and not part of a path: %j', async id => {
    const mark = bench.emulator.requests.length
    answering({ 'create-service': answer(202, { service_id: id, status: 'QUEUED' }) })
    const result = await bench.step({ operation: 'create-service', name: 'a', cleanup: 'always' })
    expect(result.exitCode).toBe(1)
    expectOnlyActionCommands(result, 1)
    expect(errorOf(result)).toMatch(/service_id is not an id and must not enter the path .* — report this id/)
    const { created = '{}' } = result.state
    expect(JSON.parse(created)).toMatchObject({ ids: { service_id: id } })
    const post = await bench.step(
      { operation: 'create-service', name: 'a', cleanup: 'always' },
      { entry: 'post', state: result.state },
    )
    expect(errorOf(post)).toContain('is not an id and must not enter the path')
    expect(bench.operationsSince(mark)).toEqual(['get-auth-info', 'list-services', 'create-service'])
  })
})

describe('hostile JSON', () => {
  it('is read if it is only long: a list of 130,000 VPCs', async () => {
    const vpcs = Array.from({ length: 130_000 }, (_, index) => ({ id: `${index}` }))
    answering({ 'list-vpcs': answer(200, vpcs) })
    const result = await bench.runSuccessfully({ operation: 'list-vpcs' })
    expect(result.outputs.count).toBe('130000')
    expectOnlyActionCommands(result, 0)
  })

  it('is refused as an input', async () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    const result = await bench.step({ operation: 'track-event', event: 'a', properties: deep })
    expect(errorOf(result)).toMatch(/^properties: expected a JSON object, got /)
    expectOnlyActionCommands(result, 1)
  })
})
