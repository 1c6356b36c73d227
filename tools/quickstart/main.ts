/**
 * `npm start`: a fork's whole life on this machine, from an empty service to its deletion, reported and checked step by
 * step. Ends with code 1 and one line if a check fails.
 */
import { constants } from 'node:os'
import { styleText } from 'node:util'
import { renderCount } from '#base/bytes'
import { StopSignal } from '../../emulator/command/stop-signal.ts'
import { type Emulator, startEmulator } from '../../emulator/library.ts'
import { checkDist } from '../build/stale-dist.ts'
import { withoutProxy } from '../runner/github.ts'
import { RunnerLog } from '../runner/rendered-log.ts'
import { runStep } from '../runner/run-step.ts'
import { changeShop, fillShop, openSession, renderStock, startOrders, takeStock } from './shop.ts'

type Outputs = Record<string, string>

/** Longer lines are cut, so that they do not wrap. */
const widest = 100
let headings = 0

function print(text: string, style: Parameters<typeof styleText>[0] = 'reset'): void {
  const shown = text.length > widest ? `${text.slice(0, widest - 1)}…` : text
  // Without a terminal, or with NO_COLOR, the text has no colors.
  process.stdout.write(`${styleText(style, shown, { stream: process.stdout })}\n`)
}

const printHeading = (text: string) => print(`\n${++headings}  ${text}`, ['bold', 'cyan'])

function expect(isMet: boolean, problem: string): asserts isMet {
  if (!isMet) throw new Error(problem)
}

/** A job whose steps run on the committed bundle; inputs may hold `${{ … }}`. */
class Job {
  readonly #end: AbortSignal
  readonly #inputs: Outputs
  /** The values for `${{ … }}`. */
  readonly #values: Outputs
  readonly log = new RunnerLog()

