import { breaks } from './breaks.ts'
import { faults } from './faults.ts'

const faultNames = Object.keys(faults).join(' · ')

/** Each promise with the broken variants that may be found by it. */
function renderPromises(): string {
  const names = Object.keys(breaks)
  const promises = [...new Set(Object.values(breaks).flatMap(({ invariants }) => invariants))]
  const rows = promises.map(promise => {
    const breakers = names.filter(name => breaks[name]?.invariants.includes(promise))
    return `| ${promise} | ${breakers.join(' · ')} |`
  })
  return `| Promise | Broken variants |\n|---|---|\n${rows.join('\n')}`
}

/** The part of docs/reliability.md about the simulator: faults and promises as they stand in its code. */
export function renderSimulator(): string {
  return `## The simulator

The matrix has one fault a run. What comes of several at once, of runs that cross and of signals at any moment is
looked for by the simulator:

\`\`\`sh
npm run simulate -- --seeds 100000
\`\`\`

Each seed is one story: a step that creates, changes or deletes something, with the end of its job; or the runs of one
pull request beside each other, after which it is closed and pruned for good. The code is that of \`src/\` from the
operations down to the client. Simulated is what surrounds it (\`test/simulator/\`): time, which jumps from one event to
the next; chance, all of it drawn from the seed; the network; the API, by the emulator's store; GitHub; the state file;
the database's login. The same seed gives the same story, faults and end. Inputs, summary and comment are not in it; the
scenarios run those. The command exits with 1 where a promise was broken, naming seed and promise.

### What goes wrong

- A request meets a 404 for what was just created, an outage of 5xx for up to 90 s, or one of the faults of \`faults.ts\`:
  ${faultNames}.
  "Late" is up to a minute after it was sent; a Retry-After may ask for an hour.
- Answers are up to 30 s behind (\`climate.ts\`): all alike, each replica by its own lag, or each record in its own way: to
  be listed, found, changed, gone, or to tell its parent. \`created\` is by a clock up to 2 min off, or missing. GitHub is up
  to 30 s behind.
- A quarter of all steps is cancelled (SIGINT, killed 10 s later) or killed, at any moment at which it waits. So is a
  fifth of the ends of jobs; others meet faults or an outage, which may outlast them.
- The state file cannot be written, GitHub is unreachable, its list of pull requests is incomplete and does not say so,
  the database takes no connection, the runner's clock is up to a day off or jumps.
- Two jobs ask for the same name, a step runs again, three runs of a matrix start at once, the pull request is closed
  and opened again, a preview of before is paused or has a twin, prune has \`max_deletions\` or \`dry_run\`. Somebody else
  takes a name or one that looks like it, also right after a run has asked for it.

### What must hold all the same

Checked of every story once it is over, against what the API really has. For each promise production code was broken on
purpose (\`breaks.ts\`): the tests demand that each broken variant is found within 1,000 seeds, by a promise that it stands
beside.

${renderPromises()}

Beside these, every run ends. Where answers are more than 10 s behind, two previews may be at rest until the next run or
prune, and the end of a job may miss what it cannot see, but names it in the log: the command counts both. Without
\`created\` nothing tells which of two previews is the older: then two runs may give different ones.

### Replaying, breaking

- \`npm run simulate -- --seed 4711\` replays one seed with its timeline: each request, fault, log line and signal, with
  the virtual time. What stories gained later is drawn from a second chance of the seed, so that the rest stays as it was.
- \`npm run simulate -- --break 'twins of a preview stay'\` simulates a broken variant up to the first violation; with
  \`--seed\` it replays one seed of it.
- A break is an entry of \`breaks.ts\`: what is done wrong, the promises that may break by it, and the edits of the
  source, which hold only while it is loaded. \`npx vitest run test/simulator\` fails where an edited text is not there any
  more, or where 1,000 seeds find nothing: then either the code is not needed or the simulator does not see it.
- \`SIMULATOR_SEEDS=100000 npx vitest run test/simulator\` is the same search as a test.
`
}
