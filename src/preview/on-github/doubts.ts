/** Collects the failures of GitHub in one run of prune. */
import type { PullRequests } from '../base/context.ts'
import { outlookOf, tellSilence } from '../base/github-failure.ts'

/** Why a preview is kept without a conclusive answer from GitHub. */
export const doubt = "GitHub's answer is not conclusive"
const limited = "GitHub's rate limit is used up"

export class Doubts {
  /** The first refusal that lasts until a person changes something: it must fail the step. */
  refusal: unknown
  readonly #context: PullRequests

  constructor(context: PullRequests) {
    this.#context = context
  }

  /**
   * Records a failure; one that passes is only a warning. Returns why previews are kept.
   *
   * @param kept the previews concerned
   */
  note(kept: string, failure: unknown): string {
    const outlook = outlookOf(failure)
    if (outlook === 'lasts') this.refusal ??= failure
    else
      tellSilence(
        this.#context,
        outlook === 'limit' ? `${kept} for the next prune` : `${kept}: ${doubt}`,
        failure,
      )
    return outlook === 'limit' ? limited : doubt
  }
}
