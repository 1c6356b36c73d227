/** Starts and stops the emulator as a process of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const program = join(import.meta.dirname, '..', 'main.ts')
/** Milliseconds: on a busy runner the first start takes a few seconds. */
const patience = 120_000
const pause = 50

/** The environment without the variables of this step. The variables that the runner uses to end orphans stay. */
function withoutStep(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const stepVariables =
    /^(?:INPUT_|STATE_|GITHUB_(?:OUTPUT|STATE|ENV|PATH|STEP_SUMMARY)$|ACTIONS_|npm_lifecycle_event$)/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !stepVariables.test(name)))
}

/** Starts the emulator so that it outlives this step. Returns its process and its base_url once it listens. */
export async function startProcess(
  flags: string[],
  logFile: string,
): Promise<{ pid: number; baseUrl: string }> {
  const log = openSync(logFile, 'w', 0o600)
  const child = spawn(process.execPath, [program, '--detached', ...flags], {
    stdio: ['ignore', log, log],
    detached: true,
    env: withoutStep(process.env),
  })
  closeSync(log)
  let ended: string | undefined
  child.once('error', error => {
    ended = error.message
  })
  child.once('exit', code => {
    ended = `exit code ${code}`
  })
  for (const start = Date.now(); Date.now() - start < patience; await sleep(pause)) {
    const text = await readFile(logFile, 'utf8')
    const [, baseUrl] = /^ {2}base_url {4}(\S+)$/m.exec(text) ?? []
    if (baseUrl !== undefined && child.pid !== undefined) {
      child.unref()
      return { pid: child.pid, baseUrl }
    }
    if (ended !== undefined) throw new Error(`the emulator did not start (${ended}): ${text.trim()}`)
  }
  child.kill('SIGKILL')
  throw new Error(`the emulator was not ready after ${patience / 1000} s; its log: ${logFile}`)
}

/** Reads the command line of a process; empty if the process does not exist. On Windows the id must be enough. */
async function readCommandLine(pid: number): Promise<string> {
  if (process.platform === 'win32') return program
  try {
    // Small containers have no ps.
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Sends a signal, or checks the process with 0. Returns whether the process exists. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Stops the process, and waits for its end. False if it had ended before. */
export async function stopProcess(pid: number): Promise<boolean> {
  // Another process may have this id by now.
  if (!(await readCommandLine(pid)).includes(program)) return false
  sendSignal(pid, 'SIGTERM')
  for (const start = Date.now(); Date.now() - start < patience / 4; await sleep(pause)) {
    if (!sendSignal(pid, 0)) return true
  }
  sendSignal(pid, 'SIGKILL')
  return true
}
