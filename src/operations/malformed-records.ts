/** Keeps the malformed records of a list, and warns of all of them at once. */
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
      `${records} of the list cannot be read, so only its valid fields are in the outputs: ${renderAdvised(this.#first)}`,
      'malformed record',
    )
  }
}
