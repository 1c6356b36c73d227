/** Runs the command of the emulator. */
import { expect } from 'vitest'
import { type ProgramRun, runNode } from '../../support/run-program.ts'

/** Runs the emulator's command. */
export const runCommand = (...args: string[]): ProgramRun => runNode(['emulator/main.ts', ...args])

/** The address of the API in the first lines of the emulator. */
export const baseUrlIn = (stdout: string) => /base_url: (\S+)/.exec(stdout)?.[1] ?? expect.fail(stdout)
