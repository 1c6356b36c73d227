/** Waits for the signal to stop. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Milliseconds in which a second signal is a repetition of the first: one Ctrl-C arrives twice, from the terminal and through
 * npm.
 */
const repeatWindow = 1000

/**
 * Waits for a signal to stop. A second one, while the emulator is stopping, ends the process at once: the
 * guardian then ends the databases and deletes their files.
 */
export class StopSignal {
  readonly received: Promise<void>
  #receivedAt: number | undefined
  #receive: () => void = () => {}

  constructor() {
    this.received = new Promise(resolve => {
      this.#receive = resolve
    })
    for (const signal of signals) process.on(signal, this.#onSignal)
  }

  /** Resolves `received` without a signal. */
  trigger(): void {
    this.#receive()
  }

  /** Restores the system's handling of signals. */
  release(): void {
    for (const signal of signals) process.off(signal, this.#onSignal)
  }

  readonly #onSignal = () => {
    const now = performance.now()
    this.#receivedAt ??= now
    this.#receive()
    if (now - this.#receivedAt > repeatWindow) process.exit(1)
  }
}
