/**
 * The main job, `npm start`: a fork's whole life on this machine, from an empty service to its complete deletion,
 * reported and checked step by step. Ends with code 1 and one line if a check fails.
 */
import { constants } from 'node:os'
import { StopSignal } from '../../emulator/command/stop-signal.ts'

/** Milliseconds: about ten times the usual duration. */
const patience = 120_000

/** One line with an instruction. */
function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return 'packages are missing: run "npm ci" first'
  if (code === 'ENOSPC') return 'the disk is full: make room, or set TMPDIR to a folder on another one'
  return message.split('\n')[0] ?? ''
}

const end = new AbortController()
const fail = (problem: string) => end.abort(new Error(problem))
const stop = () => fail('stopped, nothing is left')
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => {
    process.exitCode = 128 + constants.signals[name]
  })
const signal = new StopSignal()
void signal.received.then(stop)
// The output has lost its reader.
for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
const timer = setTimeout(() => fail(`not finished after ${patience / 1000} s`), patience)
try {
  // Imported late: the story needs packages, and a forgotten `npm ci` needs its own message.
  const { tellStory } = await import('./story.ts')
  await tellStory(end.signal, fail)
} catch (error) {
  // Once the signal is aborted, other errors only follow from that.
  process.stderr.write(`quickstart: ${describe(end.signal.reason ?? error)}\n`)
  process.exitCode ??= 1
} finally {
  clearTimeout(timer)
  signal.release()
}
