/** Something about a database on this machine failed. The message says what, and what to do next. */
export class ClusterError extends Error {
  override name = 'ClusterError'
}

/** PostgreSQL's programs are missing, or cannot run here. */
export class BinariesError extends ClusterError {
  override name = 'BinariesError'
}

/** The temporary folder that is to hold the databases cannot be used. */
export class TempFolderError extends ClusterError {
  override name = 'TempFolderError'
}

/** A PostgreSQL program ended with an error; `cause` holds the last lines that it printed. */
export class CommandError extends ClusterError {
  override name = 'CommandError'
}

/** The id is unknown: never created, or deleted since. */
export class UnknownIdError extends ClusterError {
  override name = 'UnknownIdError'
}

/** The operation needs a running service, and it is stopped. */
export class StoppedError extends ClusterError {
  override name = 'StoppedError'
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
