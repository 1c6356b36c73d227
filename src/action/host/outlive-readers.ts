// Keeps a step running without a reader of its log.

/**
 * The reader of the log may be gone (EPIPE), or its disk full (ENOSPC). Then logging is impossible, but the
 * step's work, files and exit code do not depend on it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
