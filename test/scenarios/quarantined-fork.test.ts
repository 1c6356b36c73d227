/** Runs fork-service with the quarantine. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createService,
  expectNoConnectionDetails,
  type Outputs,
  runAsSuperuser,
  runSql,
} from '../support/fork.ts'
import { type BenchOptions, errorOf, type Inputs, killAt, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()
let parent: Outputs
const app = { user: 'app', password: 'production-1' }

beforeAll(async () => {
  parent = await createService(bench)
  await runSql(parent, `CREATE ROLE app LOGIN PASSWORD '${app.password}'`)
})

const fork = (inputs: Inputs, options?: BenchOptions) =>
  bench.step(
    {
      ...{ operation: 'fork-service', service_id: parent.service_id as string, fork_strategy: 'NOW' },
      ...inputs,
    },
    options,
  )

const refused = 'role "app" is not permitted to log in'

describe('fork-service', () => {
  it('copies logins with their passwords, and disables them only on request', async () => {
    const { outputs } = await fork({ wait_for_connection: 'true' })
    expect(await runSql(outputs, 'SELECT 1 AS one', app)).toEqual([{ one: 1 }])
  })

  it('with a strict quarantine publishes a harmless fork', async () => {
    const { outputs, stdout, summary } = await fork({ quarantine: 'strict' })
    expect(stdout).toContain(
      `service ${outputs.service_id} is quarantined: 1 login\n  quarantined login: app\n`,
    )
    expect(summary).toContain('Quarantined: 1 login')
    await expect(runSql(outputs, 'SELECT 1', app)).rejects.toThrow(refused)
    expect(await runSql(outputs, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await runSql(parent, 'SELECT 1 AS one', app)).toEqual([{ one: 1 }])
  })

  it('that is killed as it is READY publishes no connection details', async () => {
    const killed = await fork({ quarantine: 'true' }, killAt('is READY'))
    expect(killed.exitCode).toBe(137)
    expectNoConnectionDetails(killed, killed.summary)
    expect(killed.stdout).not.toContain(`${parent.host}:`)
  })

  it('with strict fails if a login cannot be disabled, and publishes no connection details', async () => {
    await runAsSuperuser(parent, 'CREATE ROLE reporting LOGIN')
    const failed = await fork({ quarantine: 'strict' })
    expect(errorOf(failed)).toMatch(
      /^service \w+ is not completely quarantined: login reporting: permission denied to alter role — have reporting granted to tsdbadmin with ADMIN OPTION in the parent/,
    )
    expectNoConnectionDetails(failed, failed.summary)
    expect(failed.stdout).not.toContain(`${parent.host}:`)
    const warned = await fork({ quarantine: 'true' })
    expect(warned.exitCode).toBe(0)
    await expect(runSql(warned.outputs, 'SELECT 1', app)).rejects.toThrow(refused)
    expect(warned.stdout).toMatch(
      /^::warning title=[^:]*not quarantined::service \w+: not quarantined: login reporting/m,
    )
    expect(warned.summary).toMatch(
      /^Quarantined: 1 login; not done: 1\n\n- not quarantined: login reporting/m,
    )
  })
})
