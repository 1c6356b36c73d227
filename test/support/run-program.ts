/** Runs programs in tests. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, vi } from 'vitest'

/** A program as a process of its own. */
export interface ProgramRun {
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
): ProgramRun {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  let ended = false
  // Not the event `exit`, after which there may still be something to read.
  const exit = once(child, 'close').then(([code]) => {
    ended = true
    return { code: typeof code === 'number' ? code : null, ...output }
  })
  const until = async (text: string) => {
    const check = () => ended || expect(output.stdout).toContain(text)
    await vi.waitFor(check, { timeout: 30_000, interval: 20 })
    if (!output.stdout.includes(text)) throw new Error(`ended without "${text}": ${output.stderr}`)
    return output.stdout
  }
  return { child, output, until, exit }
}

/** Starts a program for Node.js. */
export const runNode = (args: string[], options?: Parameters<typeof runProgram>[2]): ProgramRun =>
  runProgram(process.execPath, args, options)
