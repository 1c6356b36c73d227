import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from './support/setting.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.stop())

const push = { name: 'push' as const, payload: {} }
const run = async (environment?: Record<string, string>) =>
  (await stage.run('examples/ephemeral-database.yml', push, environment)).test

it('examples/ephemeral-database.yml: a database for the steps of the job, gone at its end', async () => {
  const mark = stage.bench.emulator.requests.length
  const job = await run()
  expect(job?.result).toBe('success')
  expect(job?.log).toContain('1\ttea')
  expect(stage.bench.requested(mark)).toEqual(expect.arrayContaining(['create-service', 'delete-service']))
  expect(await stage.others()).toEqual([])
})

it('examples/ephemeral-database.yml: gone also when a step fails', async () => {
  const job = await run({ PGOPTIONS: '-c default_transaction_read_only=on' })
  expect(job?.steps.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'failure', 'skipped'])
  expect(job?.result).toBe('failure')
  expect(job?.log.join('\n')).toContain('read-only transaction')
  expect(await stage.others()).toEqual([])
})
