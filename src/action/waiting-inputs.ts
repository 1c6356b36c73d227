import { define, parseFlag, parseOneOf, parseTime } from './input-definition.ts'

/** Inputs for how far a step goes: what it waits for, what the end of the job deletes, whether it changes anything. */
export const waitingInputs = {
  wait: define({
    parse: parseFlag,
  }),
  wait_timeout: define({
    parse: parseTime,
  }),
  wait_for_connection: define({
    parse: parseFlag,
  }),
  cleanup: define({
    parse: parseOneOf('never', 'always', 'on-failure'),
  }),
  dry_run: define({
    parse: parseFlag,
  }),
}
