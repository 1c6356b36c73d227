/** Runs steps that read the account of the keys. */
import { expect, it } from 'vitest'
import { useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })

it('reads the details of the key', async () => {
  const { outputs } = await bench.runSuccessfully({ operation: 'get-auth-info' })
  expect(JSON.parse(outputs.result as string).apiKey).toMatchObject({ public_key: 'public-test' })
  expect(outputs.project_id).toBe(bench.emulator.store.project.id)
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
