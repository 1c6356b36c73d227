/** Keeps the malformed records of a list, and warns of them. */
import { renderAdvised, type UnreadableAnswerError } from '#base/errors'
import type { ReadOdd } from '#client/list-answer'
import type { Context } from './base/context.ts'

/** Keeps the malformed entries of a list, whose known fields are shown, and warns of all of them at once. */
export class OddEntries {
  #count = 0
  #first: UnreadableAnswerError | undefined

  readonly keep: ReadOdd = (entry, problem) => {
    this.#count += 1
    this.#first ??= problem
    return [entry]
  }

  warn({ log }: Pick<Context, 'log'>): void {
    if (this.#first === undefined) return
    const what = this.#count === 1 ? 'an entry' : `${this.#count} entries`
    log.warning(
      `${what} of the list cannot be read, so only its valid fields are in the outputs: ${renderAdvised(this.#first)}`,
      'odd entry',
    )
  }
}
