/** A clock that skips the sleeps of steps. */
import type { Seam } from '#base/seam'

interface Sleeper {
  at: number
  wake(): void
}

/** Milliseconds of quiet before a leap if several steps run: another one may be about to ask GitHub. */
const quiet = 25

/**
 * Real time that skips sleeps. Whenever all steps sleep and no request is in progress, the next one wakes at once.
 * Requests, with their limits, take real time.
 */
export class LeapingClock {
  /** Milliseconds ahead of real time. */
  ahead = 0
  #requests = 0
  #steps = 0
  readonly #sleepers = new Set<Sleeper>()

  now(): number {
    return performance.now() + this.ahead
  }

  async run<Result>(seam: Seam, step: (seam: Seam) => Promise<Result>): Promise<Result> {
    this.#steps += 1
    try {
      return await step(this.#leaping(seam))
    } finally {
      this.#steps -= 1
    }
  }

  #leaping(seam: Seam): Seam {
    return {
      ...seam,
      now: () => this.now(),
      date: () => seam.date() + this.ahead,
      sleep: (ms, signal) => this.#sleep(ms, signal),
      send: async request => {
        this.#requests += 1
        try {
          return await seam.send(request)
        } finally {
          this.#requests -= 1
          this.#leapSoon()
        }
      },
    }
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const end = (settle: () => void) => {
        clearTimeout(timer)
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', onAbort)
        settle()
      }
      const sleeper = { at: this.now() + ms, wake: () => end(resolve) }
      const onAbort = () => end(() => reject(signal?.reason))
      // If a request of another step takes long, real time may wake this one.
      const timer = setTimeout(sleeper.wake, ms)
      signal?.addEventListener('abort', onAbort)
      this.#sleepers.add(sleeper)
      this.#leapSoon()
    })
  }

  /** Leaps only after all pending continuations. */
  #leapSoon(): void {
    if (this.#steps > 1) setTimeout(() => this.#leap(), quiet)
    else setImmediate(() => this.#leap())
  }

  #leap(): void {
    if (this.#requests > 0 || this.#sleepers.size < this.#steps) return
    const [next] = [...this.#sleepers].sort((one, other) => one.at - other.at)
    if (next === undefined) return
    this.ahead += Math.max(0, next.at - this.now())
    next.wake()
  }
}
