/** Milliseconds between two looks. */
const lookEvery = 250

/** The processes that are watched: those of this process by default. */
interface Family {
  /** The id of the parent now. */
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

const thisProcess: Family = { parent: () => process.ppid, isAlive }

/**
 * Calls `end` once the process that started this one has ended. npm runs a script in a shell, and passes a signal to
 * that shell only: without this, `kill` of npm would leave the emulator behind. Never keeps the process running.
 */
export function watchParent(end: () => void, family: Family = thisProcess): { stop(): void } {
  const parent = family.parent()
  const timer = setInterval(() => {
    // An orphan gets another parent. On Windows it keeps the id of the one that is gone.
    if (family.parent() === parent && family.isAlive(parent)) return
    clearInterval(timer)
    end()
  }, lookEvery)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Whether npm, or another runner of package scripts, started this process: they set the name of the script. */
export function isScript(environment: NodeJS.ProcessEnv): boolean {
  return environment.npm_lifecycle_event !== undefined
}
