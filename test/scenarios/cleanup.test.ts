/** Runs post steps that delete records. */
import { beforeEach, expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { type Inputs, openWorkbench, query, type StepRunner, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench({ databases: 'invented' })
beforeEach(() => bench.injectFaults(() => undefined))

const create = (name: string, cleanup: string): Inputs => ({
  operation: 'create-service',
  name,
  cleanup,
  wait_for_connection: 'false',
})

/** Kills the step once its creating request is at the server, which processes it or not, and never answers. */
async function killedBeforeTheAnswer(
  inputs: Inputs,
  when: 'before' | 'after' = 'after',
  as: StepRunner = 'in-process',
): Promise<StepResult> {
  let kill = (_: NodeJS.Signals) => {}
  bench.injectFaults(({ operation }) => {
    if (operation !== 'create-service') return undefined
    kill('SIGKILL')
    return { kind: 'hang', when }
  })
  const result = await bench.step(inputs, {
    as,
    onStart: killer => {
      kill = killer
    },
  })
  bench.injectFaults(() => undefined)
  return result
}

/** The post step, for a step that ran with these inputs and left this state. */
const post = (inputs: Inputs, { state }: StepResult, job_status: string) =>
  bench.step({ ...inputs, job_status }, { entry: 'post', state })

async function names(): Promise<string[]> {
  const { outputs } = await bench.runSuccessfully({ operation: 'list-services' })
  return (JSON.parse(outputs.result as string) as { name: string }[]).map(({ name }) => name)
}

it('deletes the database in the post step', async () => {
  const real = await openWorkbench({ steps: 'process' })
  try {
    const inputs = { ...create('real', 'on-failure'), wait_for_connection: 'true' }
    const result = await real.runSuccessfully(inputs)
    const connect = () => query(result.outputs.database_url, 'select 1 as one')
    const endAfter = (job_status: string) =>
      real.runSuccessfully({ ...inputs, job_status }, { entry: 'post', state: result.state })
    await endAfter('success')
    expect(await connect()).toEqual([{ one: 1 }])
    await endAfter('failure')
    await expect(connect()).rejects.toThrow('ECONNREFUSED')
  } finally {
    await real.stop()
  }
})

it('finds a created record by its own name if the id is unknown', async () => {
  const inputs = create('own-*', 'always')
  const result = await killedBeforeTheAnswer(inputs, 'after', 'process')
  expect(result.exitCode).toBe(137)
  expect(result.state.created).toBeUndefined()
  const [, name] = /creating service "(own-\w{8})"$/m.exec(result.stdout) ?? []
  expect(await names()).toContain(name)
  await bench.runSuccessfully(create('own-other', 'never'))
  expect((await post(inputs, result, 'failure')).exitCode).toBe(0)
  expect(await names()).not.toContain(name)
  expect(await names()).toContain('own-other')
})

it('exports the connection for later steps', async () => {
  const { environment, outputs } = await bench.runSuccessfully({
    ...create('exported', 'never'),
    export_env: 'true',
  })
  expect(environment).toEqual({
    PGHOST: outputs.host,
    PGPORT: outputs.port,
    PGUSER: 'tsdbadmin',
    PGPASSWORD: outputs.password,
    PGDATABASE: 'tsdb',
    PGSSLMODE: 'require',
    DATABASE_URL: outputs.database_url,
  })
})
