import { define, parseFlag, parseOneOf, parseTime } from './input-definition.ts'

/** How far a step goes: what it waits for, what the end of the job deletes, or that nothing is changed at all. */
export const waitingInputs = {
  wait: define({
    description: 'Wait until the work that the operation starts is done.',
    default: 'true',
    parse: parseFlag,
  }),
  wait_timeout: define({
    description:
      'How long the operation may take in all, lookups and waits included, like `90s`, `30m`, `1h`.',
    default: '30m for previews, create, fork, delete and peering, else 10m',
    parse: parseTime,
  }),
  wait_for_connection: define({
    description:
      'After the wait, also wait until every address that outputs name accepts a connection from the runner: of the database, its pooler, or the read replica set. One in a VPC that cannot be reached is a warning.',
    default: 'false',
    parse: parseFlag,
  }),
  cleanup: define({
    description:
      'Whether the end of the job deletes what this step created, also if the step was cancelled or killed, or the answer was lost: `never`, `always` or `on-failure` (of the job). Not for previews: those belong to their pull request.',
    default: 'never',
    parse: parseOneOf('never', 'always', 'on-failure'),
  }),
  dry_run: define({
    description:
      'Change nothing, with any operation: check the inputs, read, and say what would be done. Sets `skipped` where something would be.',
    default: 'false',
    parse: parseFlag,
  }),
}
