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

Each seed is one story: a step with its post step, or the runs of one pull request until prune. The code is that of \`src/\`. Time,
network, API, GitHub, state file and login are simulated.

### Faults

- Requests meet outages, lost answers, rate limits, and the faults of [faults.ts](../../test/simulator/faults.ts) and
  [odd-weather.ts](../../test/simulator/odd-weather.ts).
- Lists and records lag up to 30 s (\`climate.ts\`). \`created\` is up to 2 min off, or missing.
- Steps and post steps are cancelled or killed during any wait. The state file, GitHub or the database fails. The runner's clock is off.
- Jobs share a name, run again, and reopen pull requests. Another person creates, tags, forks or renames records.

### Promises

After every story, the simulator checks ${promises} promises: those of [SECURITY.md](../../SECURITY.md#what-it-guarantees), and that
every run ends by its deadline, and within 5 s of a signal. Each run ends with outputs, or a clear error that names remaining
records. Production code was broken on purpose in ${Object.keys(breaks).length} ways
(\`breaks.ts\` names each with the promises that it breaks): each must be found within 1,000 seeds.

If answers lag more than 10 s, two previews may exist until the next run or prune. Without \`created\`, two runs may publish different
previews.

\`--seed 4711\` replays one seed with its timeline. \`--break 'duplicates of a preview stay'\` simulates a broken variant.
`
}
