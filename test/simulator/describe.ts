import { breaks } from './breaks.ts'
import { faults } from './faults.ts'
import { oddKinds } from './odd-weather.ts'

const faultNames = Object.keys(faults).join('; ')

/** How many promises broken variants break. */
const promises = new Set(Object.values(breaks).flatMap(({ promises }) => promises)).size

/** The part of docs/internals/reliability.md about the simulator: faults and promises as they stand in its code. */
export function renderSimulator(): string {
  return `## The simulator

Several faults in one run, runs that cross, and signals at any moment:

\`\`\`sh
npm run simulate -- --seeds 100000
\`\`\`

Each seed is one story: a step that creates, changes or deletes something, with the end of its job; or the runs of one
pull request until it is closed and pruned; or what else teams do: labels, drafts, the merge queue, resets, several
prefixes, dry runs, nightly masked copies. The code is that of \`src/\` from the operations down to the client; time,
network, API, GitHub, state file and login are simulated.

### What goes wrong

- A request meets a 404 for what was just created, an outage of 5xx for up to 90 s, or a fault of \`faults.ts\`:
  ${faultNames}.
  More rarely: ${oddKinds.join('; ')}.
  "Late" is up to a minute after it was sent; a Retry-After may ask for an hour.
- In the last runs of a story the API is down for up to 15 s, or answers 429 without Retry-After for up to a minute.
  GitHub's rate limit is reached for up to half an hour after some of the first requests of a story.
- Answers are up to 30 s behind (\`climate.ts\`): all alike, by replica, or each record in its own way. \`created\` is by a
  clock up to 2 min off, or missing. GitHub is up to 30 s behind. Some servers show for ever what was deleted, as DELETED.
- Steps and ends of jobs are cancelled or killed at any moment at which they wait. Outages may outlast the end of a job.
- The state file cannot be written; GitHub is unreachable, refuses for good, or has its limit used up among hundreds of
  pull requests; the database takes no connection; the runner's clock is up to a day off or jumps.
- Jobs ask for the same name, steps run again, runs of a matrix start at once, the pull request is closed and opened
  again. Somebody else takes a name or one that looks like it, tags what a step made, as PROD or otherwise, forks a
  preview that is about to be replaced, or renames one that is about to be deleted. The deadline comes between a reset's deletion and its fork.

### What must hold all the same

Every story is held, against what the API really has, to ${promises} promises: those of
[SECURITY.md](../../SECURITY.md#what-it-guarantees), and that a run ends by its deadline, and within 5 s of a signal, with
outputs or a clear error that names what is left. Production code was broken on purpose in ${Object.keys(breaks).length} ways
(\`breaks.ts\` names each with the promises that it breaks): each must be found within 1,000 seeds.

Where answers are more than 10 s behind, two previews may be at rest until the next run or prune. Without \`created\`
nothing tells which of two previews is the older: then two runs may give different ones.

### Replaying, breaking

- \`--seed 4711\` replays one seed with its timeline: each request, fault, log line and signal.
- \`--break 'duplicates of a preview stay'\` simulates a broken variant up to the first violation, or one seed of it.
- \`--breaks --remember\` names all of them with what finds each, and keeps those seeds to try them first.

\`npx --no vitest run test/simulator\` fails where no seed finds a break: then either the code is not needed or the simulator
does not see it. \`SIMULATOR_SEEDS=100000\` makes its search longer.
`
}
