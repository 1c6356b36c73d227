import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The resources that a process took: milliseconds of the clock and of all processors together, and peak bytes of
 * memory.
 */
export interface Usage {
  wall: number
  processor: number
  memory: number
}

/** A program for Node.js: its arguments and its environment. */
export interface Command {
  parameters: string[]
  environment: NodeJS.ProcessEnv
}

const reporter = join(import.meta.dirname, 'report-usage.cjs')

/**
 * Runs a program to its end. What reports its usage takes about a millisecond, the same in each.
 *
 * @throws Error when it fails
 */
export async function measureProcess({ parameters, environment }: Command, folder: string): Promise<Usage> {
  const file = join(folder, 'usage.json')
  const start = performance.now()
  const child = spawn(process.execPath, ['--require', reporter, ...parameters], {
    env: { ...environment, USAGE_FILE: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const wall = performance.now() - start
  if (code !== 0) throw new Error(`${parameters.join(' ')} exited with ${code}:\n${output}`)
  const { processor, maxRSS } = JSON.parse(readFileSync(file, 'utf8')) as {
    processor: number
    maxRSS: number
  }
  return { wall, processor, memory: maxRSS * 1024 }
}
