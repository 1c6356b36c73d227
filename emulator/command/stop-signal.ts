// Waits for the signal to stop.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Milliseconds. A Ctrl-C arrives twice, from the terminal and through npm: a second one this soon is the same press.
 */
const samePress = 1000

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

  /** Stops like after a signal. */
  give(): void {
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
    if (now - this.#receivedAt > samePress) process.exit(1)
  }
}
