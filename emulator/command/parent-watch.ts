/** Stops the emulator when the process that started it has ended. */

/** Milliseconds between two checks of the parent. */
const checkInterval = 250

/** Access to the processes of the machine, which tests replace. */
interface ProcessTree {
  /** The id of the current parent. */
  parent: () => number
  /** Whether there is a process with this id. */
  isAlive: (pid: number) => boolean
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const thisProcess: ProcessTree = { parent: () => process.ppid, isAlive }

/**
 * Calls `end` after the process that started this one has ended. npm runs a script in a shell, and passes a signal only
 * to that shell: without this, `kill` of npm would leave the emulator running. Never keeps the process alive.
 */
export function watchParent(end: () => void, processes: ProcessTree = thisProcess): { stop(): void } {
  const parent = processes.parent()
  const timer = setInterval(() => {
    // An orphan gets another parent. On Windows it keeps the id of the previous one.
    if (processes.parent() === parent && processes.isAlive(parent)) return
    clearInterval(timer)
    end()
  }, checkInterval)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Whether npm, or another runner of package scripts, started this process: they set the name of the script. */
export function isScript(environment: NodeJS.ProcessEnv): boolean {
  return environment.npm_lifecycle_event !== undefined
}
