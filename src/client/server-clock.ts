/** Estimates the server's clock from the dates of its answers. */
import type { Seam } from '#base/seam'
import { parseHttpDate } from '#base/timestamp'

/** The server's clock, to compare with dates in records: the runner's clock may be wrong, or change during a step. */
export function createServerClock(seam: Pick<Seam, 'now' | 'date'>) {
  let last: { date: number; at: number } | undefined
  return {
    /** Reads the Date header of an answer (RFC 9110 section 6.6.1); ignores any other text. */
    read(header: string | undefined): void {
      const date = parseHttpDate(header)
      if (date === undefined) return
      // The header has whole seconds. If the runner's clock agrees with it, that clock is more precise.
      const own = seam.date()
      const isRunnerRight = own >= date && own - date < 2000
      last = { date: isRunnerRight ? own : date, at: seam.now() }
    },
    /** Milliseconds since 1970; by the runner's clock before the first answer. */
    date: () => (last === undefined ? seam.date() : last.date + seam.now() - last.at),
  }
}
