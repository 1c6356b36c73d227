/** Withholds connection details while an operation runs. */
import type { Context } from './context.ts'
import { type Outcome, passwordsIn, withoutConnection } from './outcome.ts'

/** A context that masks passwords but publishes no connection details: a fork is dangerous before its quarantine. */
export function withholdConnection<Needed extends Pick<Context, 'journal' | 'mask'>>(
  context: Needed,
): Needed {
  const { journal } = context
  const withhold = (outcome: Outcome) => {
    for (const password of passwordsIn(outcome)) context.mask(password)
    return withoutConnection(outcome)
  }
  return {
    ...context,
    journal: {
      ...journal,
      announce: (record, outcome) => journal.announce(record, withhold(outcome)),
      publish: outcome => journal.publish(withhold(outcome)),
    },
  }
}
