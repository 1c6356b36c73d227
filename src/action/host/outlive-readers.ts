/**
 * The reader of the log may be gone (EPIPE), or its disk full (ENOSPC). Then nothing can be logged any more; but what
 * the step does, its files and its exit code do not depend on that.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
