/** Describes the simulator for the documentation. */
import { breaks } from './breaks.ts'

const promises = new Set(Object.values(breaks).flatMap(({ promises }) => promises)).size

/** The part of docs/internals/reliability.md about the simulator: the number of its promises as its code has it. */
export function renderSimulator(): string {
  return `## The simulator

It combines faults, parallel runs and signals:

\`\`\`sh
npm run simulate -- --seeds 100000
\`\`\`

Each seed is one story: a step with its post step, or the runs of one pull request until prune. The code is that of
\`src/\`, from the operations to the client. Time, network, API, GitHub, state file and login are simulated.

### Faults

- A request gets a 404 for a new record, an outage of 5xx for up to 90 s, a fault of
  [faults.ts](../../test/simulator/faults.ts), or rarely one of [odd-weather.ts](../../test/simulator/odd-weather.ts).
- In the last runs of a story the API is down for up to 15 s, or answers 429 without Retry-After for up to a minute.
  GitHub's rate limit is used up for up to half an hour.
- Answers lag up to 30 s (\`climate.ts\`): equally, by replica, or by record. \`created\` is up to 2 min off, or missing. GitHub
  lags up to 30 s. Some servers keep showing deleted records, as DELETED.
- Steps and post steps are cancelled or killed at any wait.
- The state file cannot be written; GitHub is unreachable or refuses; the database accepts no connection; the runner's clock
  is up to a day off, or jumps.
- Jobs use the same name, steps run again, pull requests are closed and reopened. Another person uses a similar name, tags a
  record, forks a preview that is about to be replaced, or renames one that is about to be deleted.

### Promises

The state of the API after every story is checked against ${promises} promises: those of
[SECURITY.md](../../SECURITY.md#what-it-guarantees), and that a run ends by its deadline, and within 5 s of a signal, with
outputs or a clear error that names remaining records. Production code was broken on purpose in ${Object.keys(breaks).length} ways
(\`breaks.ts\` names each with the promises that it breaks): each must be found within 1,000 seeds.

Where answers are more than 10 s behind, two previews may be at rest until the next run or prune. Without \`created\`
two runs cannot find the older of two previews, and may publish different ones.

\`--seed 4711\` replays one seed with its timeline. \`--break 'duplicates of a preview stay'\` simulates a broken variant.
\`--breaks --remember\` stores the seeds that find each of them.
`
}
