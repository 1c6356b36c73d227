/** Collects the malformed records of a list for one warning. */
import { renderAdvised, type UnreadableAnswerError } from '#base/errors'
import type { ReadMalformed } from '#client/list-answer'
import type { Context } from './base/context.ts'

/** The malformed records of one list. Their valid fields stay in the list. */
export class MalformedRecords {
  #count = 0
  #first: UnreadableAnswerError | undefined

  readonly keep: ReadMalformed = (entry, problem) => {
    this.#count += 1
    this.#first ??= problem
    return [entry]
  }

  warn({ log }: Pick<Context, 'log'>): void {
    if (this.#first === undefined) return
    const records = this.#count === 1 ? 'a record' : `${this.#count} records`
    log.warning(
      `${records} of the list ${this.#count === 1 ? 'is' : 'are'} malformed, so the outputs contain only the valid fields: ${renderAdvised(this.#first)}`,
      'malformed record',
    )
  }
}