  constructor(end: AbortSignal, { baseUrl: base_url, keys: { publicKey, secretKey } }: Emulator) {
    this.#end = end
    this.#values = { 'secrets.DATABASE_PUBLIC_KEY': publicKey, 'secrets.DATABASE_SECRET_KEY': secretKey }
    for (const value of Object.values(this.#values)) this.log.mask(value)
    const [public_key = '', secret_key = ''] = Object.keys(this.#values).map(name => `\${{ ${name} }}`)
    this.#inputs = { base_url, public_key, secret_key }
  }

  /** Runs a step, and prints it with its log. */
  async run(id: string, operation: string, more: Outputs): Promise<Outputs> {
    const given = Object.entries({ operation, ...this.#inputs, ...more })
    const yaml = [`- id: ${id}`, '  uses: ./', '  with:', ...given.map(pair => `    ${pair.join(': ')}`), '']
    for (const line of yaml) print(line && `   ${line}`, 'green')
    const show = (line: string) => {
      const shown = this.log.show(line)
      if (shown !== undefined) print(`   │ ${shown}`)
    }
    const value = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => this.#values[name] ?? '')
    this.#end.throwIfAborted()
    const { exitCode, outputs } = await runStep({
      inputs: Object.fromEntries(given.map(([name, text]) => [name, value(text)])),
      environment: withoutProxy,
      onStart: kill => this.#end.addEventListener('abort', () => kill('SIGINT')),
      onLine: show,
    })
    this.#end.throwIfAborted()
    expect(exitCode === 0, `the step "${id}" failed with exit code ${exitCode}`)
    for (const [name, text] of Object.entries(outputs)) this.#values[`steps.${id}.outputs.${name}`] = text
    print('')
    return outputs
  }
}

/** The life of a fork: filled parent, fork, rows of both, deletion. */
async function tour(job: Job, emulator: Emulator): Promise<void> {
  printHeading('Create a service with the action, and fill it')
  const connected = { wait_for_connection: 'true' }
  const created = await job.run('parent', 'create-service', { name: 'shop', ...connected })
  const parent = await openSession(created.database_url ?? '')
  await fillShop(parent)
  const filled = await takeStock(parent)
  print(`   Filled with SQL: ${renderStock(filled)}.`)

  printHeading('Fork it with the action, while orders keep coming in')
  const stopOrders = startOrders(parent)
  const service_id = `\${{ steps.parent.outputs.service_id }}`
  const inputs = { service_id, name: 'shop-fork', fork_strategy: 'NOW', ...connected }
  const outputs = await job.run('fork', 'fork-service', inputs).finally(stopOrders)
  print('   Outputs:')
  for (const [name, text] of Object.entries(outputs))
    print(`     ${name.padEnd(16)}  ${job.log.redact(text)}`)

  printHeading("Find the parent's rows in the fork")
  const fork = await openSession(outputs.database_url ?? '')
  const [inParent, inFork] = [await takeStock(parent), await takeStock(fork)]
  const then = await takeStock(parent, inFork.lastOrder)
  expect(inFork.orders >= filled.orders, 'the fork lacks orders that the parent had before it')
  expect(then.fingerprint === inFork.fingerprint, 'the rows of the fork are not those of the parent')
  const during = renderCount(await stopOrders())
  print(`   The parent has ${renderStock(inParent)}. ${during} of them came during the step.`)
  print(`   The fork has ${renderStock(inFork)}, exactly those of the parent at one moment.`)
  await changeShop(fork)
  const [after, changed] = [await takeStock(parent), await takeStock(fork)]
  expect(changed.orders < inFork.orders, 'a change in the fork is missing there')
  expect(after.fingerprint === inParent.fingerprint, 'a change in the fork changed the parent')
  print(`   After a change, the fork has ${renderStock(changed)}. The parent is unchanged.`)
  await fork.end()

  printHeading('Delete the fork with the action')
  const deleting = { service_id: `\${{ steps.fork.outputs.service_id }}` }
  const { deleted } = await job.run('delete', 'delete-service', deleting)
  expect(deleted === 'true', 'the step does not report that the fork is deleted')
  const refusal = await openSession(outputs.database_url ?? '').then(() => undefined, String)
  expect(refusal !== undefined, 'the deleted fork still accepts connections')
  const problem = await emulator.find('shop-fork').then(() => 'it is still there', String)
  expect(/has no service shop-fork$/.test(problem), `the list of services is wrong: ${problem}`)
  print('   Its database refuses connections, and the list of services contains only shop.')
  await parent.end()
}

/** Starts the emulator, and stops it after the tour. */
async function play(end: AbortSignal, onProblem: (problem: string) => void): Promise<void> {
  const start = performance.now()
  print('managed-database-action: the life of a database fork, for real, on this machine', 'bold')
  printHeading('Start the emulator: the REST API, with a real PostgreSQL behind every service')
  await checkDist()
  // Ready after two seconds: long enough to see the statuses of a service.
  const emulator = await startEmulator({ readyAfter: 2000, onProblem })
  // This also ends the queries of the tour.
  end.addEventListener('abort', () => void emulator.stop().catch(() => {}))
  try {
    end.throwIfAborted()
    print(`   It serves ${emulator.baseUrl}`)
    await tour(new Job(end, emulator), emulator).catch(cause => {
      throw new Error(`in part ${headings}, ${cause.message}`, { cause })
    })
  } finally {
    await emulator.stop()
  }
  printHeading('Stop')
  print('   Every database is stopped, and its files are deleted.\n')
  print(`Each step was checked, in ${((performance.now() - start) / 1000).toFixed(1)} s.\n`, 'bold')
  print('   Next: README.md           how to use the action in a workflow')
  print('         docs/emulator.md    a preview on this machine, from opening to closing')
  print('         npm run emulator    the same API to try things on, until you stop it')
  print('         npm test            every operation against it')
}

const end = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => {
    process.exitCode = 128 + constants.signals[name]
  })
const signal = new StopSignal()
const stop = () => end.abort(new Error('stopped, nothing is left'))
void signal.received.then(stop)
// The output has lost its reader.
for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
try {
  await play(end.signal, problem => end.abort(new Error(problem)))
} catch (error) {
  // Once the signal is aborted, other errors only follow from that.
  const { message } = (end.signal.reason ?? error) as Error
  process.stderr.write(`quickstart: ${message.split('\n')[0]}\n`)
  process.exitCode ??= 1
} finally {
  signal.release()
}
