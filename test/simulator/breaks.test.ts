/** Runs the simulator with each broken variant, and finds the promise that it breaks. */
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { runNode } from '../support/run-program.ts'
import { breaks } from './breaks.ts'

const main = resolve(import.meta.dirname, 'main.ts')
const simulate = (...options: string[]) =>
  runNode(['--disable-warning=ExperimentalWarning', main, ...options]).exit

/** One process for all variants. It exits with 1 if a variant is not found. */
async function findAll(): Promise<Map<string, string>> {
  const { stdout } = await simulate('--breaks')
  const lines = stdout.trim().split('\n')
  return new Map(lines.map(line => line.split(' | ') as [string, string]))
}

describe('a broken variant is found within 1000 seeds:', () => {
  let found = new Map<string, string>()
  // All variants share the time limit of one process, which a busy machine needs.
  beforeAll(async () => {
    found = await findAll()
  }, 20 * 60_000)

  test.each(Object.entries(breaks))('%s', (name, { promises }) => {
    const [, , promise] = /^seed (\d+): (.+)$/.exec(found.get(name) ?? '') ?? []
    expect(promises, found.get(name)).toContain(promise)
  })
})

it('shows one variant up to the first violation', async () => {
  const options = ['--break', 'prune ignores closed pull requests', '--seeds', '50']
  const shown = await simulate(...options)
  expect(shown).toMatchObject({ code: 1, stderr: '' })
  expect(shown.stdout).toMatch(/^\d+ seeds, \d+ runs, \d+ faults in \d+\.\d s\n/)
  expect(shown.stdout).toMatch(/\n1 seeds with violations\n {2}seed \d+ \(.+\): no preview is left after/)
})
