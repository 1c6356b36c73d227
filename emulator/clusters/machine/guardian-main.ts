/**
 * The guardian's program. Its stdin has lines: `="folder"` for the folder to delete, `+[pid,"signal that ends
 * it"]` for a process to stop, and `-pid` for a process that has ended. When stdin ends, it stops the
 * processes and deletes the folder.
 */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** PostgreSQL's immediate shutdown kills stubborn children after 5 s; the guardian waits a little longer. */
const patience = 8_000

let folder: string | undefined
const pids = new Map<number, NodeJS.Signals>()

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}

/**
 * Whether the process has ended but was not reaped: its parent is now process 1, which may never do so
 * (proc_pid_stat(5)).
 */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1) ?? '')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid)
  } catch {
    return false
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const value: unknown = JSON.parse(line.slice(1))
  if (typeof value === 'string') folder = value
  else if (Array.isArray(value)) pids.set(value[0], value[1])
  else pids.delete(Number(value))
}

// For PostgreSQL its immediate shutdown, which also frees its shared memory (PostgreSQL docs, "Shutting Down
// the Server").
for (const [pid, signal] of pids) signalGroup(pid, signal)
for (
  const deadline = performance.now() + patience;
  performance.now() < deadline && [...pids.keys()].some(isAlive);
)
  await sleep(20)
for (const pid of pids.keys()) if (isAlive(pid)) signalGroup(pid, 'SIGKILL')
if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
