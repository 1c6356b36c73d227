/** Repeats attempts to clean up or delete after temporary failures, because no later step can do it. */
import { ApiError, TransportError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { isKeyRefusal, isTemporary, isUnreadable } from '#client/retry'
import type { Waiting } from '../base/context.ts'
import { WaitError } from '../wait/wait-error.ts'
import { retry } from '../wait/wait-log.ts'

/** Milliseconds between two attempts. */
export const pause = 5000

/** Milliseconds for which attempts are repeated although the API refuses the key. */
const refusalPatience = 60_000

const causeOf = (failure: unknown) => (failure instanceof WaitError ? failure.cause : failure)

/**
 * Repeats an attempt until the deadline, after every temporary failure, since no later step could try again. A proxy's
 * error page counts as temporary, and a refused key for `patience` milliseconds.
 */
export async function keepTrying<Result>(
  context: Waiting,
  attempt: () => Promise<Result>,
  patience = refusalPatience,
): Promise<Result> {
  const { seam, deadline } = context
  let refusedSince: number | undefined
  return await retry(context, attempt, {
    interval: pause,
    until(failure) {
      const reason = causeOf(failure)
      const isRefusal = reason instanceof ApiError && isKeyRefusal(reason)
      // If an answer was lost in between, the refusals are not consecutive.
      if (!isRefusal || reason.isAfterLostAnswer) refusedSince = undefined
      if (isRefusal) refusedSince ??= seam.now()
      const mayPass = isTemporary(reason) || isUnreadable(reason)
      const isPatient = refusedSince !== undefined && seam.now() - refusedSince < patience
      return mayPass || isPatient ? deadline : undefined
    },
    describe: failure => `cleanup: ${messageOf(failure)}`,
  })
}

/** Milliseconds between two attempts during an outage, and for the whole outage. */
const outage = { pause: 10_000, patience: 120_000 }

/** Whether the failure may end within minutes. An untrusted certificate does not. */
const isOutage = (reason: unknown) =>
  isTemporary(reason) && !(reason instanceof TransportError && reason.isLasting)

/**
 * Repeats a deletion during an outage of at most 2 minutes, because the event that requires it comes only once. The
 * attempt must read again everything that it relies on.
 */
export async function outlastOutage<Result>(context: Waiting, attempt: () => Promise<Result>) {
  const { seam, deadline } = context
  let last: number | undefined
  return await retry(context, attempt, {
    interval: outage.pause,
    until(failure) {
      last ??= Math.min(deadline, seam.now() + outage.patience)
      return isOutage(causeOf(failure)) ? last : undefined
    },
  })
}
