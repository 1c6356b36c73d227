import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Fault } from '../../emulator/http/faults/faults.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'
import {
  errorOf,
  type Inputs,
  openWorkbench,
  query,
  type StepWay,
  type Workbench,
} from '../support/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented' })
})
afterAll(() => bench.stop())
beforeEach(() => bench.strike(() => undefined))

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
  as: StepWay = 'played',
): Promise<StepResult> {
  let kill = (_: NodeJS.Signals) => {}
  bench.strike(({ operation }) => {
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
  bench.strike(() => undefined)
  return result
}

/** The end of the job, for a step that ran with these inputs and left this state. */
const post = (inputs: Inputs, { state }: StepResult, job_status: string) =>
  bench.step({ ...inputs, job_status }, { entry: 'post', state })

async function names(): Promise<string[]> {
  const { outputs } = await bench.done({ operation: 'list-services' })
  return (JSON.parse(outputs.result as string) as { name: string }[]).map(({ name }) => name)
}

it.each([
  ['never', 'failure', true],
  ['always', 'success', false],
  ['on-failure', 'success', true],
  ['on-failure', 'failure', false],
  ['on-failure', 'cancelled', false],
])('cleanup: %s after a job of status %s: still there %s', async (cleanup, status, kept) => {
  const inputs = create(`${cleanup}-${status}`, cleanup)
  const result = await bench.done(inputs)
  const end = await post(inputs, result, status)
  expect(end.exitCode).toBe(0)
  expect((await names()).includes(`${cleanup}-${status}`)).toBe(kept)
})

it('ends the database itself', async () => {
  const real = await openWorkbench({ steps: 'process' })
  try {
    const inputs = { ...create('real', 'on-failure'), wait_for_connection: 'true' }
    const result = await real.done(inputs)
    const connect = () => query(result.outputs.database_url, 'select 1 as one')
    const endAfter = (job_status: string) =>
      real.done({ ...inputs, job_status }, { entry: 'post', state: result.state })
    await endAfter('success')
    expect(await connect()).toEqual([{ one: 1 }])
    await endAfter('failure')
    await expect(connect()).rejects.toThrow('ECONNREFUSED')
  } finally {
    await real.stop()
  }
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a wait cut short by %s exits with %i, and the end of the job deletes',
  async (signal, exitCode) => {
    const inputs = create(`cut-by-${signal}`, 'always')
    let kill = (_: NodeJS.Signals) => {}
    const result = await bench.step(inputs, {
      onStart: killer => {
        kill = killer
      },
      onLine: line => line.includes('create-service created') && kill(signal),
    })
    expect(result.exitCode).toBe(exitCode)
    expect(errorOf(result)).toContain(`cancelled by ${signal}`)
    const end = await post(inputs, result, 'cancelled')
    expect(end.stdout).toContain('which this step created')
    expect(await names()).not.toContain(`cut-by-${signal}`)
  },
)

it('finds what was created by its own name when the id was never learned', async () => {
  const inputs = create('own-*', 'always')
  const result = await killedBeforeTheAnswer(inputs, 'after', 'process')
  expect(result.exitCode).toBe(137)
  expect(result.state.created).toBeUndefined()
  const [, name] = /creating service "(own-\w{8})"$/m.exec(result.stdout) ?? []
  expect(await names()).toContain(name)
  await bench.done(create('own-other', 'never'))
  expect((await post(inputs, result, 'failure')).exitCode).toBe(0)
  expect(await names()).not.toContain(name)
  expect(await names()).toContain('own-other')
})

it("names what may be another job's, and leaves it alone: a single one, or several", async () => {
  const inputs = create('exact', 'always')
  const result = await killedBeforeTheAnswer(inputs)
  const one = await post(inputs, result, 'failure')
  expect(one.exitCode).toBe(1)
  expect(errorOf(one)).toMatch(
    /may have created service \w+ as service "exact", but its answer was lost.*put a \* in the name/,
  )
  await bench.done(create('exact', 'never'))
  const several = await post(inputs, result, 'failure')
  expect(errorOf(several)).toMatch(
    /may have created service \w+ or service \w+ as service "exact", but its answer was lost/,
  )
  expect((await names()).filter(name => name === 'exact')).toHaveLength(2)
})

it("leaves another job's database of the same name alone after its own call was refused", async () => {
  const inputs = create('contested', 'always')
  bench.strike(({ operation }) =>
    operation === 'create-service'
      ? { kind: 'answer', when: 'before', status: 400, body: { code: 'NO', message: 'no' } }
      : undefined,
  )
  const refused = await bench.step(inputs)
  bench.strike(() => undefined)
  await bench.done(create('contested', 'never'))
  expect((await post(inputs, refused, 'failure')).exitCode).toBe(0)
  expect(await names()).toContain('contested')
})

it('leaves what it created alone where it was tagged PROD since', async () => {
  const inputs = create('promoted-*', 'always')
  const result = await bench.done(inputs)
  const { service_id = '', name } = result.outputs
  await bench.done({ operation: 'set-environment', service_id, environment: 'PROD' })
  const end = await post(inputs, result, 'success')
  expect(errorOf(end)).toContain(`service ${service_id} is left alone: it is tagged PROD`)
  expect(await names()).toContain(name)
})

it('is not put off by one refused key and one page of a proxy', async () => {
  const inputs = create('stormy-*', 'always')
  const result = await bench.done(inputs)
  const trouble: Fault[] = [
    { kind: 'answer', when: 'before', status: 401, body: { code: 'NO', message: 'no' } },
    { kind: 'answer', when: 'before', status: 404, body: '<h1>404</h1>', contentType: 'text/html' },
  ]
  bench.strike(({ operation }) => (operation === 'get-service' ? trouble.shift() : undefined))
  const end = await post(inputs, result, 'failure')
  expect(end.exitCode, end.stdout).toBe(0)
  expect(trouble).toEqual([])
  expect(await names()).not.toContain(result.outputs.name)
})

it('names what may be left where the end of the job is cancelled while it looks for it', async () => {
  const inputs = create('sought-*', 'always')
  const killed = await killedBeforeTheAnswer(inputs, 'before')
  let kill = (_: NodeJS.Signals) => {}
  const end = await bench.step(
    { ...inputs, job_status: 'cancelled' },
    {
      entry: 'post',
      state: killed.state,
      onStart: killer => {
        kill = killer
      },
      onLine: line => line.includes('cleanup: looking for') && kill('SIGTERM'),
    },
  )
  expect(end.exitCode).toBe(143)
  expect(errorOf(end)).toMatch(
    /cleanup of service "sought-\w{8}" failed: cancelled by SIGTERM — delete it by hand/,
  )
})

it('holds no secret in the state', async () => {
  const { state, outputs } = await bench.done(create('stateful', 'never'))
  const written = JSON.stringify(state)
  expect(written).not.toContain(bench.secretKey)
  expect(written).not.toContain(outputs.password)
})

it('exports the connection for later steps', async () => {
  const { environment, outputs } = await bench.done({ ...create('exported', 'never'), export_env: 'true' })
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
