/**
 * The main job, `npm start`: a fork's whole life on this machine, from an empty service to its complete deletion,
 * reported and checked step by step. Ends with code 1 and one line if a check fails.
 */
import { constants } from 'node:os'
import { StopSignal } from '../../emulator/command/stop-signal.ts'
import { Screen } from './screen.ts'

/** Milliseconds: about ten times the usual duration. */
const patience = 120_000

/** The user asked to stop: not a failure. */
class Stopped extends Error {}

await main().catch(error => {
  process.stderr.write(`quickstart: ${describe(error)}\n`)
  process.exitCode ??= 1
})

async function main(): Promise<void> {
  const end = new AbortController()
  const stop = () => end.abort(new Stopped('stopped, nothing is left'))
  const fail = (problem: string) => end.abort(new Error(problem))
  const signal = watchSignals()
  void signal.received.then(stop)
  // The output has lost its reader.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
  const timer = setTimeout(() => fail(`not finished after ${patience / 1000} s`), patience)
  try {
    await run(end.signal, fail)
  } catch (error) {
    // Once the signal is aborted, other errors only follow from that.
    end.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.release()
  }
}

function watchSignals(): StopSignal {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      process.exitCode = 128 + constants.signals[name]
    })
  }
  return new StopSignal()
}

async function run(signal: AbortSignal, onProblem: (problem: string) => void): Promise<void> {
  const start = performance.now()
  const screen = new Screen(signal)
  screen.title('managed-database-action: the life of a database fork, for real, on this machine')
  screen.heading('Start the emulator: the REST API, with a real PostgreSQL behind every service')
  // Imported late: these modules need packages, and a forgotten `npm ci` needs its own message.
  const { openWorld } = await import('./world.ts')
  const { Story } = await import('./story.ts')
  const world = await openWorld({ signal, onProblem })
  // Closing the world also ends every wait of the story.
  signal.addEventListener('abort', () => void world.close().catch(() => {}))
  try {
    signal.throwIfAborted()
    screen.say(`It serves ${world.baseUrl}`)
    await new Story(world, screen).tell()
    signal.throwIfAborted()
  } finally {
    await world.close()
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  screen.end(`All of it was checked, in ${seconds} s.`)
}

/** One line with an instruction. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return 'packages are missing: run "npm ci" first'
  if (code === 'ENOSPC') return 'the disk is full: make room, or set TMPDIR to a folder on another one'
  return (error.message || code || error.name).split('\n')[0] ?? ''
}
