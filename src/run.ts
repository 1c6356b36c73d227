/** Runs the step or the post step, and ends the process. */
import { basename } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { exitAfterOutput } from './action/host/cancellation.ts'
import { openHost } from './action/host/host.ts'
import { main } from './main.ts'
import { post } from './post.ts'

/** Node's exit code for a process that awaits a promise that can no longer settle. */
const unsettledExitCode = 13

async function run(): Promise<void> {
  // undici parses answers with WebAssembly. After two requests Node.js would compile it again, to run faster: that
  // takes 15 MB and more than 50 ms of processor time, longer than parsing all answers of a step.
  setFlagsFromString('--wasm-tiering-budget=2000000000')
  // The reader of the log may be gone (EPIPE), or its disk full (ENOSPC). Then logging is impossible, but the step's
  // work, files and exit code do not depend on it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // Otherwise a step whose work never settles would end with exit code 0, like a success.
  process.once('beforeExit', () => process.exit(unsettledExitCode))
  // The runner starts dist/index.js for the step and dist/post.js for the post step, and both load this bundle. The
  // state of the step cannot distinguish them: if the step was killed early, it has no state, and the post step would
  // repeat it.
  const entry = basename(process.argv[1] ?? '') === 'post.js' ? post : main
  await entry(openHost())
  await exitAfterOutput()
}

void run()
