/** Runs scheduled events in virtual time, without real waits. */
interface Event {
  at: number
  order: number
  /** Undefined once it is cancelled. */
  act: (() => void) | undefined
}

/** More events than any run needs: reveals a run that never ends. */
const mostEvents = 100_000

/** Time that jumps from one event to the next, without real waits. */
export class VirtualTime {
  now = 0
  #events: Event[] = []
  #order = 0

  /** Returns a function that cancels the event. */
  schedule(delay: number, act: () => void): () => void {
    const event: Event = { at: this.now + Math.max(0, delay), order: this.#order++, act }
    let index = this.#events.length
    while (index > 0 && (this.#events[index - 1] as Event).at <= event.at) index--
    // The next event stands last; among events of the same moment, the one scheduled first.
    this.#events.splice(index, 0, event)
    return () => {
      event.act = undefined
    }
  }

  /** Runs all events, and after each one all code that it triggers. */
  async run(): Promise<void> {
    for (let count = 0; ; count++) {
      const event = this.#events.pop()
      if (event === undefined) return
      if (event.act === undefined) continue
      if (count > mostEvents) throw new Error(`more than ${mostEvents} events`)
      this.now = event.at
      event.act()
      await allMicrotasks()
    }
  }
}

/** Settles when every promise has that needs no other event. */
const allMicrotasks = () => new Promise<void>(resolve => void process.nextTick(resolve))
