/** Creates the files that the runner gives to a step. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const names = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'] as const

/** The files that the runner passes to a step, for a test that writes them from its own process. */
export interface RunnerFiles {
  /** Empties all files and calls `act`; returns the content of each afterwards. */
  captureFiles(act: () => void): Record<(typeof names)[number], string>
}

/** Sets the variables of the files for all tests of a test file, then restores the environment. */
export function useRunnerFiles(): RunnerFiles {
  const environment = { ...process.env }
  let folder = ''
  const path = (name: string) => join(folder, name)
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'runner-files-'))
    for (const name of names) process.env[name] = path(name)
  })
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
    Object.assign(process.env, environment)
    process.exitCode = undefined
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    captureFiles(act) {
      for (const name of names) writeFileSync(path(name), '')
      act()
      const texts = names.map(name => [name, readFileSync(path(name), 'utf8')])
      return Object.fromEntries(texts)
    },
  }
}
