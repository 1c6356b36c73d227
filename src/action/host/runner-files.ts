import { ActionError, messageOf } from '#base/errors'

/** The variables that hold the paths of the files that a step writes to. */
export type RunnerFile = 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_ENV' | 'GITHUB_STEP_SUMMARY'

/** A file of the runner that could not be written. */
export interface Unwritten {
  file: RunnerFile
  cause: unknown
}

/**
 * Writes to a file that the runner names in the environment. Returns a failure instead of throwing it, so that the
 * caller goes on with the other files.
 */
export function tryToWrite(file: RunnerFile, environment: NodeJS.ProcessEnv, write: () => void): Unwritten[] {
  try {
    // Without the file the toolkit would print the value as a command, a password in clear text.
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

/** What to do so that the files can be written. */
export function adviceFor(unwritten: Unwritten[]): string {
  const files = unwritten.map(({ file }) => file).join(' and ')
  return `make room on the disk of the runner and leave ${files} as the runner sets it`
}

/** The step did its work, but could not write what later steps or the end of the job need to know. */
export class RunnerFileError extends ActionError {
  /** `done` says what was done, where it is and where its ids stand; `next` is what to do about it. */
  constructor(done: string, unwritten: Unwritten[], next: string) {
    super(`${done}, but ${describeUnwritten(unwritten)}`, `${adviceFor(unwritten)}; ${next}`, {
      cause: unwritten[0]?.cause,
    })
  }
}
