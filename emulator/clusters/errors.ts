/** The errors of databases on this machine. */

/** A failure of a database on this machine. The message has the reason and an instruction. */
export class ClusterError extends Error {
  override name = 'ClusterError'
}

/** The temporary folder for the databases is unusable. */
export class TempFolderError extends ClusterError {
  override name = 'TempFolderError'
}

/** A PostgreSQL program ended with an error; `cause` has its last lines of output. */
export class CommandError extends ClusterError {
  override name = 'CommandError'
}

/** The data plane was closed. */
export class ClosedError extends ClusterError {
  override name = 'ClosedError'
}

/** The system's code of an error (`ENOENT` …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
