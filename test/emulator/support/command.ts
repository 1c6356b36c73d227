/** Runs the command of the emulator. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

/** The emulator as a process of its own. */
export interface CommandRun {
  child: ChildProcess
  /** Its output so far. */
  output: { stdout: string; stderr: string }
  /** Resolves when the output contains the text. Rejects if the process ends without it. */
  until(text: string): Promise<string>
  /** Resolves when it has ended and its output is closed. */
  exit: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Starts a program, and collects its output. */
export function runProgram(
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> = {},
): CommandRun {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', data => {
    output.stdout += data
  })
  child.stderr.on('data', data => {
    output.stderr += data
  })
  let ended = false
  // Not the event `exit`, after which there may still be something to read.
  const exit = once(child, 'close').then(([code]) => {
    ended = true
    return { code: typeof code === 'number' ? code : null, ...output }
  })
  const until = async (text: string) => {
    await eventually(() => {
      if (!ended) expect(output.stdout).toContain(text)
    })
    if (!output.stdout.includes(text)) throw new Error(`ended without "${text}": ${output.stderr}`)
    return output.stdout
  }
  return { child, output, until, exit }
}

/** Runs the emulator's command. */
export const runCommand = (...args: string[]): CommandRun =>
  runProgram(process.execPath, ['emulator/main.ts', ...args])

/** The address of the API in the first lines of the emulator. */
export const baseUrlIn = (stdout: string) => /base_url: (\S+)/.exec(stdout)?.[1] ?? expect.fail(stdout)
