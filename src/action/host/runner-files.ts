/** Writes to the files through which a step passes data to the runner. */
import { ActionError } from '#base/errors'
import { messageOf } from '#base/unknown-values'

/** The variables with the paths of the files that a step writes to. */
export type RunnerFile = 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_ENV' | 'GITHUB_STEP_SUMMARY'

/** A file that could not be written, and the reason. */
export interface Unwritten {
  file: RunnerFile
  cause: unknown
}

/** Writes to a file of the runner. Returns a failure instead of throwing it, so that the caller writes the others. */
export function tryToWrite(file: RunnerFile, environment: NodeJS.ProcessEnv, write: () => void): Unwritten[] {
  try {
    // Without the file, the toolkit would print the value as a command, a password in clear text.
    if (!environment[file]) throw new Error('the variable is not set')
    write()
    return []
  } catch (error) {
    return [{ file, cause: error }]
  }
}

/** `GITHUB_OUTPUT cannot be written (ENOSPC: no space left on device, write)` */
export function describeUnwritten(unwritten: Unwritten[]): string {
  return unwritten.map(({ file, cause }) => `${file} cannot be written (${messageOf(cause)})`).join(' and ')
}

export function adviseOnUnwritten(unwritten: Unwritten[]): string {
  const files = unwritten.map(({ file }) => file).join(' and ')
  return `free disk space on the runner, and do not change ${files}`
}

/** The step did its work, but could not write data that later steps or the post step need. */
export class RunnerFileError extends ActionError {
  /** `done` describes the result, and names the places that have its ids. `next` is the instruction. */
  constructor(done: string, unwritten: Unwritten[], next: string) {
    super(`${done}, but ${describeUnwritten(unwritten)}`, `${adviseOnUnwritten(unwritten)}; ${next}`, {
      cause: unwritten[0]?.cause,
    })
  }
}
