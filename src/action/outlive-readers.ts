/**
 * Who reads the log may be gone (EPIPE), or the disk that it is written to full (ENOSPC). Then nothing can be told
 * any more; what the step does, its files and its exit code do not depend on that.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
