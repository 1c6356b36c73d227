/** Stops servers that a killed emulator left running. */
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ifExists } from '../disk/files.ts'

/** PostgreSQL's immediate shutdown kills stubborn children after 5 s. */
const patience = 8_000

/** Whether the process is a server on this very data folder, which is then its working directory. */
async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    return folder !== undefined && folder === (await realpath(data))
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.includes(data)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended meanwhile.
  }
}

/**
 * Stops a server that a killed emulator left running on a data folder, and deletes its lock file. The file contains a
 * process id, which another process may have by now: PostgreSQL would then refuse to start.
 */
export async function stopLeftoverServer(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid')
  const pid = Number((await ifExists(readFile(file, 'utf8')))?.split('\n')[0])
  // Windows does not show the owner of a process: PostgreSQL decides there whether it may start.
  if (!pid || process.platform === 'win32') return
  for (const deadline = performance.now() + patience; await isServerOf(pid, data); await sleep(20)) {
    signal(pid, performance.now() < deadline ? 'SIGQUIT' : 'SIGKILL')
  }
  await rm(file, { force: true })
}
