/** Updates a comment when the step is interrupted, while the work itself still ends or hangs. */
import { messageOf } from '#base/errors'
import type { PullRequests } from '../base/context.ts'

/**
 * Performs the work. If the step is cancelled or fails by a defect meanwhile, `write` updates the comment at once. It
 * does not wait for the work, and its context stays usable for the remaining seconds.
 */
export async function withFinalComment<Needed extends PullRequests, Result>(
  context: Needed,
  work: () => Promise<Result>,
  write: (final: Needed, reason: unknown) => Promise<unknown>,
): Promise<Result> {
  const { signal, final, log } = context
  let writing: Promise<unknown> | undefined
  const start = () => {
    if (final === undefined) return
    writing = write({ ...context, ...final }, signal.reason).catch(failure =>
      log.debug(`the comment was not updated after the failure: ${messageOf(failure)}`),
    )
  }
  signal.addEventListener('abort', start, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', start)
    await writing
  }
}
