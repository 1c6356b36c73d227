/** Runs steps that read the account of the keys. */
import { expect, it } from 'vitest'
import { useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })

it('reads the details of the key', async () => {
  const { outputs } = await bench.runSuccessfully({ operation: 'get-auth-info' })
  expect(JSON.parse(outputs.result as string).apiKey).toMatchObject({ public_key: 'public-test' })
  expect(outputs.project_id).toBe(bench.emulator.store.project.id)
})

it('ends the session at the service', async () => {
  const { outputs } = await bench.runSuccessfully({ operation: 'log-out' })
  expect(outputs.deleted).toBe('false')
})

it('lists the projects of the key', async () => {
  const { outputs } = await bench.runSuccessfully({ operation: 'list-projects' })
  expect(outputs).toMatchObject({ count: '1', project_id: bench.emulator.store.project.id })
})

it('identifies a user and tracks an event', async () => {
  const identified = await bench.runSuccessfully({
    operation: 'identify-user',
    properties: '{"team": "shop"}',
  })
  expect(JSON.parse(identified.outputs.result as string)).toHaveProperty('status')
  const tracked = await bench.runSuccessfully({
    operation: 'track-event',
    event: 'deployed',
    properties: '{"version": 7}',
  })
  expect(JSON.parse(tracked.outputs.result as string)).toHaveProperty('status')
})

it('accepts the keys in one input or in two', async () => {
  const { exitCode } = await bench.step({
    operation: 'list-services',
    api_key: '',
    public_key: 'public-test',
    secret_key: bench.secretKey,
  })
  expect(exitCode).toBe(0)
})
