/**
 * Shares one read among callers that ask at about the same time. A read that has started takes no more callers, so
 * each result is as recent as if the caller had read by itself. Reads never overlap. A rejection reaches every caller.
 * `pause` runs between two reads, while more callers may join the next one.
 */
export function shareRead<Result>(
  read: () => Promise<Result>,
  pause: () => Promise<void> = async () => {},
): () => Promise<Result> {
  /** The read that has not started yet. */
  let next: Promise<Result> | undefined
  /** Settles with the read that started last. */
  let last: Promise<unknown> = Promise.resolve()

  async function begin(): Promise<Result> {
    try {
      await last
      await pause()
    } finally {
      next = undefined
    }
    const started = read()
    last = started.catch(() => {})
    return await started
  }

  return () => {
    next ??= begin()
    return next
  }
}
