/** Creates the files that the runner gives to a step. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { fileCommands } from '../../tools/runner/run-step.ts'
import { useWorkspace } from './workspace.ts'

/** The files that the runner passes to a step, for a test that writes them from its own process. */
export interface RunnerFiles {
  /** Empties all files and calls `act`; returns the content of each afterwards. */
  captureFiles(act: () => void): Record<(typeof fileCommands)[number], string>
}

/** Sets the variables of the files for all tests of a test file, then restores the environment. */
export function useRunnerFiles(): RunnerFiles {
  const environment = { ...process.env }
  const { path: folder, write } = useWorkspace()
  beforeAll(() => {
    for (const name of fileCommands) process.env[name] = join(folder, name)
  })
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
    Object.assign(process.env, environment)
    process.exitCode = undefined
  })
  return {
    captureFiles(act) {
      write(Object.fromEntries(fileCommands.map(name => [name, ''])))
      act()
      const texts = fileCommands.map(name => [name, readFileSync(join(folder, name), 'utf8')])
      return Object.fromEntries(texts)
    },
  }
}
