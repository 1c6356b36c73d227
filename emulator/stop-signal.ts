const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** npm passes on a Ctrl-C that the terminal has sent us already: so soon, it is not a second wish. */
const sameWish = 1000

/**
 * Waits for a wish to stop. A second one, while stopping, ends the process at once: the guardian of the
 * databases then ends and removes what is left.
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

  /** Leaves signals to the system again. */
  release(): void {
    for (const signal of signals) process.off(signal, this.#onSignal)
  }

  readonly #onSignal = () => {
    const now = performance.now()
    this.#receivedAt ??= now
    this.#receive()
    if (now - this.#receivedAt > sameWish) process.exit(1)
  }
}
