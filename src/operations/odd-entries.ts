import { keepWhole } from '../api/known-fields.ts'
import { renderAdvised, type UnreadableAnswerError } from '../base/errors.ts'
import type { ReadOdd } from '../client/list-answer.ts'
import type { Context } from './base/context.ts'

/** Keeps the entries of a list that cannot be read as they came, and warns of all of them at once. */
export class OddEntries {
  #count = 0
  #first: UnreadableAnswerError | undefined

  readonly keep: ReadOdd = (entry, problem) => {
    this.#count += 1
    this.#first ??= problem
    keepWhole(entry)
    return [entry]
  }

  warn({ log }: Pick<Context, 'log'>): void {
    if (this.#first === undefined) return
    const what = this.#count === 1 ? 'an entry' : `${this.#count} entries`
    log.warning(
      `${what} of the list cannot be read and will be handed on as sent: ${renderAdvised(this.#first)}`,
      'odd entry',
    )
  }
}
