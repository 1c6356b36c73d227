/** The step: starts the emulator, fills a parent, and sets the outputs for later steps. */
import { randomBytes } from 'node:crypto'
import { access, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readProjectId } from '../client/access.ts'
import { connect } from '../client/services.ts'
import { provideDependencies } from './dependencies.ts'
import { startProcess } from './emulator-process.ts'
import { fail, mask, readInput, saveState, setOutput } from './runner.ts'

const root = resolve(import.meta.dirname, '../..')

/** Checked before anything is created, so that a missing file fails at once. */
async function checkSeed(file: string): Promise<void> {
  await access(file).catch(cause => {
    const advice = 'check the path, and run actions/checkout before'
    throw new Error(`seed_file: ${file} cannot be read: ${advice}`, { cause })
  })
}

async function start(): Promise<void> {
  const began = Date.now()
  const elapsed = () => `after ${((Date.now() - began) / 1000).toFixed(1)} s`
  const log = (line: string) => process.stdout.write(`${line}\n`)
  log(`packages ${await provideDependencies(root)} ${elapsed()}`)

  const keys = {
    publicKey: `local${randomBytes(4).toString('hex')}`,
    secretKey: randomBytes(24).toString('hex'),
  }
  mask(keys.secretKey)
  const temp = await mkdtemp(join(process.env.RUNNER_TEMP || tmpdir(), 'emulator-'))
  const logFile = join(temp, 'emulator.log')
  saveState('log_file', logFile)
  const given = readInput('arguments').split(/\s+/).filter(Boolean)
  const extensions = readInput('extensions')
  if (extensions !== '') given.push('--extensions', extensions)
  const flags = ['--port', '0', '--keys', `${keys.publicKey}:${keys.secretKey}`, ...given]
  const { pid, baseUrl } = await startProcess(flags, logFile)
  saveState('pid', String(pid))
  log(`the emulator listens at ${baseUrl} ${elapsed()}`)

  const running = { baseUrl, keys }
  const projectId = await readProjectId(running)
  setOutput('base_url', baseUrl)
  setOutput('public_key', keys.publicKey)
  setOutput('secret_key', keys.secretKey)
  setOutput('project_id', projectId)
  const name = readInput('parent_name')
  const seedFile = readInput('seed_file')
  if (name === '' && seedFile !== '')
    throw new Error('seed_file: needs parent_name, the service that it fills')
  if (name === '') return
  if (seedFile !== '') await checkSeed(seedFile)
  const seed = seedFile === '' ? [] : seedFile
  const { id, databaseUrl, password } = await connect(running).createService({ name, seed })
  mask(password)
  setOutput('service_id', id)
  setOutput('database_url', databaseUrl)
  log(`service ${id} (${name}) is READY${seedFile && `, filled from ${seedFile}`} ${elapsed()}`)
}

try {
  await start()
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
