// The steps of the quickstart.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderCount } from '#base/bytes'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import { startEmulator } from '../../emulator/http/server.ts'
import { checkDist } from '../build/stale-dist.ts'
import { withoutProxy } from '../runner/github.ts'
import { RunnerLog } from '../runner/rendered-log.ts'
import { runStep } from '../runner/run-step.ts'
import { Screen } from './screen.ts'
import { changeShop, fillShop, openSession, renderStock, startOrders, takeStock } from './shop.ts'

type Outputs = Record<string, string>

function expect(isMet: boolean, problem: string): asserts isMet {
  if (!isMet) throw new Error(problem)
}

/** A job whose steps run on the committed bundle; inputs may hold `${{ … }}`. */
class Job {
  readonly #signal: AbortSignal
  readonly #screen: Screen
  readonly #inputs: Record<string, string>
  /** The values for `${{ … }}`. */
  readonly #values: Map<string, string>
  readonly log = new RunnerLog()

  constructor(signal: AbortSignal, screen: Screen, baseUrl: string, secrets: Record<string, string>) {
    this.#signal = signal
    this.#screen = screen
    this.#values = new Map(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value]))
    for (const value of this.#values.values()) this.log.mask(value)
    const [public_key = '', secret_key = ''] = Object.keys(secrets).map(name => `\${{ secrets.${name} }}`)
    this.#inputs = { base_url: baseUrl, public_key, secret_key }
  }

  /** Runs a step, and shows it with its log unless it is hidden. */
  async run(id: string, operation: string, more: Outputs, isHidden = false): Promise<Outputs> {
    const given = Object.entries({ operation, ...this.#inputs, ...more })
    const yaml = [`- id: ${id}`, '  uses: ./', '  with:', ...given.map(pair => `    ${pair.join(': ')}`), '']
    const show = (line: string) => {
      const shown = this.log.show(line)
      if (shown !== undefined) this.#screen.log(shown)
    }
    if (!isHidden) for (const line of yaml) this.#screen.say(line, 'green')
    const value = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => this.#values.get(name) ?? '')
    const { exitCode, outputs } = await runStep({
      inputs: Object.fromEntries(given.map(([name, text]) => [name, value(text)])),
      environment: withoutProxy,
      onStart: kill => this.#signal.addEventListener('abort', () => kill('SIGINT')),
      onLine: isHidden ? () => {} : show,
    })
    expect(exitCode === 0, `the step "${id}" failed with exit code ${exitCode}`)
    for (const [name, text] of Object.entries(outputs)) this.#values.set(`steps.${id}.outputs.${name}`, text)
    if (!isHidden) this.#screen.write('')
    return outputs
  }
}

/** A fork's life, step by step. Every statement is checked. */
async function live(job: Job, screen: Screen): Promise<void> {
  screen.heading('Create a service with the action, and fill it')
  const connected = { wait_for_connection: 'true' }
  const made = await job.run('parent', 'create-service', { name: 'shop', ...connected })
  const parent = await openSession(made.database_url ?? '')
  await fillShop(parent)
  const filled = await takeStock(parent)
  screen.say(`Filled with SQL: ${renderStock(filled)}.`)

  screen.heading('Fork it with the action, while orders keep coming in')
  const stopOrders = startOrders(parent)
  const service_id = `\${{ steps.parent.outputs.service_id }}`
  const asked = { service_id, name: 'shop-fork', fork_strategy: 'NOW', ...connected }
  const outputs = await job.run('fork', 'fork-service', asked).finally(stopOrders)
  screen.say('Outputs:')
  for (const [name, text] of Object.entries(outputs))
    screen.say(`  ${name.padEnd(16)}  ${job.log.redact(text)}`)

  screen.heading("Find the parent's rows in the fork")
  const fork = await openSession(outputs.database_url ?? '')
  const [inParent, inFork] = [await takeStock(parent), await takeStock(fork)]
  const then = await takeStock(parent, inFork.lastOrder)
  expect(inFork.orders >= filled.orders, 'the fork lacks orders that the parent had before it')
  expect(then.fingerprint === inFork.fingerprint, 'the rows of the fork are not those of the parent')
  screen.say(
    `The parent has ${renderStock(inParent)}. ${renderCount(await stopOrders())} of them came during the step.`,
  )
  screen.say(`The fork has ${renderStock(inFork)}, exactly those of the parent at one moment.`)
  await changeShop(fork)
  const [after, changed] = [await takeStock(parent), await takeStock(fork)]
  expect(changed.orders < inFork.orders, 'a change that was made in the fork is missing there')
  expect(after.fingerprint === inParent.fingerprint, 'a change in the fork changed the parent')
  screen.say(`After a change, the fork has ${renderStock(changed)}. The parent is unchanged.`)
  await fork.end()

  screen.heading('Delete the fork with the action')
  const ended = await job.run('delete', 'delete-service', {
    service_id: `\${{ steps.fork.outputs.service_id }}`,
  })
  expect(ended.deleted === 'true', 'the step does not report that the fork is deleted')
  const refusal = await openSession(outputs.database_url ?? '').then(() => undefined, String)
  expect(refusal !== undefined, 'the deleted fork still accepts connections')
  const { result = '[]' } = await job.run('list', 'list-services', {}, true)
  const names = (JSON.parse(result) as { name: string }[]).map(({ name }) => name)
  expect(names.join() === 'shop', `the list of services has "${names.join()}" instead of "shop" alone`)
  screen.say('Its database refuses connections, and the list of services contains only shop.')
  await parent.end()
}

/**
 * Runs the tour. `fail` gets problems behind the API.
 * @throws Error that names the chapter, or the missing requirement
 */
export async function tellStory(signal: AbortSignal, fail: (problem: string) => void): Promise<void> {
  const start = performance.now()
  const screen = new Screen(signal)
  screen.write('managed-database-action: the life of a database fork, for real, on this machine', 'bold')
  screen.heading('Start the emulator: the REST API, with a real PostgreSQL behind every service')
  const root = useScratchFolder()
  await checkDist()
  const dataPlane = await openClusters({ root })
  const [publicKey = '', secretKey = ''] = [13, 32].map(size =>
    randomBytes(size).toString('hex').toUpperCase(),
  )
  // Ready after two seconds: long enough to see the statuses of a service.
  const emulator = await startEmulator({ publicKey, secretKey, dataPlane, readyAfter: 2000, onProblem: fail })
  // This also ends every wait of the story.
  signal.addEventListener('abort', () => void emulator.stop().catch(() => {}))
  try {
    signal.throwIfAborted()
    screen.say(`It serves ${emulator.baseUrl}`)
    const secrets = { DATABASE_PUBLIC_KEY: publicKey, DATABASE_SECRET_KEY: secretKey }
    await live(new Job(signal, screen, emulator.baseUrl, secrets), screen).catch(cause => {
      throw new Error(`in part ${screen.headings}, ${cause.message}`, { cause })
    })
    signal.throwIfAborted()
  } finally {
    await emulator.stop()
  }
  const left = readdirSync(root)
  expect(left.length === 0, `left behind: ${left.join(', ')}`)
  screen.heading('Stop')
  screen.say('Every database is stopped, and its files are deleted.')
  screen.write('')
  screen.write(`Each step was checked, in ${((performance.now() - start) / 1000).toFixed(1)} s.`, 'bold')
  screen.write('')
  screen.say('Next: README.md           how to use the action in a workflow')
  screen.say('      npm run emulator    the same API to try things on, until you stop it')
  screen.say('      npm test            every operation against it')
}

/** The temporary folder of this process and its children. It is deleted when this process ends, unless it is killed. */
function useScratchFolder(): string {
  const parent = tmpdir()
  try {
    const folder = mkdtempSync(join(parent, 'quickstart-'))
    // For the account of PostgreSQL, where this process is root.
    chmodSync(folder, 0o755)
    // Windows reads the latter two (Node.js documentation, os.tmpdir()).
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    return folder
  } catch (cause) {
    const next = 'set TMPDIR to a folder that can be written to.'
    throw new Error(`No folder can be created below ${parent}: ${next}`, { cause })
  }
}
