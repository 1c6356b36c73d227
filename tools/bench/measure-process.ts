/** Measures the resources of a process. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stepEnvironment, withStepFolder } from '../runner/run-step.ts'

/** The usage of a process: milliseconds of the clock and of all processors together, and peak bytes of memory. */
export interface Usage {
  wall: number
  processor: number
  memory: number
}

/** A program for Node.js: its arguments, and its inputs as an action. */
export interface Command {
  parameters: string[]
  inputs?: Record<string, string>
  environment?: NodeJS.ProcessEnv
}

const reporter = join(import.meta.dirname, 'report-usage.cjs')

/**
 * Runs a program to its end. Reporting its usage takes about a millisecond, the same for each.
 * @throws Error when it fails
 */
export const measureProcess = (command: Command): Promise<Usage> =>
  withStepFolder(async folder => {
    const file = join(folder, 'usage.json')
    const start = performance.now()
    const child = spawn(process.execPath, ['--require', reporter, ...command.parameters], {
      env: {
        ...stepEnvironment({ inputs: {}, ...command }, folder),
        ...{ GITHUB_REPOSITORY_ID: '1', USAGE_FILE: file },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    const wall = performance.now() - start
    if (code !== 0)
      throw new Error(`${command.parameters.join(' ')} exited with ${code}:\n${(await output).join('')}`)
    const { processor, maxRSS } = JSON.parse(readFileSync(file, 'utf8'))
    return { wall, processor, memory: maxRSS * 1024 }
  })
