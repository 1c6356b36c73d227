import type { Context } from './context.ts'
import { type Outcome, withoutConnection } from './outcome.ts'

/**
 * The context in which nobody is told the way into a database before the operation is over: a fork is not harmless before
 * it is quarantined. Its passwords are masked all the same.
 */
export function withholding<Needed extends Pick<Context, 'journal' | 'mask'>>(context: Needed): Needed {
  const { journal } = context
  const withhold = (outcome: Outcome) => {
    for (const secret of [outcome.initialPassword, outcome.password])
      if (secret !== undefined) context.mask(secret)
    return withoutConnection(outcome)
  }
  return {
    ...context,
    journal: {
      ...journal,
      announce: (record, outcome) => journal.announce(record, withhold(outcome)),
      tell: outcome => journal.tell(withhold(outcome)),
    },
  }
}
