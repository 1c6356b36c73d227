/** The clock of the server. */
import type { Seam } from '#base/seam'
import { parseHttpDate } from '#base/timestamp'

/** The server's clock, for dates in records: the runner's may be wrong or change during a step. */
export class ServerClock {
  readonly #seam: Pick<Seam, 'now' | 'date'>
  #read: { date: number; at: number } | undefined

  constructor(seam: Pick<Seam, 'now' | 'date'>) {
    this.#seam = seam
  }

  /** Reads the Date header of an answer (RFC 9110 section 6.6.1); ignores any other text. */
  read(header: string | undefined): void {
    const date = parseHttpDate(header)
    if (date === undefined) return
    // The header has whole seconds. If the runner's clock agrees with it, that clock is more precise.
    const own = this.#seam.date()
    const agrees = own >= date && own - date < 2000
    this.#read = { date: agrees ? own : date, at: this.#seam.now() }
  }

  /** Milliseconds since 1970; by the runner's clock before the first answer. */
  date(): number {
    if (this.#read === undefined) return this.#seam.date()
    return this.#read.date + this.#seam.now() - this.#read.at
  }
}
