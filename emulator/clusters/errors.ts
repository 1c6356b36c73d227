/** Something about a database on this machine failed. The message says what, and what to do next. */
export class ClusterError extends Error {
  override name = 'ClusterError'
}

/** The temporary folder that is to hold the databases cannot be used. */
export class TempFolderError extends ClusterError {
  override name = 'TempFolderError'
}

/** A PostgreSQL program ended with an error; `cause` holds the last lines that it printed. */
export class CommandError extends ClusterError {
  override name = 'CommandError'
}

/** The data plane was closed. */
export class ClosedError extends ClusterError {
  override name = 'ClosedError'
}

/** The message of whatever was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The system's code of an error (`ENOENT` …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
